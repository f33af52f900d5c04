// The plan of a run: which case runs on which implementation, in which order. The same suite,
// selection and implementations give the same plan on every machine, and its shards are disjoint
// and together all of it.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

// The device that is slow, and no processor: it runs where it is asked for by its name, and is no
// GPU that was required.
inline constexpr std::string_view interpreter = "ptx";

// Whether a list of names selects a device: by its own, by its kind ("cuda" is every CUDA GPU), by
// "all"; an empty list selects every one.
bool selects_device(const std::vector<std::string>& names, const std::string& device);
// Whether a name is one of several devices: "all", "cuda", "hip".
bool names_many_devices(std::string_view name);

// Shell globs (`*`, `?`, `[...]`); `*` matches `/` too. Without one of these a pattern is a name.
bool is_glob(std::string_view pattern);
bool glob_matches(const std::string& pattern, const std::string& text);
// Whether one of the patterns matches, or there is none.
bool selected(const std::vector<std::string>& patterns, const std::string& text);

struct PlannedCase {
  std::uint64_t index = 0;         // in the plan of all shards
  std::size_t case_index = 0;      // in Plan::cases
  std::size_t implementation = 0;  // in the implementations that the plan was made from
  std::string key;                 // CaseRecord::key()
};

struct Plan {
  std::vector<Case> cases;                // those that match, whichever shard they fall in
  std::vector<std::string> case_sha256;   // of each case's spec
  std::vector<PlannedCase> planned;       // this shard's, by index: case by case
  std::uint64_t total = 0;                // of all shards
  std::string sha256;                     // of "key case_sha256\n" of all shards
  std::set<std::size_t> implementations;  // that it uses, of all shards
  std::vector<NotRunRecord> not_run;      // implementations that match and are not available
  std::vector<std::string> idle_filters;  // that no planned case of any shard matches
};

// Error: unknown_name for an operation or path that is not a glob and that nothing has, with the
// valid choices; out_of_range for a shard that is not one. `paths` are all that the suite knows,
// those of devices that are not here too.
Status check_selection(std::span<const Operation* const> operations,
                       const std::set<std::string>& paths, const Selection& selection);

// A checked selection that matches nothing is a plan of no cases. Error: invalid_argument for two
// cases or implementations of one name, which would hide each other in the results.
Result<Plan> make_plan(std::span<const Operation* const> operations,
                       std::span<const ImplementationInfo> implementations,
                       const Selection& selection);

}  // namespace harness
