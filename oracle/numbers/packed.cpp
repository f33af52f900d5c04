#include "oracle/numbers/packed.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace oracle {

namespace {

constexpr std::array<std::pair<PackedType, std::string_view>, 7> type_names{
    {{PackedType::e2m1x4, "e2m1x4"},
     {PackedType::e2m1p4x4, "e2m1p4x4"},
     {PackedType::e2m3x4, "e2m3x4"},
     {PackedType::e3m2x4, "e3m2x4"},
     {PackedType::e4m3x4, "e4m3x4"},
     {PackedType::e5m2x4, "e5m2x4"},
     {PackedType::ue8m0x4, "ue8m0x4"}}};
constexpr std::array<std::pair<PackedOp, std::string_view>, 4> op_names{{{PackedOp::add, "add"},
                                                                         {PackedOp::sub, "sub"},
                                                                         {PackedOp::mul, "mul"},
                                                                         {PackedOp::fma, "fma"}}};

template <class Names, class Value>
std::string_view name_in(const Names& names, Value value) {
  for (const auto& [v, name] : names) {
    if (v == value) return name;
  }
  return "?";
}

bool is_result(PackedType type) { return type == PackedType::e4m3x4 || type == PackedType::e5m2x4; }
bool names_second_type(PackedOp op) { return op == PackedOp::mul || op == PackedOp::fma; }

Result<std::array<Exact, packed_lanes>> unpack(const PackedInstruction& instruction, char operand,
                                               PackedType type, std::uint32_t word,
                                               const PackedPolicy& policy) {
  const auto complain = [&](const std::string& what) {
    return fail(ErrorCode::invalid_argument,
                spelling(instruction) + ", operand " + operand + ": " + what);
  };
  if (packed_bits(type) == 16 && word > 0xffffU) return complain("expected 16 bits, got more");
  const FormatSpec& f = element_format(type);
  std::array<Exact, packed_lanes> values;
  for (int i = 0; i < packed_lanes; ++i) {
    const std::uint32_t stored = lane_of(type, word, i);
    const std::uint32_t code = stored & code_mask(f);
    if (stored != code && policy.high_bits == PackedPolicy::HighBits::rejected) {
      return complain("lane " + std::to_string(i) + " has bits above its " +
                      std::to_string(code_bits(f)) + "-bit code");
    }
    values.at(static_cast<std::size_t>(i)) = decode(f, code);
  }
  return values;
}

}  // namespace

Result<std::uint32_t> evaluate(const PackedInstruction& instruction, std::uint32_t a,
                               std::uint32_t b, std::uint32_t c, const PackedPolicy& policy) {
  const PackedOp op = instruction.op;
  if (!is_result(instruction.result)) {
    return fail(ErrorCode::invalid_argument,
                spelling(instruction) + ": expected result type e4m3x4 or e5m2x4");
  }
  if (!names_second_type(op) && instruction.b != instruction.result) {
    return fail(ErrorCode::invalid_argument, spelling(instruction) +
                                                 ": expected operand b of the result type, got " +
                                                 std::string(name_in(type_names, instruction.b)));
  }
  const auto x = unpack(instruction, 'a', instruction.a, a, policy);
  if (!x) return tl::make_unexpected(x.error());
  const auto y = unpack(instruction, 'b', instruction.b, b, policy);
  if (!y) return tl::make_unexpected(y.error());
  const auto z = unpack(instruction, 'c', instruction.result, c, policy);
  if (!z) return tl::make_unexpected(z.error());

  const FormatSpec& f = element_format(instruction.result);
  const bool is_e4m3 = instruction.result == PackedType::e4m3x4;
  const SpecialInputs special{.nan_code = is_e4m3 ? policy.e4m3_nan : policy.e5m2_nan,
                              .keep_nan_sign = policy.keep_nan_sign,
                              .keep_overflow_sign = policy.keep_overflow_sign};
  const Overflow beyond = is_e4m3 ? policy.e4m3_overflow : policy.e5m2_overflow;
  const Overflow overflow = instruction.satfinite ? Overflow::satfinite : beyond;

  std::uint32_t d = 0;
  for (std::size_t i = 0; i < packed_lanes; ++i) {
    Exact value = (*x)[i];
    switch (op) {
      case PackedOp::add:
        value = add(value, (*y)[i]);
        break;
      case PackedOp::sub:
        value = subtract(value, (*y)[i]);
        break;
      case PackedOp::mul:
        value = multiply(value, (*y)[i]);
        break;
      case PackedOp::fma: {
        value = multiply(value, (*y)[i]);
        if (policy.fma == PackedPolicy::Fma::rounds_product) {
          const Result<Exact> rounded = round(f, value, Round::rne, overflow, special);
          if (!rounded) return tl::make_unexpected(rounded.error());
          value = *rounded;
        }
        value = add(value, (*z)[i]);
        break;
      }
    }
    const Result<std::uint32_t> code = encode(f, value, Round::rne, overflow, special);
    if (!code) return tl::make_unexpected(code.error());
    d |= *code << (8 * i);
  }
  return d;
}

std::string spelling(const PackedInstruction& instruction) {
  std::string s(name_in(op_names, instruction.op));
  s += instruction.satfinite ? ".rn.satfinite." : ".rn.";
  s += name_in(type_names, instruction.result);
  s.append(".").append(name_in(type_names, instruction.a));
  if (names_second_type(instruction.op)) s.append(".").append(name_in(type_names, instruction.b));
  return s;
}

Result<PackedInstruction> parse_packed_instruction(std::string_view text) {
  const auto complain = [&](std::string_view what) {
    return fail(ErrorCode::unknown_name,
                "packed instruction '" + std::string(text) +
                    "': expected op{.rn}{.satfinite}.dtype.atype{.btype}, " + std::string(what));
  };
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t dot = std::min(text.find('.', at), text.size());
    tokens.push_back(text.substr(at, dot - at));
    at = dot + 1;
  }

  PackedInstruction instruction{};
  bool known_op = false;
  for (const auto& [op, name] : op_names) {
    if (tokens.front() == name) {
      instruction.op = op;
      known_op = true;
    }
  }
  if (!known_op) return complain("op is add, sub, mul or fma");
  tokens.erase(tokens.begin());
  if (!tokens.empty() && tokens.front() == "rn") tokens.erase(tokens.begin());
  if (!tokens.empty() && tokens.front() == "satfinite") {
    instruction.satfinite = true;
    tokens.erase(tokens.begin());
  } else if (!tokens.empty() && tokens.back() == "satfinite") {
    instruction.satfinite = true;
    tokens.pop_back();
  }

  std::vector<PackedType> types;
  for (const std::string_view token : tokens) {
    bool known = false;
    for (const auto& [type, name] : type_names) {
      if (token == name) {
        types.push_back(type);
        known = true;
      }
    }
    if (!known) return complain(std::string(token) + " is not a type of the family");
  }
  if (types.size() != (names_second_type(instruction.op) ? 3U : 2U)) {
    return complain("the number of types is wrong");
  }
  instruction.result = types[0];
  instruction.a = types[1];
  instruction.b = names_second_type(instruction.op) ? types[2] : types[0];
  if (!is_result(instruction.result)) return complain("dtype is e4m3x4 or e5m2x4");
  return instruction;
}

}  // namespace oracle
