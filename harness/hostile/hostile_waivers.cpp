#include "harness/files/strict_json.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/results/gate/waivers.hpp"

namespace harness::hostile {
namespace {

ResultsFile some_results() {
  ResultsFile results;
  results.header.selection.profile = "ocp";
  DeviceInfo device;
  device.name = "cuda:0";
  device.architecture = "9.0";
  device.description = "a device";
  device.facts = {{"driver", "580.82"}};
  results.header.devices = {device};
  for (const Verdict verdict :
       {Verdict::pass, Verdict::mismatch, Verdict::error, Verdict::not_run}) {
    CaseRecord record;
    record.case_id = "nvfp4_gather_index_k/exhaustive_page";
    record.operation = "nvfp4_gather_index_k";
    record.path = "fp32";
    record.device = "cuda:0";
    record.verdict = verdict;
    results.cases.push_back(record);
  }
  return results;
}

}  // namespace

// Any globs can be asked of any record. A waiver never covers what passes or was not run, and one
// that has expired covers nothing.
void hostile_waivers(Bytes bytes) {
  const auto json = parse_json(text_of(bytes), source);
  if (!accepted(json)) return;
  const auto waivers = waivers_from_json(*json, source);
  if (!accepted(waivers)) return;
  for (const std::string_view today : {"0001-01-01", "2026-11-29", "9999-12-31"}) {
    ResultsFile results = some_results();
    const std::vector<WaiverUse> uses = apply_waivers(results, *waivers, today);
    law(uses.size() == waivers->size(), "every waiver is accounted for");
    for (const CaseRecord& record : results.cases) {
      const bool failed = record.verdict == Verdict::mismatch || record.verdict == Verdict::error;
      law(record.waiver.empty() || failed, "only failures are waived");
    }
    for (const WaiverUse& use : uses) {
      law(!use.expired || (use.covers == 0 && use.unexpected_passes.empty()),
          "an expired waiver covers nothing");
      law(use.expired == (use.waiver.expires < today), "a waiver holds on its last day");
      law(!use.waiver.scope().empty(), "a scope has words");
    }
    for (const std::string& fault : waiver_faults(uses)) law(!fault.empty(), "a fault has words");
  }
}

}  // namespace harness::hostile
