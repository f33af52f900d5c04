#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/files/file.hpp"
#include "harness/files/malformed.hpp"
#include "harness/files/strict_json.hpp"
#include "vectors/src/curated.hpp"
#include "vectors/src/manifest.hpp"

namespace harness {
namespace {

constexpr std::string_view curated_schema = "fp4cts curated vectors 1";
constexpr std::uint64_t max_file_bytes = std::uint64_t{16} << 20;

std::vector<std::string> strings(JsonObject& object, const char* key, std::size_t at_least) {
  std::vector<std::string> values;
  const nlohmann::json& array = object.value(key);
  bool good = array.is_array() && array.size() >= at_least;
  for (std::size_t i = 0; good && i < array.size(); ++i) {
    good = array[i].is_string() && !array[i].get_ref<const std::string&>().empty();
    if (good) values.push_back(array[i].get<std::string>());
  }
  if (!good) object.fault(key, fmt::format("expected an array of at least {} strings", at_least));
  return values;
}

// "A01" or "A01.12". By hand: std::regex recurses once a character.
bool is_id(std::string_view text) {
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (text.size() < 3 || text[0] < 'A' || text[0] > 'Z' || !digits(text.substr(1, 2))) return false;
  return text.size() == 3 || (text[3] == '.' && digits(text.substr(4)));
}

Result<CuratedVector> vector_from(const nlohmann::json& json, const std::string& place) {
  JsonObject object(json, place);
  CuratedVector vector;
  vector.id = object.text("id");
  vector.comment = object.text("comment");
  vector.flags = strings(object, "flags", 1);
  vector.sources = strings(object, "sources", 0);
  vector.inputs = object.value("inputs");
  vector.expected = object.value("expected");
  if (!is_id(vector.id)) {
    object.fault("id", fmt::format("expected a group letter, two digits and perhaps a number, "
                                   "got \"{}\"",
                                   vector.id));
  }
  if (vector.comment.empty()) object.fault("comment", "expected one line of text, got none");
  if (!vector.inputs.is_object()) object.fault("inputs", "expected an object");
  if (!vector.expected.is_object()) object.fault("expected", "expected an object");
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());
  return vector;
}

Result<std::map<std::string, std::string>> flags_from(const nlohmann::json& json,
                                                      const std::string& place) {
  JsonObject object(json, place);
  std::map<std::string, std::string> flags;
  if (json.is_object()) {
    for (const auto& [flag, unused] : json.items()) flags[flag] = object.text(flag.c_str());
  }
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());
  return flags;
}

Result<void> check_names(const CuratedFile& file, std::string_view source) {
  std::set<std::string> ids;
  std::set<std::string> used;
  for (const CuratedVector& vector : file.vectors) {
    if (!ids.insert(vector.id).second) {
      return malformed(source, fmt::format("id {} repeats", vector.id));
    }
    for (const std::string& flag : vector.flags) {
      if (!file.flags.contains(flag)) {
        return malformed(source, fmt::format("{}: flag \"{}\" is not explained", vector.id, flag));
      }
      used.insert(flag);
    }
  }
  for (const auto& [flag, text] : file.flags) {
    if (!used.contains(flag)) {
      return malformed(source, fmt::format("flag \"{}\": explained, and used by no vector", flag));
    }
  }
  return {};
}

}  // namespace

std::string curated_text(const CuratedFile& file) {
  const auto quoted = [](const auto& value) { return nlohmann::json(value).dump(); };
  std::string text = "{\n";
  text += fmt::format(" \"schema\": {},\n", quoted(curated_schema));
  text += fmt::format(" \"source\": {},\n", quoted(vector_source));
  text += fmt::format(" \"kind\": {},\n", quoted(file.kind));
  text += fmt::format(" \"comment\": {},\n", quoted(file.comment));
  text += " \"flags\": {";
  const char* separator = "\n";
  for (const auto& [flag, explanation] : file.flags) {
    text += fmt::format("{}  {}: {}", separator, quoted(flag), quoted(explanation));
    separator = ",\n";
  }
  text += fmt::format("\n }},\n \"count\": {},\n \"vectors\": [", file.vectors.size());
  separator = "\n";
  for (const CuratedVector& vector : file.vectors) {
    text += fmt::format("{}  {{\"id\": {},\n", separator, quoted(vector.id));
    text += fmt::format("   \"comment\": {},\n", quoted(vector.comment));
    text += fmt::format("   \"flags\": {},\n", quoted(vector.flags));
    text += fmt::format("   \"sources\": {},\n", quoted(vector.sources));
    text += fmt::format("   \"inputs\": {},\n", vector.inputs.dump());
    text += fmt::format("   \"expected\": {}}}", vector.expected.dump());
    separator = ",\n";
  }
  return text + "\n ]\n}\n";
}

Result<CuratedFile> curated_file_in_any_layout(std::string_view text, std::string_view source) {
  const auto json = parse_json(text, source);
  if (!json) return tl::make_unexpected(json.error());
  JsonObject object(*json, std::string(source));
  const std::string schema = object.text("schema");
  const std::string vectors_source = object.text("source");
  CuratedFile file;
  file.kind = object.text("kind");
  file.comment = object.text("comment");
  const nlohmann::json& flags_json = object.value("flags");
  const std::int64_t count = object.integer("count", 0, INT32_MAX);
  const nlohmann::json& vectors_json = object.value("vectors");
  if (schema != curated_schema) {
    object.fault("schema", fmt::format("expected \"{}\", got \"{}\"", curated_schema, schema));
  }
  if (vectors_source != vector_source) {
    object.fault("source",
                 fmt::format("expected \"{}\", got \"{}\"", vector_source, vectors_source));
  }
  if (!vectors_json.is_array() || vectors_json.size() != static_cast<std::size_t>(count)) {
    object.fault("vectors", fmt::format("expected an array of the stated {} vectors", count));
  }
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());

  auto flags = flags_from(flags_json, fmt::format("{}: /flags", source));
  if (!flags) return tl::make_unexpected(flags.error());
  file.flags = std::move(*flags);
  for (std::size_t i = 0; i < vectors_json.size(); ++i) {
    auto vector = vector_from(vectors_json[i], fmt::format("{}: /vectors/{}", source, i));
    if (!vector) return tl::make_unexpected(vector.error());
    file.vectors.push_back(std::move(*vector));
  }
  if (auto named = check_names(file, source); !named) return tl::make_unexpected(named.error());
  return file;
}

Result<CuratedFile> curated_file_from(std::string_view text, std::string_view source) {
  auto file = curated_file_in_any_layout(text, source);
  if (file && curated_text(*file) != text) {
    return malformed(source, "expected the canonical layout; `fp4cts vectors fmt` writes it");
  }
  return file;
}

Result<std::vector<CuratedFile>> read_curated(const std::filesystem::path& folder) {
  std::vector<CuratedFile> files;
  std::set<std::string> ids;
  for (const std::string& kind : curated_kinds()) {
    const std::filesystem::path path = folder / (kind + ".json");
    auto file = read_text_file(path, max_file_bytes).and_then([&](const std::string& text) {
      return curated_file_from(text, path.string());
    });
    if (!file) return tl::make_unexpected(file.error());
    if (file->kind != kind) {
      return malformed(path.string(),
                       fmt::format("kind: expected \"{}\", got \"{}\"", kind, file->kind));
    }
    for (const CuratedVector& vector : file->vectors) {
      if (!ids.insert(vector.id).second) {
        return malformed(path.string(), fmt::format("id {} is another file's too", vector.id));
      }
    }
    files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace harness
