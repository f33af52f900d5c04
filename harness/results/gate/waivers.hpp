// Waivers: known failures that somebody owns and that end on a date (schema:
// harness/schema/waivers.schema.json). A waived failure is never counted as passed; a waiver that
// has expired, or whose case passes, fails the run, so that the list can only shrink.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/records/results_file.hpp"

namespace harness {

// The scope is the conjunction of its globs (fnmatch: * ? [...]).
struct Waiver {
  std::vector<std::string> cases;  // on case ids, at least one
  std::string operation = "*";
  std::string path = "*";
  std::string device = "*";   // on its name, its architecture or its description
  std::string driver = "*";   // on the device's "driver" fact
  std::string profile = "*";  // on the profile that the case was judged by
  std::vector<Verdict> verdicts{Verdict::mismatch};  // mismatch, error
  std::string fault_class;                           // empty: any
  std::string tracker;                               // a link
  std::string owner;
  std::string expires;  // the last day it holds, "2026-12-31"
  std::string comment;

  // "nvfp4_gather_index_k/stride_* on cuda:0": the parts that are not *, for a person.
  std::string scope() const;
};

// Error: the file and the member that is wrong.
Result<std::vector<Waiver>> read_waivers(const std::string& path);
Result<std::vector<Waiver>> waivers_from_json(const nlohmann::json& json, std::string_view source);

// What one waiver did in a run.
struct WaiverUse {
  Waiver waiver;
  bool expired = false;
  std::uint64_t covers = 0;                    // failures
  std::vector<std::string> unexpected_passes;  // keys of passing cases in its scope
};

// Applies waivers to the records of one run, one by one as they come.
class WaiverBook {
 public:
  // `header` states the devices, implementations and profile of the records. `today` is
  // "2026-11-29"; a waiver that has expired covers nothing.
  WaiverBook(const std::vector<Waiver>& waivers, const RunHeader& header, std::string_view today);

  // Sets the record's `waiver` to the tracker of the first waiver that covers it, or to nothing.
  // What was not run is never waived.
  void apply(CaseRecord& record);

  const std::vector<WaiverUse>& uses() const { return uses_; }

 private:
  std::vector<DeviceInfo> devices_;
  std::vector<ImplementationInfo> implementations_;
  std::string profile_;
  std::vector<WaiverUse> uses_;
};

// The same for all records of a results file.
std::vector<WaiverUse> apply_waivers(ResultsFile& results, const std::vector<Waiver>& waivers,
                                     std::string_view today);

// Why the waivers fail the run, one line each: expired, or a case in their scope passes.
std::vector<std::string> waiver_faults(std::span<const WaiverUse> uses);

}  // namespace harness
