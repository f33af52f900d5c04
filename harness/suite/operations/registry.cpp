#include "harness/suite/operations/registry.hpp"

#include <array>

namespace harness {

std::span<const Operation* const> all_operations() {
  static const std::array operations{&qmul4(),
                                     &encode_e4m3(),
                                     &nvfp4_gather_index_k(),
                                     &mxfp4_decode_pages(),
                                     &mxfp4_gather_pages(),
                                     &nvfp4_write_index_k(),
                                     &mxfp4_write_pages(),
                                     &convert()};
  return operations;
}

const Operation* operation_named(std::string_view name) {
  return operation_named(all_operations(), name);
}

}  // namespace harness
