// ld, st, ldmatrix, stmatrix, cp.async and hints: their modifiers are read one by one, and one that
// is not known here refuses the instruction.
#include <algorithm>

#include "ptx/decode/decoder.hpp"
#include "ptx/execute/access.hpp"

namespace ptx::decode {

using execute::MemoryAccess;
using execute::Operation;
using execute::Space;
using Kind = parse::Operand::Kind;

namespace {

// The parts of an opcode, from the front.
class Parts {
 public:
  explicit Parts(std::string_view opcode) : rest_(opcode) { next(); }

  [[nodiscard]] std::string_view peek() const { return part_; }
  void next() {
    if (rest_.empty()) {
      part_ = {};
      return;
    }
    const std::size_t dot = std::min(rest_.find('.'), rest_.size());
    part_ = rest_.substr(0, dot);
    rest_.remove_prefix(std::min(dot + 1, rest_.size()));
  }
  bool take(std::string_view word) {
    if (part_ != word || word.empty()) return false;
    next();
    return true;
  }
  template <std::size_t N>
  bool take_one(const std::string_view (&words)[N]) {
    return std::any_of(std::begin(words), std::end(words),
                       [&](std::string_view word) { return take(word); });
  }
  [[nodiscard]] bool done() const { return part_.empty(); }

