// The shape of a C function: size and kind of its result and of each parameter. Two declarations of
// one shape are called alike.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace harness::testing {

struct Parameter {
  std::size_t bytes;
  bool pointer;
  bool operator==(const Parameter&) const = default;
};

using Shape = std::vector<Parameter>;

template <class R, class... A>
Shape shape_of(R (*)(A...)) {
  return {{sizeof(R), std::is_pointer_v<R>}, {sizeof(A), std::is_pointer_v<A>}...};
}

}  // namespace harness::testing
