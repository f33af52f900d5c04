#include "harness/results/gate/merge_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/results/verdict/conclusion.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

// What must be the same in all shards, as text by name. Devices are compared by what they are and
// not which one: the driver is part of that, serial numbers and memory are not.
std::vector<std::pair<std::string, std::string>> identity(const RunHeader& header) {
  RunHeader common = header;
  common.selection.shard = {};
  const nlohmann::ordered_json json = to_json(common);
  std::vector<std::pair<std::string, std::string>> facts{
      {"suite version", header.suite_version},
      {"suite commit", header.suite_commit},
      {"plan", fmt::format("{} cases, {}", header.plan_total, header.plan_sha256)},
      {"vector manifest", header.vectors_sha256},
      {"number of shards", std::to_string(header.selection.shard.count)}};
  for (const auto& [name, value] : json.at("selection").items()) {
    facts.emplace_back(name, value.dump());
  }
  for (const DeviceInfo& device : header.devices) {
    facts.emplace_back("device " + device.name,
                       fmt::format("{} ({})", device.description, device.architecture));
    // A runtime or a worker that a variable named may be anybody's.
    facts.emplace_back("what named the runtime of " + device.name,
                       device.facts.value("library_named_by", nlohmann::ordered_json()).dump());
  }
  facts.emplace_back("what named the worker",
                     header.environment.value("worker_named_by", nlohmann::ordered_json()).dump());
  for (const ImplementationInfo& info : header.implementations) {
    facts.emplace_back("implementation " + info.key(), to_json(info).dump());
  }
  for (const JudgedProfile& profile : header.profiles) {
    facts.emplace_back("what the profile " + profile.name + " says", profile.sha256);
  }
  return facts;
}

}  // namespace

std::string difference(const NamedResults& first, const NamedResults& other) {
  const auto expected = identity(first.results.header);
  const auto actual = identity(other.results.header);
  const auto find = [](const auto& facts, const std::string& name) -> std::string {
    const auto it = std::find_if(facts.begin(), facts.end(),
                                 [&](const auto& fact) { return fact.first == name; });
    return it == facts.end() ? "none" : it->second;
  };
  for (const auto& facts : {expected, actual}) {
    for (const auto& [name, unused] : facts) {
      const std::string a = find(expected, name);
      const std::string b = find(actual, name);
      if (a != b) {
        return fmt::format("{} and {} differ in {}: {} and {}", first.name, other.name, name, a, b);
      }
    }
  }
  return {};
}

std::vector<CoverageRecord> merge_coverage(std::span<const NamedResults> shards) {
  std::vector<CoverageRecord> merged;
  for (const NamedResults& shard : shards) {
    for (const CoverageRecord& record : shard.results.coverage) {
      const auto it = std::find_if(merged.begin(), merged.end(), [&](const CoverageRecord& row) {
        return row_name(row) == row_name(record);
      });
      if (it == merged.end()) {
        merged.push_back(record);
      } else {
        it->coverage.merge(record.coverage);
      }
    }
  }
  Selection whole = shards.front().results.header.selection;
  whole.shard = {};
  for (CoverageRecord& record : merged) {
    record.judged = judges_coverage(whole);
    // A bin that any shard hit is hit; dense bins may be hit only by all of them together.
    std::erase_if(record.missing_bins,
                  [&](const std::string& bin) { return record.coverage.hit(bin); });
  }
  // A single run states its rows in the order of their first cases.
  std::map<std::string, std::uint64_t> first;
  for (const NamedResults& shard : shards) {
    for (const CaseRecord& record : shard.results.cases) {
      const auto [at, is_new] = first.try_emplace(row_name(record), record.index);
      if (!is_new) at->second = std::min(at->second, record.index);
    }
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [&](const CoverageRecord& a, const CoverageRecord& b) {
                     return first[row_name(a)] < first[row_name(b)];
                   });
  return merged;
}

std::vector<NotRunRecord> merge_not_run(std::span<const NamedResults> shards) {
  std::vector<NotRunRecord> merged;
  std::set<std::string> seen;
  for (const NamedResults& shard : shards) {
    for (const NotRunRecord& record : shard.results.not_run) {
      if (seen.insert(to_json(record).dump()).second) merged.push_back(record);
    }
  }
  return merged;
}

RunHeader merge_headers(std::span<const NamedResults> shards) {
  RunHeader header = shards.front().results.header;
  header.plan_planned = header.plan_total;
  header.selection.shard = {};
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const NamedResults& shard : shards) {
    const RunHeader& part = shard.results.header;
    header.started = std::min(header.started, part.started);
    for (const IdleGpu& gpu : part.idle_gpus) {
      const bool is_known = std::any_of(header.idle_gpus.begin(), header.idle_gpus.end(),
                                        [&](const IdleGpu& known) { return known == gpu; });
      if (!is_known) header.idle_gpus.push_back(gpu);
    }
    nlohmann::ordered_json devices = nlohmann::ordered_json::array();
    for (const DeviceInfo& device : part.devices) devices.push_back(to_json(device));
    parts.push_back({{"index", part.selection.shard.index},
                     {"started", part.started},
                     {"finished", shard.results.end ? shard.results.end->finished : ""},
                     {"environment", part.environment},
                     {"devices", std::move(devices)}});
  }
  header.environment.erase("boards");  // one shard's; each part has its own
  header.environment["shards"] = std::move(parts);
  header.not_run_rows = merge_not_run(shards).size();
  return header;
}

EndRecord merge_ends(std::span<const NamedResults> shards, EndRecord drawn) {
  for (const NamedResults& shard : shards) {
    const EndRecord& end = *shard.results.end;
    keep_stale_waivers(end, drawn);
    drawn.finished = std::max(drawn.finished, end.finished);
    drawn.seconds = std::max(drawn.seconds, end.seconds);
  }
  return drawn;
}

}  // namespace harness
