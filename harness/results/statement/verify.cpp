#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/files/sha256.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/results/statement/run_facts.hpp"
#include "harness/results/statement/statement.hpp"
#include "harness/results/statement/ustar.hpp"

namespace harness {
namespace {

using Files = std::map<std::string, std::string>;  // content by name

tl::unexpected<Error> broken(std::string message) {
  return oracle::fail(ErrorCode::malformed, "statement: " + std::move(message));
}

// Every file but SHA256SUMS, each with its digest, in the archive's order.
std::string sums_of(const std::vector<ArchiveEntry>& entries) {
  std::string sums;
  for (const ArchiveEntry& entry : entries) {
    if (entry.name == "SHA256SUMS") continue;
    sums += fmt::format("{}  {}\n", sha256_hex(entry.bytes), entry.name);
  }
  return sums;
}

// statement.json names every file but itself and SHA256SUMS, with its size and digest.
Status check_files(const nlohmann::ordered_json& statement, const Files& files) {
  const auto list = statement.find("files");
  if (list == statement.end() || !list->is_array()) return broken("it lists no files");
  if (list->size() + 2 != files.size()) {
    return broken(fmt::format("it lists {} files, and the archive has {} beside its lists",
                              list->size(), files.size() - 2));
  }
  for (const nlohmann::ordered_json& item : *list) {
    const auto name = item.find("name");
    const auto found = name != item.end() && name->is_string()
                           ? files.find(name->get<std::string>())
                           : files.end();
    if (found == files.end()) return broken("it lists a file that is not there: " + item.dump());
    const nlohmann::ordered_json actual{{"name", found->first},
                                        {"bytes", found->second.size()},
                                        {"sha256", sha256_hex(found->second)}};
    if (item != actual) {
      return broken(fmt::format("expected {}, got {}", item.dump(), actual.dump()));
    }
  }
  return {};
}

// The verdict follows from the records, and statement.json says of them what they say.
Status check_run(const nlohmann::ordered_json& stated, const Files& files) {
  const auto folder = stated.find("folder");
  const auto facts = stated.find("facts");
  if (folder == stated.end() || !folder->is_string() || facts == stated.end()) {
    return broken("a run has no folder or no facts");
  }
  const std::string name = folder->get<std::string>() + "/results.jsonl";
  const auto results = files.find(name);
  if (results == files.end()) return broken(name + " is missing");
  const Result<StatedRun> run = stated_run(name, results->second);
  if (!run) return broken(run.error().message);
  for (const auto& [key, value] : run->facts.items()) {
    const auto said = facts->find(key);
    if (said == facts->end() || *said != value) {
      return broken(fmt::format("{}: the records say {} is {}, statement.json {}", name, key,
                                value.dump(), said == facts->end() ? "nothing" : said->dump()));
    }
  }
  const std::string vectors = run->results.header.vectors_sha256;
  const auto manifest = files.find("vectors/MANIFEST.json");
  const std::string actual = manifest == files.end() ? std::string() : sha256_hex(manifest->second);
  if (vectors != actual) {
    return broken(fmt::format("{}: the run had the vector manifest {}, the archive has {}", name,
                              vectors.empty() ? "none" : vectors,
                              actual.empty() ? "none" : actual));
  }
  return {};
}

}  // namespace

Result<nlohmann::ordered_json> verify_statement(std::string_view archive) {
  const Result<std::vector<ArchiveEntry>> entries = read_ustar(archive);
  if (!entries) return tl::make_unexpected(entries.error());
  Files files;
  for (const ArchiveEntry& entry : *entries) files.emplace(entry.name, entry.bytes);
  for (const char* name : {"statement.json", "SHA256SUMS"}) {
    if (!files.contains(name)) return broken(std::string(name) + " is missing");
  }
  if (files.at("SHA256SUMS") != sums_of(*entries)) {
    return broken("SHA256SUMS does not agree with the files of the archive");
  }
  Result<nlohmann::ordered_json> statement =
      parse_ordered_json(files.at("statement.json"), "statement.json");
  if (!statement) return statement;
  if (!statement->is_object() || statement->value("schema", nlohmann::ordered_json()) != 1 ||
      statement->value("verdict", nlohmann::ordered_json()) != "CONFORMS") {
    return broken("statement.json is no statement of schema 1 with the verdict CONFORMS");
  }
  if (Status status = check_files(*statement, files); !status) {
    return tl::make_unexpected(status.error());
  }
  const auto runs = statement->find("runs");
  if (runs == statement->end() || !runs->is_array() || runs->empty()) {
    return broken("it states no run");
  }
  for (const nlohmann::ordered_json& run : *runs) {
    if (Status status = check_run(run, files); !status) return tl::make_unexpected(status.error());
  }
  const auto recorded = std::count_if(files.begin(), files.end(), [](const auto& file) {
    return file.first.ends_with("/results.jsonl");
  });
  if (static_cast<std::size_t>(recorded) != runs->size()) {
    return broken(fmt::format("it states {} runs, and the archive has {}", runs->size(), recorded));
  }
  return statement;
}

}  // namespace harness
