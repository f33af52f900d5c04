// Kernels that are wrong in a way which no model of the diagnosis was made from: every change of
// an address, a value or a store at every kind of place. Each states which names would be true of
// it, so that what a diagnosis says of it can be judged.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/run/judge.hpp"

namespace properties {

struct Mutant {
  std::string name;
  std::string_view operation;
  std::vector<std::string_view> truths;  // classes of docs/faults.md; empty: no name is true of it
  // Spoils the right answer of a call.
  std::function<void(const harness::Problem& call, harness::Outputs& outputs)> spoil;
};

std::vector<Mutant> page_mutants();  // of the gathers and the decoder
std::vector<Mutant> row_mutants();   // of qmul4 and encode_e4m3
// The faults of unlisted_faults.hpp.
std::vector<Mutant> unlisted_mutants();

// How GoogleTest prints one.
inline void PrintTo(const Mutant& mutant, std::ostream* os) { *os << mutant.name; }

// An implementation that has the fault and no other. Both arguments outlive it.
class MutantImplementation final : public harness::Implementation {
 public:
  MutantImplementation(const harness::Operation& operation, const Mutant& mutant);
  harness::Result<harness::Execution> execute(const harness::Problem& problem) override;
  // The next problems are calls of this case, whose right answers are known.
  void next(const harness::PreparedCase& prepared) { prepared_ = &prepared; }

 private:
  const harness::Operation& operation_;
  const Mutant& mutant_;
  const harness::PreparedCase* prepared_ = nullptr;
};

}  // namespace properties
