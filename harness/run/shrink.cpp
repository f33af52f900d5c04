#include "harness/run/shrink.hpp"

#include <chrono>
#include <utility>

#include "harness/run/judge.hpp"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

class Shrinking {
 public:
  Shrinking(const Operation& operation, const oracle::Profile& profile,
            Implementation& implementation, const ShrinkBudget& budget)
      : operation_(operation),
        profile_(profile),
        implementation_(implementation),
        budget_(budget) {}

  Shrunk run(const Case& from, CaseRecord record) {
    Shrunk shrunk{from.spec, std::move(record), 0, false};
    while (narrow(from, shrunk)) {
    }
    return shrunk;
  }

 private:
  bool spent() const {
    const std::chrono::duration<double> passed = Clock::now() - start_;
    return passed.count() >= budget_.seconds ||
           (budget_.interrupted != nullptr && *budget_.interrupted);
  }

  // One step: true where a smaller spec fails in the same way.
  bool narrow(const Case& from, Shrunk& shrunk) {
    for (nlohmann::json& spec : operation_.smaller_specs(shrunk.spec)) {
      if (spent()) return false;
      Case smaller = from;
      smaller.spec = std::move(spec);
      Result<PreparedCase> prepared = PreparedCase::make(operation_, smaller, profile_);
      if (!prepared) continue;  // a proposal outside of the contract
      ++shrunk.tried;
      CaseRecord record = judge(operation_, profile_, *prepared, implementation_);
      if (record.verdict != shrunk.record.verdict) continue;
      if (budget_.interrupted != nullptr && *budget_.interrupted) return false;
      shrunk.spec = std::move(smaller.spec);
      shrunk.record = std::move(record);
      return true;
    }
    shrunk.smallest = true;
    return false;
  }

  const Operation& operation_;
  const oracle::Profile& profile_;
  Implementation& implementation_;
  const ShrinkBudget& budget_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Shrunk shrink(const Operation& operation, const oracle::Profile& profile,
              Implementation& implementation, const Case& from, CaseRecord record,
              const ShrinkBudget& budget) {
  return Shrinking(operation, profile, implementation, budget).run(from, std::move(record));
}

}  // namespace harness
