// Makes an entry ready: looks each instruction up in the table of forms, gives its operands slots,
// and says which instructions are not executed.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ptx/decode/form.hpp"
#include "ptx/execute/program.hpp"
#include "ptx/parse/reader.hpp"
#include "ptx/parse/syntax.hpp"

namespace ptx::decode {

// The body must outlive the program. Lacks are added in the order of their lines.
[[nodiscard]] execute::Program decode(const parse::ModuleText& module, parse::Body& body,
                                      std::vector<Lack>& lacks);

// Registers by number that an instruction reads and sets.
struct Uses {
  std::vector<std::uint32_t> read;
  std::vector<std::uint32_t> written;
  bool matter{};  // what it reads decides something
};

// Fills in what may be read before it is set: on no path to the others can that be.
void watch_unset(const parse::Body& body, const std::vector<Uses>& uses, execute::Program& program);

class Decoder {
 public:
  Decoder(const parse::ModuleText& module, parse::Body& body, std::vector<Lack>& lacks)
      : module_(module), body_(body), lacks_(lacks) {}

  [[nodiscard]] execute::Program run();

 private:
  using Operand = parse::Operand;
  using Instruction = parse::Instruction;
  // Why an instruction is not executed; nothing where it is.
  using Refusal = std::optional<std::string>;

  void place_variables();
  void place_registers();
  Refusal instruction(const Instruction& text, execute::Operation& operation);
  Refusal by_form(const Instruction& text, const Form& form, execute::Operation& operation);
  Refusal move_elements(const Instruction& text, execute::Operation& operation);
  Refusal memory(const Instruction& text, execute::Operation& operation);
  Refusal matrix(const Instruction& text, execute::Operation& operation);
  Refusal copy(const Instruction& text, execute::Operation& operation);
  Refusal hint(const Instruction& text, execute::Operation& operation);
  Refusal parameter_address(const Operand& operand, execute::MemoryAccess& access,
                            std::uint32_t bytes);
  Refusal address(const Operand& operand, execute::MemoryAccess& access, std::uint32_t& slot);
  Refusal source(const Operand& operand, char letter, bool names, std::uint32_t& slot);
  Refusal destination(const Operand& operand, char letter, std::uint32_t& slot);
  Refusal branch(const Instruction& text, const Operand& operand, execute::Operation& operation);
  Refusal by_name(const Operand& operand, char letter, std::uint32_t& slot);
  [[nodiscard]] std::optional<std::uint64_t> address_of_variable(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> address_of_parameter(std::string_view name) const;
  std::uint32_t constant(std::uint64_t value, bool wide);
  std::uint32_t allocate(std::uint32_t bytes);
  [[nodiscard]] std::uint32_t bits_of(const Operand& operand) const {
    return body_.registers[operand.reg].bits;
  }

  const parse::ModuleText& module_;
  parse::Body& body_;
  std::vector<Lack>& lacks_;
  execute::Program program_;
  std::vector<std::uint32_t> slots_;  // by register
  std::map<std::pair<std::uint64_t, bool>, std::uint32_t> constants_;
  std::map<std::string, std::uint32_t, std::less<>> specials_;
  std::map<std::string, std::uint64_t, std::less<>>
      module_shared_;  // offsets of variables at module scope
  std::vector<Uses> uses_;
  std::uint32_t scope_{};  // of the instruction at hand
};

}  // namespace ptx::decode
