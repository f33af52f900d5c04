// mov that puts elements together or takes them apart: "mov.b32 %r1, {%rs1, %rs2}". The first
// element is lowest.
#include "ptx/decode/decoder.hpp"
#include "ptx/execute/lanes.hpp"

namespace ptx::decode {

using execute::Lanes;
using execute::Operation;
using Kind = parse::Operand::Kind;

namespace {

void pack(Lanes& lanes, const Operation& operation) {
  const execute::MemoryAccess& access = *operation.memory;
  const unsigned bits = 8U * access.element_bytes;
  lanes.each([&](int lane) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < access.count; ++i) {
      const std::uint64_t element = lanes.at<std::uint32_t>(access.slots[i])[lane];
      value |= element << (i * bits);
    }
    if (access.wide_address) {
      lanes.at<std::uint64_t>(operation.out)[lane] = value;
    } else {
      lanes.at<std::uint32_t>(operation.out)[lane] = static_cast<std::uint32_t>(value);
    }
  });
}

void unpack(Lanes& lanes, const Operation& operation) {
  const execute::MemoryAccess& access = *operation.memory;
  const unsigned bits = 8U * access.element_bytes;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  lanes.each([&](int lane) {
    const std::uint64_t value = access.wide_address
                                    ? lanes.at<std::uint64_t>(operation.in[0])[lane]
                                    : lanes.at<std::uint32_t>(operation.in[0])[lane];
    for (unsigned i = 0; i < access.count; ++i) {
      lanes.at<std::uint32_t>(access.slots[i])[lane] =
          static_cast<std::uint32_t>((value >> (i * bits)) & mask);
    }
  });
}

}  // namespace

Decoder::Refusal Decoder::move_elements(const Instruction& text, Operation& operation) {
  const std::uint32_t bits = parse::bits_of_type(std::string{text.opcode.substr(3)});
  if (text.opcode.substr(3, 2) != ".b" || (bits != 16 && bits != 32 && bits != 64))
    return "this form is not executed";
  if (text.operands.size() != 2) return "mov has two operands";
  const bool takes_apart = text.operands[0].kind == Kind::vector;
  const Operand& elements = text.operands[takes_apart ? 0 : 1];
  const Operand& whole = text.operands[takes_apart ? 1 : 0];
  const auto count = static_cast<std::uint32_t>(elements.parts.size());
  const std::uint32_t each = bits / count;
  if (bits % count != 0 || (each != 8 && each != 16 && each != 32)) {
    return std::to_string(count) + " elements do not make " + std::to_string(bits) + " bits";
  }
  const char letter = each == 8 ? 'b' : each == 16 ? 'h' : 'w';
  const char whole_letter = bits == 16 ? 'h' : bits == 32 ? 'w' : 'q';
  execute::MemoryAccess access;
  access.count = static_cast<std::uint8_t>(count);
  access.element_bytes = static_cast<std::uint8_t>(each / 8);
  access.wide_address = bits == 64;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Operand& element = elements.parts[i];
    if (takes_apart) {
      if (auto refusal = destination(element, letter, access.slots[i])) return refusal;
    } else if (element.kind == Kind::sink) {
      return "an element that is _ leaves bits of the result undefined";
    } else if (auto refusal = source(element, letter, false, access.slots[i])) {
      return refusal;
    }
  }
  if (takes_apart) {
    if (auto refusal = source(whole, whole_letter, false, operation.in[0])) return refusal;
  } else if (auto refusal = destination(whole, whole_letter, operation.out)) {
    return refusal;
  }
  operation.run = takes_apart ? unpack : pack;
  operation.memory = &program_.accesses.emplace_back(access);
  return std::nullopt;
}

}  // namespace ptx::decode
