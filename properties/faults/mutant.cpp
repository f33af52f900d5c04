#include "properties/faults/mutant.hpp"

#include <memory>

#include "properties/faults/page_sites.hpp"
#include "properties/faults/unlisted_faults.hpp"

namespace properties {

std::vector<Mutant> page_mutants() {
  std::vector<Mutant> all;
  for (const auto more : {address_mutants, value_mutants, store_mutants}) {
    for (Mutant& mutant : more()) all.push_back(std::move(mutant));
  }
  return all;
}

std::vector<Mutant> unlisted_mutants() {
  std::vector<Mutant> all;
  for (const auto more : {arithmetic_faults, layout_faults, gather_faults, blind_faults}) {
    for (Fault& fault : more()) {
      const auto kept = std::make_shared<Fault>(std::move(fault));
      Mutant mutant{std::string(kept->name), kept->operation, kept->truths, {}};
      mutant.spoil = [kept](const harness::Problem& call, harness::Outputs& outputs) {
        Spoiled spoiled(*harness::operation_named(kept->operation), *kept);
        outputs = spoiled.execute(call)->outputs;
      };
      all.push_back(std::move(mutant));
    }
  }
  return all;
}

MutantImplementation::MutantImplementation(const harness::Operation& operation,
                                           const Mutant& mutant)
    : operation_(operation), mutant_(mutant) {
  info_.operation = operation.name();
  info_.path = mutant.name;
  info_.device = "cpu";
}

harness::Result<harness::Execution> MutantImplementation::execute(const harness::Problem& problem) {
  for (std::size_t call = 0; prepared_ != nullptr && call < prepared_->calls().size(); ++call) {
    if (&prepared_->calls()[call] != &problem) continue;
    harness::Outputs outputs = prepared_->expected(call);
    mutant_.spoil(problem, outputs);
    return harness::Execution{std::move(outputs), {}, 1e-6};
  }
  return oracle::fail(harness::ErrorCode::invalid_argument, "no call of the case that was given");
}

}  // namespace properties
