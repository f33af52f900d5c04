#include <fmt/format.h>

#include <algorithm>

#include "harness/files/strict_json.hpp"
#include "harness/results/statement/run_facts.hpp"
#include "harness/results/statement/statement.hpp"
#include "harness/results/statement/ustar.hpp"

namespace harness {
namespace {

using Entries = std::vector<ArchiveEntry>;

tl::unexpected<Error> broken(std::string message) {
  return oracle::fail(ErrorCode::malformed, "statement: " + std::move(message));
}

const ArchiveEntry* find(const Entries& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const ArchiveEntry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

// The first member in which two JSON values differ, with both values.
std::string first_difference(const nlohmann::json& said, const nlohmann::json& follows,
                             const std::string& place) {
  if (said == follows) return {};
  if (said.is_object() && follows.is_object()) {
    for (const auto& [key, value] : follows.items()) {
      const nlohmann::json other = said.value(key, nlohmann::json());
      std::string difference = first_difference(other, value, place + '/' + key);
      if (!difference.empty()) return difference;
    }
    for (const auto& [key, value] : said.items()) {
      if (!follows.contains(key))
        return fmt::format("{}/{} does not follow from the records", place, key);
    }
  }
  if (said.is_array() && follows.is_array() && said.size() == follows.size()) {
    for (std::size_t i = 0; i < said.size(); ++i) {
      std::string difference =
          first_difference(said[i], follows[i], fmt::format("{}/{}", place, i));
      if (!difference.empty()) return difference;
    }
  }
  return fmt::format("{} is {}, and by the records it is {}", place, said.dump(), follows.dump());
}

// Where an archive differs from the one that its records give.
std::string difference(const Entries& said, const Entries& follows) {
  for (const ArchiveEntry& entry : said) {
    if (find(follows, entry.name) == nullptr) {
      return fmt::format("{} is no part of a statement of these records", entry.name);
    }
  }
  // The list and the digests differ wherever a file does: the file says more.
  for (const ArchiveEntry& entry : follows) {
    const ArchiveEntry* const other = find(said, entry.name);
    if (other == nullptr) return fmt::format("{} is missing", entry.name);
    if (entry.name == "statement.json" || entry.name == "SHA256SUMS") continue;
    if (other->bytes != entry.bytes) {
      return fmt::format("{} is not what the records give", entry.name);
    }
  }
  const auto text = [](const Entries& entries) {
    return parse_json(find(entries, "statement.json")->bytes, "statement.json");
  };
  const Result<nlohmann::json> read = text(said);
  if (!read) return read.error().message;
  std::string member = first_difference(*read, *text(follows), "statement.json: ");
  return member.empty() ? "SHA256SUMS, the order of its files or their form is not that of a "
                          "statement of these records"
                        : member;
}

}  // namespace

Result<nlohmann::ordered_json> verify_statement(std::string_view archive,
                                                const SuiteKnowledge& knowledge,
                                                std::vector<std::string>* notes) {
  const Result<Entries> entries = read_ustar(archive);
  if (!entries) return tl::make_unexpected(entries.error());
  std::vector<ResultsText> results;
  while (true) {
    const std::string name = fmt::format("run-{}/results.jsonl", results.size() + 1);
    const ArchiveEntry* const entry = find(*entries, name);
    if (entry == nullptr) break;
    results.push_back({name, entry->bytes});
  }
  if (results.empty()) return broken("run-1/results.jsonl is missing");
  std::optional<std::string> manifest;
  if (const ArchiveEntry* entry = find(*entries, "vectors/MANIFEST.json"); entry != nullptr) {
    manifest = entry->bytes;
  }
  const Result<std::string> again = make_statement(results, manifest, knowledge, notes);
  if (!again) return tl::make_unexpected(again.error());
  const Result<Entries> follows = read_ustar(*again);
  if (!follows) return tl::make_unexpected(follows.error());
  if (*again != archive) return broken(difference(*entries, *follows));
  return parse_ordered_json(find(*entries, "statement.json")->bytes, "statement.json");
}

}  // namespace harness