 private:
  std::string_view rest_;
  std::string_view part_;
};

// How long data stays where: no bytes depend on them.
constexpr std::string_view load_caching[] = {"ca", "cg", "cs", "lu", "cv"};
constexpr std::string_view store_caching[] = {"wb", "cg", "cs", "wt"};
constexpr std::string_view first_level[] = {"L1::evict_normal", "L1::evict_unchanged",
                                            "L1::evict_first", "L1::evict_last", "L1::no_allocate"};
constexpr std::string_view second_level[] = {"L2::evict_normal", "L2::evict_first",
                                             "L2::evict_last"};
constexpr std::string_view prefetched[] = {"L2::64B", "L2::128B", "L2::256B"};

std::optional<Space> space_of(Parts& parts, bool load) {
  if (parts.take("global")) return Space::global;
  if (parts.take("shared") || parts.take("shared::cta")) return Space::shared;
  if (load && (parts.take("param") || parts.take("param::entry"))) return Space::parameter;
  if (load && parts.take("const")) return Space::constant;
  return std::nullopt;
}

struct Shape {
  bool cache_hint{};  // one more operand
  bool is_float{};
};

std::optional<std::string> shape(Parts& parts, bool load, MemoryAccess& access, Shape& shape) {
  const bool is_volatile = parts.take("volatile");
  if (!is_volatile) parts.take("weak");
  access.strong = is_volatile;
  const auto space = space_of(parts, load);
  if (!space) return "state space '" + std::string{parts.peek()} + "' is not executed";
  access.space = *space;
  const bool global = access.space == Space::global;
  if (global && !is_volatile) {
    const bool caching = load ? parts.take_one(load_caching) : parts.take_one(store_caching);
    if (load && parts.take("nc")) access.non_coherent = true;
    if (!caching || access.non_coherent) {
      parts.take_one(first_level);
      parts.take_one(second_level);
    }
    shape.cache_hint = parts.take("L2::cache_hint");
    if (load) parts.take_one(prefetched);
  }
  if (parts.take("v2")) access.count = 2;
  if (access.count == 1 && parts.take("v4")) access.count = 4;
  if (access.count == 1 && global && parts.take("v8")) access.count = 8;
  const std::string type = "." + std::string{parts.peek()};
  const std::uint32_t bits = parse::bits_of_type(type);
  if (bits < 8 || type == ".f16")
    return "modifier or type '" + std::string{parts.peek()} + "' is not executed";
  parts.next();
  access.element_bytes = static_cast<std::uint8_t>(bits / 8);
  access.sign_extend = load && type[1] == 's';
  shape.is_float = type[1] == 'f';
  if (!parts.done())
    return "modifier '" + std::string{parts.peek()} + "' is not expected behind the type";
  const std::uint32_t bytes = access.count * std::uint32_t{access.element_bytes};
  if (bytes > 32 || (bytes > 16 && !global))
    return "a vector of " + std::to_string(bytes) + " bytes is not executed";
  return std::nullopt;
}

}  // namespace

Decoder::Refusal Decoder::parameter_address(const Operand& operand, MemoryAccess& access,
                                            std::uint32_t bytes) {
  const Operand& base = operand.parts[0];
  if (base.kind != Kind::name) return "parameters are read by name or by an address in a register";
  for (const Parameter& parameter : body_.entry.parameters) {
    if (parameter.name != base.name) continue;
    const std::int64_t offset = operand.offset;
    if (offset < 0 || offset + bytes > parameter.bytes) {
      return "it reads " + std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
             " of parameter " + parameter.name + ", which has " + std::to_string(parameter.bytes);
    }
    access.offset = parameter.offset + offset;
    if (access.offset % bytes != 0)
      return "it reads a parameter at an offset that is no multiple of its size";
    return std::nullopt;
  }
  return "there is no parameter " + base.name;
}

Decoder::Refusal Decoder::address(const Operand& operand, MemoryAccess& access,
                                  std::uint32_t& slot) {
  if (operand.kind != Kind::memory) return "an address in brackets is expected";
  const Operand& base = operand.parts[0];
  access.offset = operand.offset;
  if (base.kind == Kind::reg) {
    const std::uint32_t bits = bits_of(base);
    const bool small = access.space == Space::shared || access.space == Space::constant;
    if (bits != 64 && (bits != 32 || !small))
      return base.name + " has " + std::to_string(bits) + " bits, no address";
    access.wide_address = bits == 64;
    slot = slots_[base.reg];
    uses_.back().read.push_back(base.reg);
    return std::nullopt;
  }
  access.wide_address = true;
  if (base.kind == Kind::integer) {
    slot = constant(base.value, true);
    return std::nullopt;
  }
  return by_name(base, 'q', slot);
}

Decoder::Refusal Decoder::memory(const Instruction& text, Operation& operation) {
  const bool load = text.opcode.starts_with("ld");
  Parts parts(text.opcode);
  parts.next();
  MemoryAccess access;
  Shape read;
  if (auto refusal = shape(parts, load, access, read)) return refusal;
  const std::size_t operands = read.cache_hint ? 3 : 2;
  if (text.operands.size() != operands)
    return "this form has " + std::to_string(operands) + " operands";
  const Operand& where = text.operands[load ? 1 : 0];
  const Operand& what = text.operands[load ? 0 : 1];
  if (access.space == Space::parameter) {
    if (where.kind != Kind::memory) return "an address in brackets is expected";
    const std::uint32_t bytes = access.count * std::uint32_t{access.element_bytes};
    auto refusal = where.parts[0].kind == Kind::reg ? address(where, access, operation.in[0])
                                                    : parameter_address(where, access, bytes);
    if (refusal) return refusal;
  } else if (auto refusal = address(where, access, operation.in[0])) {
    return refusal;
  }
  if (read.cache_hint) {
    std::uint32_t policy = 0;
    if (auto refusal = source(text.operands[2], 'q', false, policy)) return refusal;
  }
  // "{ %r1 }" is one element too.
  std::vector<Operand> one = {what};
  const std::vector<Operand>& elements = what.kind == Kind::vector ? what.parts : one;
  if (elements.size() != access.count) {
    return "a vector of " + std::to_string(access.count) + " elements is expected, got " +
           std::to_string(elements.size());
  }
  for (std::uint32_t i = 0; i < access.count; ++i) {
    const Operand& element = elements[i];
    const std::uint32_t type_bits = 8U * access.element_bytes;
    if (element.kind == Kind::sink && what.kind == Kind::vector) {
      access.slots[i] = execute::slot_nowhere;
      if (!load) access.skipped = static_cast<std::uint8_t>(access.skipped | 1U << i);
      if (type_bits == 64)
        access.wide_elements = static_cast<std::uint8_t>(access.wide_elements | 1U << i);
      continue;
    }
    std::uint32_t bits = type_bits;
    if (element.kind == Kind::reg) {
      bits = bits_of(element);
      if (bits < type_bits || bits == 1) return element.name + " has fewer bits than the type";
      if (read.is_float && bits != type_bits) return element.name + " has not the bits of the type";
    } else if (load) {
      return "the destination must be a register";
    }
    const char letter = bits == 8 ? 'b' : bits == 16 ? 'h' : bits == 32 ? 'w' : 'q';
    const auto mark = static_cast<std::uint8_t>(1U << i);
    if (bits == 64) access.wide_elements = static_cast<std::uint8_t>(access.wide_elements | mark);
    if (bits <= 16)
      access.narrow_elements = static_cast<std::uint8_t>(access.narrow_elements | mark);
    if (auto refusal = load ? destination(element, letter, access.slots[i])
                            : source(element, letter, false, access.slots[i])) {
      return refusal;
    }
  }
  operation.run = load ? execute::loader(access) : execute::storer(access);
  operation.memory = &program_.accesses.emplace_back(access);
  return std::nullopt;
}

Decoder::Refusal Decoder::matrix(const Instruction& text, Operation& operation) {
  const bool load = text.opcode.starts_with("ld");
  Parts parts(text.opcode);
  parts.next();
  MemoryAccess access;
  access.space = Space::shared;
  if (!parts.take("sync") || !parts.take("aligned") || !parts.take("m8n8"))
    return "this form is not executed";
  if (parts.take("x2")) access.count = 2;
  if (access.count == 1 && parts.take("x4")) access.count = 4;
  if (access.count == 1) parts.take("x1");
  const bool transposed = parts.take("trans");
  if (!parts.take("shared") && !parts.take("shared::cta")) return "this form is not executed";
  if (!parts.take("b16") || !parts.done()) return "this form is not executed";
  if (text.operands.size() != 2) return "this form has 2 operands";
  if (auto refusal = address(text.operands[load ? 1 : 0], access, operation.in[0])) return refusal;
  const Operand& registers = text.operands[load ? 0 : 1];
  if (registers.kind != Kind::vector || registers.parts.size() != access.count) {
    return "a vector of " + std::to_string(access.count) + " registers is expected";
  }
  for (std::uint32_t i = 0; i < access.count; ++i) {
    if (auto refusal = load ? destination(registers.parts[i], 'w', access.slots[i])
                            : source(registers.parts[i], 'w', false, access.slots[i])) {
      return refusal;
    }
  }
  operation.run = load ? (transposed ? execute::load_matrix_transposed : execute::load_matrix)
                       : (transposed ? execute::store_matrix_transposed : execute::store_matrix);
  operation.memory = &program_.accesses.emplace_back(access);
  return std::nullopt;
}

Decoder::Refusal Decoder::copy(const Instruction& text, Operation& operation) {
  Parts parts(text.opcode);
  parts.next();
  parts.next();
  const bool first_level_too = parts.take("ca");
  if (!first_level_too) parts.take("cg");
  MemoryAccess access;
  access.space = Space::shared;
  if ((!parts.take("shared") && !parts.take("shared::cta")) || !parts.take("global")) {
    return "this form is not executed";
  }
  const bool hint = parts.take("L2::cache_hint");
  parts.take_one(prefetched);
  if (!parts.done()) return "modifier '" + std::string{parts.peek()} + "' is not executed";
  const std::size_t most = hint ? 5 : 4;
  if (text.operands.size() < most - 1 || text.operands.size() > most)
    return "this form has 3 or 4 operands";
  const Operand& bytes = text.operands[2];
  const bool known =
      bytes.kind == Kind::integer &&
      (bytes.value == 16 || (first_level_too && (bytes.value == 4 || bytes.value == 8)));
  if (!known) return "cp.async copies 4, 8 or 16 bytes, with .cg 16";
  access.element_bytes = static_cast<std::uint8_t>(bytes.value);
  if (auto refusal = address(text.operands[0], access, operation.in[0])) return refusal;
  MemoryAccess from;
  from.space = Space::global;
  if (auto refusal = address(text.operands[1], from, operation.in[1])) return refusal;
  operation.immediate = static_cast<std::uint64_t>(from.offset);
  operation.in[2] = constant(bytes.value, false);
  if (text.operands.size() == most) {
    if (auto refusal = source(text.operands[3], 'w', false, operation.in[2])) return refusal;
  }
  if (hint) {
    std::uint32_t policy = 0;
    if (auto refusal = source(text.operands.back(), 'q', false, policy)) return refusal;
  }
  operation.run = execute::copy_async;
  operation.memory = &program_.accesses.emplace_back(access);
  return std::nullopt;
}

Decoder::Refusal Decoder::hint(const Instruction& text, Operation& operation) {
  constexpr std::string_view known[] = {"cp.async.bulk.prefetch.L2.global", "prefetch.global.L1",
                                        "prefetch.global.L2"};
  if (std::find(std::begin(known), std::end(known), text.opcode) == std::end(known))
    return "this form is not executed";
  if (text.operands.empty() || text.operands.size() > 2) return "this form has 1 or 2 operands";
  MemoryAccess access;
  if (auto refusal = address(text.operands[0], access, operation.in[0])) return refusal;
  if (text.operands.size() == 2) {
    if (auto refusal = source(text.operands[1], 'w', false, operation.in[1])) return refusal;
  }
  operation.run = execute::no_effect;
  return std::nullopt;
}

}  // namespace ptx::decode
