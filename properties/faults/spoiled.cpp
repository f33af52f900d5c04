#include "properties/faults/spoiled.hpp"

#include <algorithm>
#include <utility>

#include "oracle/profile.hpp"

namespace properties {

using harness::Outputs;
using harness::Problem;

Fault call_fault(std::string_view name, std::string_view operation, SpoilCall spoil) {
  return {name, operation, std::move(spoil), {}, {}, {}};
}
Fault element_fault(std::string_view name, std::string_view operation, SpoilElement spoil) {
  return {name, operation, {}, std::move(spoil), {}, {}};
}
Fault output_fault(std::string_view name, std::string_view operation, SpoilOutput spoil) {
  return {name, operation, {}, {}, std::move(spoil), {}};
}
Fault named(std::vector<std::string_view> truths, Fault fault) {
  fault.truths = std::move(truths);
  return fault;
}

void keep_fill(const Problem& call, std::vector<std::uint8_t>& out, const PagePlaces& page) {
  const auto first = static_cast<std::ptrdiff_t>(page.output);
  std::copy_n(call.find("out")->storage.begin() + first, decoded_bytes(call), out.begin() + first);
}

Spoiled::Spoiled(const harness::Operation& operation, const Fault& fault)
    : operation_(operation), fault_(fault) {
  info_.operation = operation.name();
  info_.path = fault.name;
  info_.device = "cpu";
}

harness::Result<harness::Execution> Spoiled::execute(const Problem& problem) {
  Problem call = problem;
  if (fault_.call) fault_.call(call);
  harness::Result<Outputs> outputs = operation_.expected(call, oracle::profiles::ocp());
  if (!outputs) return tl::make_unexpected(outputs.error());
  std::vector<std::uint8_t>& out = outputs->front();
  if (fault_.element) {
    for_each_element(call, [&](const Element& element) {
      Spoilable each{element, out.data() + element.output};
      fault_.element(call, each);
    });
  }
  if (fault_.output) fault_.output(call, out);
  return harness::Execution{std::move(*outputs), {}, 1e-6};
}

}  // namespace properties
