#include "harness/operation.hpp"

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

}  // namespace harness
