// The table of forms: an opcode with all of its modifiers, exactly as it is spelled, and what runs
// it. What is not in the table is not executed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ptx/execute/operation.hpp"

namespace ptx::decode {

// `operands` says what the operands are, destination first: "w=ww" is a 32-bit register from two of
// them.
//   p predicate   h 16 bits   w 32 bits   q 64 bits   f 32 bits, an immediate must be 0f...
//   i an integer immediate, which goes to Operation::immediate
//   p|p= and w|p= a second destination is allowed behind a bar; "=" alone has no destination
struct Form {
  std::string_view operands;
  execute::Run run{};
  execute::Flow flow{execute::Flow::next};
  std::uint64_t immediate{};
};

class Table {
 public:
  // A form twice is a fault of this program and ends it.
  void add(std::string spelling, Form form);
  void add(std::string spelling, std::string_view operands, execute::Run run) {
    add(std::move(spelling), Form{operands, run, execute::Flow::next, 0});
  }
  [[nodiscard]] const Form* find(std::string_view spelling) const;
  [[nodiscard]] const std::unordered_map<std::string, Form>& forms() const { return forms_; }

 private:
  std::unordered_map<std::string, Form> forms_;
};

// All forms, made once.
[[nodiscard]] const Table& table();

void add_integer_forms(Table& table);
void add_bit_forms(Table& table);
void add_compare_forms(Table& table);
void add_f32_forms(Table& table);
void add_half_forms(Table& table);
void add_integer_conversions(Table& table);
void add_float_conversions(Table& table);
void add_packed_forms(Table& table);
void add_warp_forms(Table& table);

}  // namespace ptx::decode
