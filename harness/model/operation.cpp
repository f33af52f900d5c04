#include "harness/model/operation.hpp"

#include <algorithm>

namespace harness {

Result<std::uint64_t> Operation::case_bytes(const nlohmann::json& spec) const {
  return build(spec).map([](const std::vector<Problem>& calls) {
    std::uint64_t bytes = 0;
    for (const Problem& call : calls) {
      for (const Tensor& tensor : call.tensors) bytes += tensor.storage.size();
    }
    return bytes;
  });
}

std::vector<std::string> bins_not_hit(const Operation& operation, const Coverage& coverage) {
  std::vector<std::string> bins = operation.required_bins();
  std::erase_if(bins, [&](const std::string& bin) { return coverage.hit(bin); });
  return bins;
}

const Operation* operation_named(std::span<const Operation* const> operations,
                                 std::string_view name) {
  const auto found =
      std::find_if(operations.begin(), operations.end(),
                   [&](const Operation* operation) { return operation->name() == name; });
  return found == operations.end() ? nullptr : *found;
}

}  // namespace harness
