#include "ptx/decode/decoder.hpp"

#include <algorithm>

#include "ptx/execute/access.hpp"

namespace ptx::decode {

using execute::Flow;
using execute::Operation;
using Kind = parse::Operand::Kind;

namespace {

// Where a value decides: an address, what is stored, a comparison, a barrier. Arithmetic on a
// register that nothing set is no fault yet: LLVM gives `undef` to prmt and selects none of its
// bytes.
bool matters(std::string_view opcode) {
  constexpr std::string_view decide[] = {"ld",   "st",   "cp.",   "set",   "bar",
                                         "shfl", "vote", "redux", "match", "elect"};
  return std::any_of(std::begin(decide), std::end(decide),
                     [&](std::string_view word) { return opcode.starts_with(word); });
}

}  // namespace

std::uint32_t Decoder::allocate(std::uint32_t bytes) {
  const std::uint32_t slot = program_.file_bytes;
  program_.file_bytes += (bytes + 63U) / 64U * 64U;
  return slot;
}

void Decoder::place_variables() {
  // Of the entry first, then those at module scope, then what the launch adds.
  std::uint64_t used = body_.entry.shared_bytes;
  std::uint64_t alignment = 16;
  for (const auto& [name, variable] : module_.variables) {
    if (variable.space != parse::Variable::Space::shared) continue;
    alignment = std::max<std::uint64_t>(alignment, variable.alignment);
    if (variable.dynamic) {
      body_.entry.takes_dynamic_shared = true;
      continue;
    }
    used = (used + variable.alignment - 1) / variable.alignment * variable.alignment;
    module_shared_[name] = used;
    used += variable.bytes;
  }
  program_.shared_bytes = static_cast<std::uint32_t>(used);
  if (body_.entry.takes_dynamic_shared) used = (used + alignment - 1) / alignment * alignment;
  program_.dynamic_offset = static_cast<std::uint32_t>(used);
  body_.entry.shared_bytes = program_.dynamic_offset;
}

void Decoder::place_registers() {
  program_.file_bytes = execute::slot_free;
  program_.registers_from = program_.file_bytes;
  for (const parse::Register& reg : body_.registers) {
    slots_.push_back(allocate(reg.bits == 1 ? 4 : reg.bits == 64 ? 256 : 128));
  }
  program_.registers_to = program_.file_bytes;
}

std::uint32_t Decoder::constant(std::uint64_t value, bool wide) {
  if (!wide) value &= 0xffff'ffffU;
  const auto [at, added] = constants_.emplace(std::pair{value, wide}, 0);
  if (added) {
    at->second = allocate(wide ? 256 : 128);
    program_.constants.push_back({at->second, wide, value});
  }
  return at->second;
}

execute::Program Decoder::run() {
  program_.body = &body_;
  place_variables();
  place_registers();
  for (const parse::Instruction& text : body_.instructions) {
    Operation operation;
    uses_.emplace_back();
    scope_ = text.scope;
    if (text.guarded) {
      operation.guard = slots_[text.guard];
      operation.guard_flip = text.guard_negated ? execute::all_lanes : 0;
    }
    uses_.back().matter = matters(text.opcode);
    if (const Refusal refusal = instruction(text, operation)) {
      lacks_.push_back({text.line, std::string{text.text}, *refusal});
    }
    program_.operations.push_back(operation);
  }
  watch_unset(body_, uses_, program_);
  return std::move(program_);
}

Decoder::Refusal Decoder::instruction(const Instruction& text, Operation& operation) {
  const std::string_view opcode = text.opcode;
  const bool has_vector =
      std::any_of(text.operands.begin(), text.operands.end(),
                  [](const Operand& operand) { return operand.kind == Kind::vector; });
  if (opcode.starts_with("ld.") || opcode.starts_with("st.")) return memory(text, operation);
  if (opcode.starts_with("ldmatrix.") || opcode.starts_with("stmatrix."))
    return matrix(text, operation);
  if (opcode.starts_with("cp.async.ca.") || opcode.starts_with("cp.async.cg."))
    return copy(text, operation);
  if (opcode.starts_with("cp.async.bulk.prefetch") || opcode.starts_with("prefetch"))
    return hint(text, operation);
  if (opcode.starts_with("mov.b") && has_vector) return move_elements(text, operation);
  const Form* form = table().find(opcode);
  if (form == nullptr && opcode.starts_with("cvt.") && text.operands.size() == 2 &&
      text.operands[0].kind == Kind::reg) {
    // The widths of the registers decide what is run.
    const auto letter = [&](const Operand& operand) {
      const std::uint32_t bits = operand.kind == Kind::reg ? bits_of(operand) : 0;
      return bits == 8 ? 'b' : bits == 16 ? 'h' : bits == 64 ? 'q' : 'w';
    };
    std::string key{opcode};
    key += ' ';
    key += letter(text.operands[0]);
    key += '=';
    key += letter(text.operands[1]);
    form = table().find(key);
    if (form == nullptr) {
      key.back() = 'f';
      form = table().find(key);
    }
  }
  if (form == nullptr) return "this form is not executed";
  return by_form(text, *form, operation);
}

Decoder::Refusal Decoder::by_form(const Instruction& text, const Form& form, Operation& operation) {
  operation.run = form.run;
  operation.flow = form.flow;
  operation.immediate = form.immediate;
  operation.in.fill(execute::slot_zero);
  const std::size_t equals = form.operands.find('=');
  const std::string_view out = form.operands.substr(0, equals);
  std::string_view in = form.operands.substr(equals + 1);
  std::size_t next = 0;
  if (!out.empty()) {
    if (text.operands.empty()) return "the destination is missing";
    const Operand& to = text.operands[next++];
    if (to.kind == Kind::pair) {
      if (out.size() != 3) return "this form has one destination";
      if (auto refusal = destination(to.parts[0], out[0], operation.out)) return refusal;
      if (auto refusal = destination(to.parts[1], out[2], operation.out2)) return refusal;
    } else if (auto refusal = destination(to, out[0], operation.out)) {
      return refusal;
    }
  }
  const bool names = text.opcode.starts_with("mov.") || text.opcode.starts_with("cvta.");
  std::size_t index = 0;
  while (!in.empty()) {
    if (in.front() == '?') {  // what follows may be missing
      if (next == text.operands.size()) break;
      in.remove_prefix(1);
    }
    const char letter = in.front();
    in.remove_prefix(1);
    if (next == text.operands.size()) return "an operand is missing";
    const Operand& from = text.operands[next++];
    if (letter == 'x') continue;
    if (letter == 'l') return branch(text, from, operation);
    if (letter == 'i') {
      if (from.kind != Kind::integer)
        return "operand " + std::to_string(next) + " must be an integer";
      operation.immediate = from.value;
      continue;
    }
    if (letter == 'p' && from.negated) {
      const bool may = text.opcode.starts_with("setp.") || text.opcode.starts_with("selp.") ||
                       text.opcode.starts_with("vote.");
      if (!may) return "a predicate cannot be negated here";
      operation.flip = execute::all_lanes;
    } else if (from.negated) {
      return "'!' stands before predicates only";
    }
    if (auto refusal = source(from, letter, names, operation.in[index++])) return refusal;
  }
  if (next != text.operands.size()) return "there are more operands than this form has";
  return std::nullopt;
}

execute::Program decode(const parse::ModuleText& module, parse::Body& body,
                        std::vector<Lack>& lacks) {
  return Decoder(module, body, lacks).run();
}

}  // namespace ptx::decode
