#include "harness/files/strict_json.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/model/operation.hpp"

namespace harness::hostile {
namespace {

// What a target may allocate: large specs are legal, and their sizes are checked without building.
constexpr std::uint64_t largest_built = std::uint64_t{4} << 20;

std::uint64_t stored_bytes(const std::vector<Problem>& calls) {
  std::uint64_t bytes = 0;
  for (const Problem& call : calls) {
    for (const Tensor& tensor : call.tensors) bytes += tensor.storage.size();
  }
  return bytes;
}

}  // namespace

// The first line names an operation, the rest is a spec of it. The bytes that a spec asks for are
// known before anything is allocated; what is built is legal; and shrinking gives other legal
// specs.
void hostile_case_spec(Bytes bytes) {
  const auto [name, body] = split(bytes);
  const Operation* operation = operation_named(name);
  if (operation == nullptr) return;
  const auto spec = parse_json(text_of(body), source);
  if (!accepted(spec)) return;
  const auto needed = operation->case_bytes(*spec);
  if (!accepted(needed, "")) return;
  law(*needed <= max_case_bytes, "a spec that asks for more than a case may have is refused");
  if (*needed > largest_built) return;
  const auto calls = must(operation->build(*spec), "a spec whose bytes are known");
  law(stored_bytes(calls) == *needed, "a spec takes the bytes that it says");
  for (const Problem& call : calls) {
    must(operation->validate(call).map([] { return 0; }), "a problem that was built");
  }
  for (const nlohmann::json& smaller : operation->smaller_specs(*spec)) {
    must(operation->case_bytes(smaller), "a smaller spec");
    law(smaller != *spec, "a smaller spec is another one");
  }
}

}  // namespace harness::hostile
