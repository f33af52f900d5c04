#include "vectors/src/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/files/file.hpp"
#include "harness/files/malformed.hpp"
#include "harness/files/sha256.hpp"
#include "harness/files/strict_json.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_schema = "fp4cts vector manifest 1";
constexpr std::uint64_t max_manifest_bytes = std::uint64_t{16} << 20;

bool stays_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\\') != std::string_view::npos ||
      path.find('\0') != std::string_view::npos) {
    return false;
  }
  while (true) {
    const auto end = path.find('/');
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

bool is_digest(std::string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Result<ManifestSet> set_from(const nlohmann::json& json, const std::string& place) {
  JsonObject object(json, place);
  ManifestSet set;
  set.name = object.text("name");
  set.seed = static_cast<std::uint64_t>(object.integer("seed", 0, INT64_MAX));
  set.files = static_cast<std::uint64_t>(object.integer("files", 0, INT64_MAX));
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());
  return set;
}

Result<ManifestFile> file_from(const nlohmann::json& json, const std::string& place) {
  JsonObject object(json, place);
  ManifestFile file;
  file.path = object.text("path");
  file.bytes = static_cast<std::uint64_t>(object.integer("bytes", 0, INT64_MAX));
  file.sha256 = object.text("sha256");
  if (!stays_inside(file.path)) {
    object.fault("path", fmt::format("expected a path inside the folder, got \"{}\"", file.path));
  }
  if (!is_digest(file.sha256)) {
    object.fault("sha256",
                 fmt::format("expected 64 lower-case hex digits, got \"{}\"", file.sha256));
  }
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());
  return file;
}

template <class Item, class FromJson>
Result<std::vector<Item>> items_from(const nlohmann::json& array, const std::string& place,
                                     FromJson from_json) {
  std::vector<Item> items;
  if (!array.is_array()) return malformed(place, "expected an array");
  for (std::size_t i = 0; i < array.size(); ++i) {
    auto item = from_json(array[i], fmt::format("{}/{}", place, i));
    if (!item) return tl::make_unexpected(item.error());
    items.push_back(std::move(*item));
  }
  return items;
}

}  // namespace

std::uint64_t count_files(const std::vector<ManifestFile>& files, std::string_view set) {
  return static_cast<std::uint64_t>(
      std::count_if(files.begin(), files.end(), [&](const ManifestFile& file) {
        return file.path.starts_with(set) && file.path.substr(set.size(), 1) == "/";
      }));
}

std::string manifest_text(const Manifest& manifest) {
  nlohmann::ordered_json json;
  json["schema"] = manifest_schema;
  json["source"] = vector_source;
  json["sets"] = nlohmann::ordered_json::array();
  for (const ManifestSet& set : manifest.sets) {
    json["sets"].push_back({{"name", set.name}, {"seed", set.seed}, {"files", set.files}});
  }
  json["files"] = nlohmann::ordered_json::array();
  for (const ManifestFile& file : manifest.files) {
    json["files"].push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return json.dump(1) + "\n";
}

std::string manifest_sha256(const Manifest& manifest) {
  return sha256_hex(std::string_view(manifest_text(manifest)));
}

Result<Manifest> manifest_from(std::string_view text, std::string_view source) {
  const auto json = parse_json(text, source);
  if (!json) return tl::make_unexpected(json.error());
  JsonObject object(*json, std::string(source));
  const std::string schema = object.text("schema");
  const std::string vectors = object.text("source");
  const nlohmann::json& sets_json = object.value("sets");
  const nlohmann::json& files_json = object.value("files");
  if (schema != manifest_schema) {
    object.fault("schema", fmt::format("expected \"{}\", got \"{}\"", manifest_schema, schema));
  }
  if (vectors != vector_source) {
    object.fault("source", fmt::format("expected \"{}\", got \"{}\"", vector_source, vectors));
  }
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());

  auto sets = items_from<ManifestSet>(sets_json, fmt::format("{}: /sets", source), set_from);
  if (!sets) return tl::make_unexpected(sets.error());
  auto files = items_from<ManifestFile>(files_json, fmt::format("{}: /files", source), file_from);
  if (!files) return tl::make_unexpected(files.error());
  const auto unordered = std::adjacent_find(
      files->begin(), files->end(),
      [](const ManifestFile& a, const ManifestFile& b) { return a.path >= b.path; });
  if (unordered != files->end()) {
    return malformed(source, fmt::format("files: expected ascending paths, got \"{}\" before "
                                         "\"{}\"",
                                         unordered->path, std::next(unordered)->path));
  }
  Manifest manifest{std::move(*sets), std::move(*files)};
  std::uint64_t counted = 0;
  for (const ManifestSet& set : manifest.sets) {
    const std::uint64_t files_of_set = count_files(manifest.files, set.name);
    counted += files_of_set;
    if (files_of_set != set.files) {
      return malformed(source, fmt::format("set {}: expected the stated {} files, got {}", set.name,
                                           set.files, files_of_set));
    }
  }
  if (counted != manifest.files.size()) {
    return malformed(source, fmt::format("files: expected {} in the stated sets, got {}", counted,
                                         manifest.files.size()));
  }
  if (manifest_text(manifest) != text) {
    return malformed(source,
                     "expected the canonical form that `fp4cts vectors` writes, got other "
                     "spaces or escapes");
  }
  return manifest;
}

Result<Manifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / manifest_name;
  return read_text_file(path, max_manifest_bytes).and_then([&](const std::string& text) {
    return manifest_from(text, path.string());
  });
}

Result<std::vector<ManifestFile>> list_files(const fs::path& folder) {
  std::vector<ManifestFile> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path();
    if (entry->is_symlink()) return malformed(path.string(), "expected a file, got a link");
    if (entry->is_directory()) continue;
    const std::string relative = path.lexically_relative(folder).generic_string();
    if (relative == manifest_name || relative == readme_name) continue;
    const auto file = InputFile::open(path);
    if (!file) return tl::make_unexpected(file.error());
    auto digest = sha256_of_file(path);
    if (!digest) return tl::make_unexpected(digest.error());
    files.push_back({relative, file->bytes(), std::move(*digest)});
  }
  if (error) {
    return oracle::fail(ErrorCode::io_error, fmt::format("{}: listing the folder: {}",
                                                         folder.string(), error.message()));
  }
  std::sort(files.begin(), files.end(),
            [](const ManifestFile& a, const ManifestFile& b) { return a.path < b.path; });
  return files;
}

std::vector<std::string> manifest_faults(const std::vector<ManifestFile>& present,
                                         const Manifest& manifest) {
  std::map<std::string, const ManifestFile*> unlisted;
  for (const ManifestFile& file : present) unlisted[file.path] = &file;

  std::vector<std::string> faults;
  for (const ManifestFile& listed : manifest.files) {
    const auto found = unlisted.find(listed.path);
    if (found == unlisted.end()) {
      faults.push_back(fmt::format("{}: listed in {}, and missing", listed.path, manifest_name));
      continue;
    }
    const ManifestFile& actual = *found->second;
    if (actual.bytes != listed.bytes) {
      faults.push_back(
          fmt::format("{}: expected {} bytes, got {}", listed.path, listed.bytes, actual.bytes));
    } else if (actual.sha256 != listed.sha256) {
      faults.push_back(fmt::format("{}: expected SHA-256 {}, got {}", listed.path, listed.sha256,
                                   actual.sha256));
    }
    unlisted.erase(found);
  }
  for (const auto& [path, file] : unlisted) {
    faults.push_back(fmt::format("{}: present, and not listed in {}", path, manifest_name));
  }
  return faults;
}

}  // namespace harness
