#include "vectors/src/vector_freeze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "harness/files/file.hpp"
#include "harness/files/malformed.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/files/sha256.hpp"
#include "vectors/src/curated.hpp"
#include "vectors/src/vector_set.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_text_bytes = std::uint64_t{16} << 20;

std::string set_of(const std::string& path) { return path.substr(0, path.find('/')); }

// The seed of a set: that of all its files.
Result<std::uint64_t> seed_of(const fs::path& folder, const VectorSet& set,
                              const std::vector<ManifestFile>& files) {
  if (!set.seeded) return std::uint64_t{0};
  std::set<std::string> seeds;
  for (const ManifestFile& file : files) {
    if (set_of(file.path) != set.name) continue;
    const auto problem = read_problem_file(folder / file.path);
    if (!problem) return tl::make_unexpected(problem.error());
    const auto seed = problem->facts.find("seed");
    seeds.insert(seed == problem->facts.end() ? "none" : seed->second);
  }
  if (seeds.size() != 1) {
    return malformed(folder.string(), fmt::format("set {}: expected one seed, got {} of them",
                                                  set.name, seeds.size()));
  }
  // verify_vectors compares it with every file again.
  return std::strtoull(seeds.begin()->c_str(), nullptr, 10);
}

Result<Manifest> describe(const fs::path& folder, std::vector<ManifestFile> files) {
  std::set<std::string> names;
  for (const ManifestFile& file : files) names.insert(set_of(file.path));
  Manifest manifest;
  for (const std::string& name : names) {
    const auto set = vector_set_named(name);
    if (!set) return tl::make_unexpected(set.error());
    const auto seed = seed_of(folder, **set, files);
    if (!seed) return tl::make_unexpected(seed.error());
    manifest.sets.push_back({name, *seed, count_files(files, name)});
  }
  manifest.files = std::move(files);
  return manifest;
}

// Every file of the old manifest is there with the same bytes; curated files may have grown.
Result<void> check_kept(const fs::path& folder, const Manifest& old,
                        const std::vector<ManifestFile>& now) {
  for (const ManifestFile& file : old.files) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const ManifestFile& candidate) {
      return candidate.path == file.path;
    });
    if (same == now.end()) {
      return malformed(folder.string(), fmt::format("{}: frozen, and gone", file.path));
    }
    if (*same != file && set_of(file.path) != "curated") {
      return malformed(folder.string(),
                       fmt::format("{}: frozen with SHA-256 {}, got {}; changed data gets a new "
                                   "source version",
                                   file.path, file.sha256, same->sha256));
    }
  }
  return {};
}

// The registry with new ids, or nothing where there are no curated files.
Result<std::optional<std::string>> new_registry(const fs::path& folder) {
  const fs::path curated = folder / "curated";
  if (!fs::exists(curated)) return std::nullopt;
  const auto files = read_curated(curated);
  if (!files) return tl::make_unexpected(files.error());
  const fs::path path = curated / curated_registry_name;
  std::string old;
  if (fs::exists(path)) {
    auto text = read_text_file(path, max_text_bytes);
    if (!text) return tl::make_unexpected(text.error());
    old = std::move(*text);
  }
  return extended_registry(*files, old, path.string()).map([](std::string text) {
    return std::optional<std::string>(std::move(text));
  });
}

}  // namespace

Result<Freeze> freeze_vectors(const fs::path& folder) {
  Manifest old;
  if (fs::exists(folder / manifest_name)) {
    auto read = read_manifest(folder);
    if (!read) return tl::make_unexpected(read.error());
    old = std::move(*read);
  }
  auto files = list_files(folder);
  if (!files) return tl::make_unexpected(files.error());
  if (auto kept = check_kept(folder, old, *files); !kept) return tl::make_unexpected(kept.error());
  const auto registry = new_registry(folder);
  if (!registry) return tl::make_unexpected(registry.error());
  // What the manifest will say of the registry is known before it is written.
  if (registry->has_value()) {
    const std::string path = fmt::format("curated/{}", curated_registry_name);
    std::erase_if(*files, [&](const ManifestFile& file) { return file.path == path; });
    files->push_back({path, (*registry)->size(), sha256_hex(std::string_view(**registry))});
    std::sort(files->begin(), files->end(),
              [](const ManifestFile& a, const ManifestFile& b) { return a.path < b.path; });
  }
  auto manifest = describe(folder, std::move(*files));
  if (!manifest) return tl::make_unexpected(manifest.error());

  Freeze freeze{std::move(*manifest), {}};
  for (const ManifestFile& file : freeze.manifest.files) {
    if (std::find(old.files.begin(), old.files.end(), file) == old.files.end()) {
      freeze.added.push_back(file.path);
    }
  }
  if (registry->has_value()) {
    auto written = write_text_file(folder / "curated" / curated_registry_name, **registry);
    if (!written) return tl::make_unexpected(written.error());
  }
  auto written = write_text_file(folder / manifest_name, manifest_text(freeze.manifest));
  if (!written) return tl::make_unexpected(written.error());
  return freeze;
}

Result<std::vector<std::string>> format_curated(const fs::path& curated_folder) {
  std::vector<std::string> changed;
  for (const std::string& kind : curated_kinds()) {
    const fs::path path = curated_folder / (kind + ".json");
    if (!fs::exists(path)) continue;
    const auto text = read_text_file(path, max_text_bytes);
    if (!text) return tl::make_unexpected(text.error());
    const auto file = curated_file_in_any_layout(*text, path.string());
    if (!file) return tl::make_unexpected(file.error());
    const std::string canonical = curated_text(*file);
    if (canonical == *text) continue;
    if (auto written = write_text_file(path, canonical); !written) {
      return tl::make_unexpected(written.error());
    }
    changed.push_back(path.filename().string());
  }
  return changed;
}

}  // namespace harness
