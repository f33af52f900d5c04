// Curated vectors: single cases from public reports, kept as data with the right value only. Each
// has a stable id, a comment, explained flags (its fault class first), sources, inputs, and the
// expected bits in hex (schema: vectors/schema/curated.schema.json). They were not made by the
// oracle; `curated_answer` is asked whether it agrees.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

struct CuratedVector {
  std::string id;  // "A01.1": unique in all files, never reused
  std::string comment;
  std::vector<std::string> flags;
  std::vector<std::string> sources;  // "owner/repository#number"
  nlohmann::json inputs;
  nlohmann::json expected;
};

struct CuratedFile {
  std::string kind;  // the file's name without ".json"
  std::string comment;
  std::map<std::string, std::string> flags;  // each with its explanation
  std::vector<CuratedVector> vectors;
};

// Canonical text: members in the schema's order, one vector member a line.
std::string curated_text(const CuratedFile& file);
// Reads any layout of the text; `curated_file_from` alone also demands the canonical one. Error:
// malformed, with the vector's place: not the schema, an id that repeats, a flag without
// explanation or an explanation without use, a count that is not the number of vectors.
Result<CuratedFile> curated_file_in_any_layout(std::string_view text, std::string_view source);
Result<CuratedFile> curated_file_from(std::string_view text, std::string_view source);

// The kinds of vectors, by file name.
std::vector<std::string> curated_kinds();
// What the oracle answers to the inputs of a vector of that kind, in the form of its `expected`.
// Error: unknown_name for the kind, malformed for inputs that are not of that kind.
Result<nlohmann::json> curated_answer(std::string_view kind, const CuratedVector& vector);

// All curated files of a folder. Error: as above, or an id that two files share.
Result<std::vector<CuratedFile>> read_curated(const std::filesystem::path& folder);

// The ids ever issued, one a line, "ID DIGEST", in the order of their issue; DIGEST is the first 16
// digits of the SHA-256 of inputs and expected bits. What stands there stays: the lint refuses an
// id that is gone, changed, out of order or not entered.
inline constexpr std::string_view curated_registry_name = "ids.txt";
std::string curated_registry_line(const CuratedVector& vector);
Result<void> check_registry(const std::vector<CuratedFile>& files, std::string_view registry,
                            std::string_view source);
// The registry with lines for new ids after those it has. Error: as check_registry for the old
// ones.
Result<std::string> extended_registry(const std::vector<CuratedFile>& files,
                                      std::string_view registry, std::string_view source);

}  // namespace harness
