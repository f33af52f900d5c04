#include "ptx/decode/decoder.hpp"
#include "ptx/memory/parameters.hpp"

namespace ptx::decode {

using Kind = parse::Operand::Kind;

namespace {

std::uint32_t bits_of_letter(char letter) {
  switch (letter) {
    case 'p':
      return 1;
    case 'b':
      return 8;
    case 'h':
      return 16;
    case 'q':
      return 64;
    default:
      return 32;
  }
}

constexpr std::pair<std::string_view, execute::Special> specials[] = {
    {"%tid.x", execute::Special::tid_x},       {"%tid.y", execute::Special::tid_y},
    {"%tid.z", execute::Special::tid_z},       {"%ntid.x", execute::Special::ntid_x},
    {"%ntid.y", execute::Special::ntid_y},     {"%ntid.z", execute::Special::ntid_z},
    {"%ctaid.x", execute::Special::ctaid_x},   {"%ctaid.y", execute::Special::ctaid_y},
    {"%ctaid.z", execute::Special::ctaid_z},   {"%nctaid.x", execute::Special::nctaid_x},
    {"%nctaid.y", execute::Special::nctaid_y}, {"%nctaid.z", execute::Special::nctaid_z},
    {"%laneid", execute::Special::laneid},     {"%warpid", execute::Special::warpid}};

}  // namespace

Decoder::Refusal Decoder::destination(const Operand& operand, char letter, std::uint32_t& slot) {
  if (operand.kind == Kind::sink) {
    slot = execute::slot_nowhere;
    return std::nullopt;
  }
  if (operand.kind != Kind::reg || operand.negated) return "the destination must be a register";
  const std::uint32_t bits = bits_of_letter(letter);
  if (bits_of(operand) != bits) {
    return operand.name + " has " + std::to_string(bits_of(operand)) +
           " bits, the destination of this form " + std::to_string(bits);
  }
  slot = slots_[operand.reg];
  uses_.back().written.push_back(operand.reg);
  return std::nullopt;
}

std::optional<std::uint64_t> Decoder::address_of_variable(std::string_view name) const {
  for (std::uint32_t scope = scope_;; scope = body_.scopes[scope].parent) {
    const auto& variables = body_.scopes[scope].variables;
    if (const auto found = variables.find(name); found != variables.end())
      return found->second.offset;
    if (scope == 0) break;
  }
  const auto found = module_.variables.find(name);
  if (found == module_.variables.end()) return std::nullopt;
  const parse::Variable& variable = found->second;
  switch (variable.space) {
    case parse::Variable::Space::shared: {
      const auto placed = module_shared_.find(name);
      return placed == module_shared_.end() ? program_.dynamic_offset : placed->second;
    }
    case parse::Variable::Space::global:
      return execute::globals_address + variable.offset;
    case parse::Variable::Space::constant:
      break;
  }
  return variable.offset;
}

std::optional<std::uint64_t> Decoder::address_of_parameter(std::string_view name) const {
  const std::vector<Parameter>& all = body_.entry.parameters;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return memory::address_of_parameter(i);
  }
  return std::nullopt;
}

Decoder::Refusal Decoder::by_name(const Operand& operand, char letter, std::uint32_t& slot) {
  for (const auto& [name, special] : specials) {
    if (operand.name != name) continue;
    if (letter != 'w') return operand.name + " has 32 bits";
    const auto [at, added] = specials_.emplace(operand.name, 0);
    if (added) {
      at->second = allocate(128);
      program_.specials.push_back({at->second, special});
    }
    slot = at->second;
    return std::nullopt;
  }
  const auto address = address_of_variable(operand.name);
  if (!address) return "there is no register, special register or variable " + operand.name;
  if (letter != 'q' && (letter != 'w' || *address > 0xffff'ffffU)) {
    return "the address of " + operand.name + " does not fit";
  }
  slot = constant(*address, letter == 'q');
  return std::nullopt;
}

Decoder::Refusal Decoder::source(const Operand& operand, char letter, bool names,
                                 std::uint32_t& slot) {
  const std::uint32_t bits = bits_of_letter(letter);
  switch (operand.kind) {
    case Kind::reg:
      if (bits_of(operand) != bits) {
        return operand.name + " has " + std::to_string(bits_of(operand)) +
               " bits, this form takes " + std::to_string(bits);
      }
      slot = slots_[operand.reg];
      uses_.back().read.push_back(operand.reg);
      return std::nullopt;
    case Kind::integer: {
      if (letter == 'p') {
        if (operand.value > 1) return "a predicate is 0 or 1";
        slot = operand.value != 0 ? execute::slot_true : execute::slot_zero;
        return std::nullopt;
      }
      if (letter == 'f') return "an f32 is written as 0f and 8 hexadecimal digits";
      const auto value = static_cast<std::int64_t>(operand.value);
      const bool fits =
          bits == 64 || operand.value >> bits == 0 || value >= -(std::int64_t{1} << (bits - 1));
      if (!fits || (bits < 64 && value > 0 && operand.value >> bits != 0)) {
        return "the immediate does not fit in " + std::to_string(bits) + " bits";
      }
      const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      slot = constant(operand.value & mask, bits == 64);
      return std::nullopt;
    }
    case Kind::floating:
      if (bits != 32)
        return "an immediate of 32 bits stands where this form takes " + std::to_string(bits);
      slot = constant(operand.value, false);
      return std::nullopt;
    case Kind::name:
      if (const auto parameter = address_of_parameter(operand.name); names && parameter) {
        if (letter != 'q') return "the address of " + operand.name + " does not fit";
        slot = constant(*parameter, true);
        return std::nullopt;
      }
      if (names) return by_name(operand, letter, slot);
      return operand.name + " is no register";
    default:
      return "this operand is not expected here";
  }
}

Decoder::Refusal Decoder::branch(const Instruction& text, const Operand& operand,
                                 execute::Operation& operation) {
  if (operand.kind != Kind::name || text.operands.size() != 1) return "a branch goes to a label";
  for (std::uint32_t scope = scope_;; scope = body_.scopes[scope].parent) {
    const auto& labels = body_.scopes[scope].labels;
    if (const auto found = labels.find(operand.name); found != labels.end()) {
      operation.target = found->second;
      return std::nullopt;
    }
    if (scope == 0) break;
  }
  return "there is no label " + operand.name;
}

}  // namespace ptx::decode
