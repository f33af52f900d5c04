#include "harness/files/sha256.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/results/statement/statement.hpp"
#include "harness/results/statement/ustar.hpp"

namespace harness::hostile {
namespace {

// Entries of a text that separates them by "\n=== NAME\n".
std::vector<ArchiveEntry> entries_of(std::string_view text) {
  constexpr std::string_view mark = "\n=== ";
  std::vector<ArchiveEntry> entries;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view entry = text.substr(0, end);
    const std::size_t line = std::min(entry.find('\n'), entry.size());
    entries.push_back({std::string(entry.substr(0, line)),
                       std::string(entry.substr(std::min(line + 1, entry.size())))});
    text.remove_prefix(std::min(end + mark.size(), text.size()));
  }
  return entries;
}

// States the digests that the entries have, so that hostile contents get past the first checks:
// the list in statement.json where there is one, and SHA256SUMS.
void restate_digests(std::vector<ArchiveEntry>& entries) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const ArchiveEntry& entry : entries) {
    if (entry.name == "statement.json") continue;
    files.push_back({{"name", entry.name},
                     {"bytes", entry.bytes.size()},
                     {"sha256", sha256_hex(std::string_view(entry.bytes))}});
  }
  std::string sums;
  for (ArchiveEntry& entry : entries) {
    auto statement = parse_ordered_json(entry.bytes, entry.name);
    if (entry.name == "statement.json" && statement && statement->contains("files")) {
      (*statement)["files"] = files;
      entry.bytes = statement->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    sums += fmt::format("{}  {}\n", sha256_hex(std::string_view(entry.bytes)), entry.name);
  }
  entries.push_back({"SHA256SUMS", sums});
}

}  // namespace

// Bytes that are read as an archive are the ones that writing its entries gives. The same bytes are
// also taken for a text of entries, and a statement with right digests is made of them.
void hostile_archive(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  if (const auto entries = read_ustar(text); accepted(entries, "archive: ")) {
    law(must(write_ustar(*entries), "entries that were read") == text, "an archive has one form");
  }
  accepted(verify_statement(text, {}), "");
  std::vector<ArchiveEntry> entries = entries_of(text);
  restate_digests(entries);
  const auto archive = write_ustar(entries);
  if (!accepted(archive, "archive: ")) return;
  law(must(read_ustar(*archive), "an archive that was written") == entries,
      "an archive reads back equal");
  accepted(verify_statement(*archive, {}), "");
}

}  // namespace harness::hostile
