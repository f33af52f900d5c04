// A fault as a change of a right answer: of the call before the oracle is asked, or of its answer.
#pragma once

#include <functional>
#include <ostream>
#include <string_view>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "properties/laws/pages.hpp"

namespace properties {

inline constexpr std::string_view nvfp4 = "nvfp4_gather_index_k";
inline constexpr std::string_view mxfp4 = "mxfp4_gather_pages";
inline constexpr std::string_view mxfp4_decode = "mxfp4_decode_pages";

struct Spoilable : Element {
  std::uint8_t* bytes = nullptr;  // of the answer, low byte first
};

using SpoilCall = std::function<void(harness::Problem& call)>;
using SpoilElement = std::function<void(const harness::Problem& call, Spoilable& each)>;
using SpoilOutput =
    std::function<void(const harness::Problem& call, std::vector<std::uint8_t>& out)>;

struct Fault {
  std::string_view name;
  std::string_view operation;
  SpoilCall call;
  SpoilElement element;
  SpoilOutput output;
  std::vector<std::string_view> truths = {};  // names that are true of it
};
// The fault, of which these classes of docs/faults.md are true.
Fault named(std::vector<std::string_view> truths, Fault fault);
Fault call_fault(std::string_view name, std::string_view operation, SpoilCall spoil);
Fault element_fault(std::string_view name, std::string_view operation, SpoilElement spoil);
Fault output_fault(std::string_view name, std::string_view operation, SpoilOutput spoil);

// How GoogleTest prints one.
inline void PrintTo(const Fault& fault, std::ostream* os) { *os << fault.name; }

// Leaves a page of the output as it was before the call.
void keep_fill(const harness::Problem& call, std::vector<std::uint8_t>& out,
               const PagePlaces& page);

// An implementation that has the fault and no other. `operation` and `fault` outlive it.
class Spoiled final : public harness::Implementation {
 public:
  Spoiled(const harness::Operation& operation, const Fault& fault);
  harness::Result<harness::Execution> execute(const harness::Problem& problem) override;

 private:
  const harness::Operation& operation_;
  const Fault& fault_;
};

}  // namespace properties
