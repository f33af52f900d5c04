#include <fmt/format.h>

#include <map>

#include "harness/files/malformed.hpp"
#include "harness/files/sha256.hpp"
#include "vectors/src/curated.hpp"

namespace harness {
namespace {

// Walks the registry's lines. Gives the vectors that it does not have, in the order of the files.
Result<std::vector<const CuratedVector*>> unregistered(const std::vector<CuratedFile>& files,
                                                       std::string_view registry,
                                                       std::string_view source) {
  std::map<std::string, const CuratedVector*, std::less<>> open;
  for (const CuratedFile& file : files) {
    for (const CuratedVector& vector : file.vectors) open[vector.id] = &vector;
  }
  std::size_t line_number = 0;
  while (!registry.empty()) {
    ++line_number;
    const auto end = registry.find('\n');
    if (end == std::string_view::npos) {
      return malformed(source, fmt::format("line {}: expected a line end", line_number));
    }
    const std::string_view line = registry.substr(0, end);
    registry.remove_prefix(end + 1);
    const std::string id(line.substr(0, line.find(' ')));
    const auto vector = open.find(id);
    if (vector == open.end()) {
      return malformed(source, fmt::format("line {}: id {} was issued once and must stay; no "
                                           "vector has it, or it stands here twice",
                                           line_number, id));
    }
    if (const std::string now = curated_registry_line(*vector->second); now != line) {
      return malformed(source, fmt::format("line {}: expected \"{}\", got \"{}\": the inputs or "
                                           "expected bits of an issued vector changed",
                                           line_number, line, now));
    }
    open.erase(vector);
  }
  std::vector<const CuratedVector*> rest;
  for (const CuratedFile& file : files) {
    for (const CuratedVector& vector : file.vectors) {
      if (open.contains(vector.id)) rest.push_back(&vector);
    }
  }
  return rest;
}

}  // namespace

std::string curated_registry_line(const CuratedVector& vector) {
  const std::string bits = vector.inputs.dump() + "\n" + vector.expected.dump();
  return fmt::format("{} {}", vector.id, sha256_hex(std::string_view(bits)).substr(0, 16));
}

Result<void> check_registry(const std::vector<CuratedFile>& files, std::string_view registry,
                            std::string_view source) {
  const auto rest = unregistered(files, registry, source);
  if (!rest) return tl::make_unexpected(rest.error());
  if (rest->empty()) return {};
  return malformed(source, fmt::format("id {} is not entered; `fp4cts vectors freeze` does it",
                                       rest->front()->id));
}

Result<std::string> extended_registry(const std::vector<CuratedFile>& files,
                                      std::string_view registry, std::string_view source) {
  return unregistered(files, registry, source).map([&](const auto& rest) {
    std::string text(registry);
    for (const CuratedVector* vector : rest) text += curated_registry_line(*vector) + "\n";
    return text;
  });
}

}  // namespace harness
