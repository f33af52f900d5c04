#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/results/report/report_data.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

// Mismatches listed in the page: fewer where there are many failures, so that the page of a run in
// which everything fails still opens at once. The results file holds all 64 of each.
std::size_t max_listed(std::size_t failures) {
  return failures <= 200 ? 16 : failures <= 2000 ? 8 : 2;
}

// Each distinct map once: thousands of failures of one fault share a few pictures.
class Maps {
 public:
  // The index of `map`, -1 for none.
  int add(const WrongMap& map) {
    if (map.empty()) return -1;
    Json json = to_json(map);
    const auto [it, is_new] = index_.try_emplace(json.dump(), static_cast<int>(list_.size()));
    if (is_new) list_.push_back(std::move(json));
    return it->second;
  }
  Json take() { return std::move(list_); }

 private:
  std::map<std::string, int> index_;
  Json list_ = Json::array();
};

// Which failures a page holds: more of them would take minutes to open, and show nothing else.
class Selector {
 public:
  bool takes(const CaseRecord& record) {
    constexpr std::size_t most = 5000;
    constexpr std::size_t of_each_kind = 20;
    const std::string kind =
        fmt::format("{} {} {}", status_of(record), record.diagnosis.fault_class, row_name(record));
    const bool takes = taken_ < most || ++kinds_[kind] <= of_each_kind;
    taken_ += takes ? 1 : 0;
    return takes;
  }

 private:
  std::size_t taken_ = 0;
  std::map<std::string, std::size_t> kinds_;  // behind the first
};

Json mismatch_json(const Mismatch& mismatch) {
  return {{"tensor", mismatch.tensor},
          {"byte", mismatch.byte},
          {"expected", mismatch.expected},
          {"actual", mismatch.actual},
          {"site", mismatch.site}};
}

Json detail_json(const CaseRecord& record, std::size_t listed, Maps& maps) {
  const Diagnosis& diagnosis = record.diagnosis;
  Json first = Json::array();
  for (std::size_t i = 0; i < std::min(listed, diagnosis.first.size()); ++i) {
    first.push_back(mismatch_json(diagnosis.first[i]));
  }
  Json trespasses = Json::array();
  for (const Trespass& trespass : record.trespasses) {
    trespasses.push_back({{"tensor", trespass.tensor},
                          {"region", trespass.region},
                          {"byte", trespass.byte},
                          {"expected", trespass.expected},
                          {"actual", trespass.actual},
                          {"count", trespass.count}});
  }
  return {{"explanation", diagnosis.explanation},
          {"same_bytes_classes", diagnosis.same_bytes_classes},
          {"matching_profile", diagnosis.matching_profile},
          {"mismatches", diagnosis.mismatches},
          {"map", maps.add(diagnosis.wrong_map)},
          {"first", std::move(first)},
          {"trespasses", std::move(trespasses)}};
}

// The counts of all pairs, scale-major, and at how many each place of a scale block was hit. Empty
// where the operation counts no pairs.
void add_pairs(const Coverage& coverage, Json& json) {
  json["bins"] = coverage.bins();
  json["pairs"] = Json::array();
  json["places"] = Json::array();
  if (coverage.pairs_hit() == 0) return;
  for (unsigned scale = 0; scale < 256; ++scale) {
    for (unsigned code = 0; code < 16; ++code) {
      json["pairs"].push_back(
          coverage.pair(static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(scale)));
    }
  }
  unsigned places = 32;
  while (places > 0 && coverage.pairs_hit_at(places - 1) == 0) --places;
  for (unsigned place = 0; place < places; ++place) {
    json["places"].push_back(coverage.pairs_hit_at(place));
  }
}

}  // namespace

Json page_data(const ConcludedRun& run) {
  const ResultsFile& results = run.results;
  Json json = common_data(run);
  json["seed"] = std::to_string(results.header.selection.seed);  // a script's numbers end at 2^53
  const auto failed = static_cast<std::size_t>(
      std::count_if(results.cases.begin(), results.cases.end(),
                    [](const CaseRecord& each) { return each.verdict != Verdict::pass; }));
  const std::size_t listed = max_listed(failed);
  Maps maps;
  Selector selector;
  for (const CaseRecord& record : results.cases) {
    if (record.verdict == Verdict::pass || !selector.takes(record)) continue;
    json["failures"].push_back(failure_data(record));
    json["failures"].back().update(detail_json(record, listed, maps));
  }
  json["failures_left_out"] = failed - json["failures"].size();
  json["maps"] = maps.take();
  for (std::size_t row = 0; row < results.coverage.size(); ++row) {
    add_pairs(results.coverage[row].coverage, json["coverage"][row]);
  }
  return json;
}

}  // namespace harness
