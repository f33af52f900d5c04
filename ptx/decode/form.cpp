#include "ptx/decode/form.hpp"

#include <cstdlib>

namespace ptx::decode {

void Table::add(std::string spelling, Form form) {
  if (!forms_.emplace(std::move(spelling), form).second) std::abort();
}

const Form* Table::find(std::string_view spelling) const {
  const auto found = forms_.find(std::string{spelling});
  return found == forms_.end() ? nullptr : &found->second;
}

const Table& table() {
  static const Table all = [] {
    Table made;
    add_integer_forms(made);
    add_bit_forms(made);
    add_compare_forms(made);
    add_f32_forms(made);
    add_half_forms(made);
    add_integer_conversions(made);
    add_float_conversions(made);
    add_packed_forms(made);
    add_warp_forms(made);
    return made;
  }();
  return all;
}

}  // namespace ptx::decode
