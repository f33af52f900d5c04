#include "harness/suite/operations/registry.hpp"

#include <vector>

namespace harness {

std::span<const Operation* const> all_operations() {
  static const auto operations = [] {
    std::vector<const Operation*> all{&qmul4(), &encode_e4m3()};
    for (const auto family : {page_operations(), write_operations()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    all.push_back(&convert());
    return all;
  }();
  return operations;
}

const Operation* operation_named(std::string_view name) {
  return operation_named(all_operations(), name);
}

}  // namespace harness
