#include "harness/model/problem.hpp"

#include <algorithm>

namespace harness {

const Tensor* Problem::find(std::string_view name) const {
  const auto it = std::find_if(tensors.begin(), tensors.end(),
                               [&](const Tensor& tensor) { return tensor.name == name; });
  return it == tensors.end() ? nullptr : &*it;
}

Tensor* Problem::find(std::string_view name) {
  return const_cast<Tensor*>(static_cast<const Problem&>(*this).find(name));
}

}  // namespace harness
