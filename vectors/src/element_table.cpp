#include "vectors/src/element_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "harness/suite/operations/conversion_inputs.hpp"
#include "oracle/numbers/describe.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::FormatSpec;
using oracle::Overflow;
using oracle::Round;

constexpr std::string_view operation_prefix = "element/";
constexpr std::uint8_t table_fill = 0xa5;

constexpr PairTable nvfp4{oracle::e4m3::spec};
constexpr PairTable mxfp4{oracle::e8m0::spec};
constexpr ConversionTable exactly(const FormatSpec& source) {
  return {source, Round::rne, oracle::strict};
}

const std::array<ElementTable, 12> tables{{
    {"nvfp4_to_e4m3", "every E2M1 code times every E4M3 scale, rounded once to E4M3", nvfp4,
     oracle::e4m3::spec, Overflow::satfinite},
    {"mxfp4_to_e4m3", "every E2M1 code times every E8M0 scale, rounded once to E4M3", mxfp4,
     oracle::e4m3::spec, Overflow::satfinite},
    {"mxfp4_to_f32", "every E2M1 code times every E8M0 scale as f32; exact below 2^128", mxfp4,
     oracle::f32::spec, Overflow::to_inf},
    {"mxfp4_to_bf16", "every E2M1 code times every E8M0 scale as bf16; exact below 2^128", mxfp4,
     oracle::bf16::spec, Overflow::to_inf},
    {"mxfp4_to_f16", "every E2M1 code times every E8M0 scale, rounded once to f16", mxfp4,
     oracle::f16::spec, Overflow::to_inf},
    {"e2m1_to_f32", "every E2M1 code; exact", exactly(oracle::e2m1::spec), oracle::f32::spec,
     Overflow::to_inf},
    {"e4m3_to_f32", "every E4M3 code; exact, NaN is 7fc00000", exactly(oracle::e4m3::spec),
     oracle::f32::spec, Overflow::to_inf},
    {"e8m0_to_f32", "every E8M0 code; exact, 00 is 2^-127 and ff is NaN",
     exactly(oracle::e8m0::spec), oracle::f32::spec, Overflow::to_inf},
    {"f32_to_e4m3", "nearest even, satfinite: every code, midpoint and neighbour; NaN is 7f",
     exactly(oracle::f32::spec), oracle::e4m3::spec, Overflow::satfinite},
    {"f32_to_e2m1", "nearest even, satfinite: every code, midpoint and neighbour; NaN is 7 (6)",
     ConversionTable{oracle::f32::spec, Round::rne, oracle::e2m1_nan_is_six}, oracle::e2m1::spec,
     Overflow::satfinite},
    {"f32_to_e8m0_rtz", "magnitude toward zero, as cvt.rz.satfinite.ue8m0x2.f32",
     ConversionTable{oracle::f32::spec, Round::rtz, oracle::cuda_e8m0}, oracle::e8m0::spec,
     Overflow::satfinite},
    {"f32_to_e8m0_rtp", "magnitude away from zero, as cvt.rp.satfinite.ue8m0x2.f32",
     ConversionTable{oracle::f32::spec, Round::rtp, oracle::cuda_e8m0}, oracle::e8m0::spec,
     Overflow::satfinite},
}};

const FormatSpec& scale_spec(const PairTable& pairs) { return pairs.scale_format; }

DType dtype_of(const FormatSpec& format) {
  if (format == oracle::f32::spec) return DType::f32;
  if (format == oracle::f16::spec) return DType::f16;
  if (format == oracle::bf16::spec) return DType::bf16;
  return format == oracle::e4m3::spec ? DType::e4m3 : DType::u8;
}

// Sources are stored as plain codes: only f32 is a type that every reader has.
DType source_dtype(const FormatSpec& format) {
  return format == oracle::f32::spec ? DType::f32 : DType::u8;
}

void append(std::vector<std::uint8_t>& bytes, DType dtype, std::uint32_t bits) {
  for (std::size_t i = 0; i < element_bytes(dtype); ++i) {
    bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
}

Tensor row(std::string name, Role role, DType dtype, std::vector<std::uint8_t> storage) {
  const auto count = static_cast<std::int64_t>(storage.size() / element_bytes(dtype));
  return {std::move(name), role, dtype, {count}, {1}, 0, std::move(storage), 0};
}

// The inputs of element `index`, in the table's order of tensors.
struct Sources {
  std::uint32_t first = 0;   // code, or source
  std::uint32_t second = 0;  // scale
};

Sources sources_of(const ElementTable& table, const Problem& problem, std::uint64_t index) {
  const auto bits = [&](std::size_t tensor) {
    return element_bits(problem.tensors[tensor].storage, problem.tensors[tensor].dtype, index);
  };
  if (std::holds_alternative<PairTable>(table.kind)) return {bits(0) & 0xfU, bits(1)};
  return {bits(0)};
}

Exact value_of(const ElementTable& table, const Sources& sources) {
  if (const auto* pairs = std::get_if<PairTable>(&table.kind)) {
    return oracle::multiply(oracle::decode<oracle::e2m1>(sources.first),
                            oracle::decode(scale_spec(*pairs), sources.second));
  }
  const FormatSpec& source = std::get<ConversionTable>(table.kind).source;
  return oracle::decode(source, sources.first & oracle::code_mask(source));
}

Result<std::uint32_t> answer(const ElementTable& table, const Sources& sources,
                             const oracle::Profile& profile) {
  if (const auto* pairs = std::get_if<PairTable>(&table.kind)) {
    return oracle::decode_element(pairs->scale_format, static_cast<std::uint8_t>(sources.first),
                                  static_cast<std::uint8_t>(sources.second), destination_of(table),
                                  profile);
  }
  const auto& conversion = std::get<ConversionTable>(table.kind);
  return oracle::encode(table.destination, value_of(table, sources), conversion.rounding,
                        table.overflow, conversion.special);
}

}  // namespace

std::span<const ElementTable> all_element_tables() { return tables; }

std::string operation_of(const ElementTable& table) {
  return fmt::format("{}{}", operation_prefix, table.name);
}

const ElementTable* element_table_of(std::string_view operation) {
  if (!operation.starts_with(operation_prefix)) return nullptr;
  operation.remove_prefix(operation_prefix.size());
  const auto* const it = std::find_if(tables.begin(), tables.end(), [&](const ElementTable& table) {
    return table.name == operation;
  });
  return it == tables.end() ? nullptr : &*it;
}

std::uint32_t element_bits(std::span<const std::uint8_t> bytes, DType dtype, std::uint64_t index) {
  const std::size_t width = std::min<std::size_t>(element_bytes(dtype), 4);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) {
    bits |= std::uint32_t{bytes[static_cast<std::size_t>(index) * element_bytes(dtype) + i]}
            << (8 * i);
  }
  return bits;
}

oracle::Dtype destination_of(const ElementTable& table) {
  if (table.destination == oracle::f32::spec) return oracle::Dtype::f32;
  if (table.destination == oracle::bf16::spec) return oracle::Dtype::bf16;
  if (table.destination == oracle::f16::spec) return oracle::Dtype::f16;
  return oracle::Dtype::e4m3;
}

std::string exact_in_words(const Exact& value) {
  constexpr std::size_t few = 16;
  std::string decimal = oracle::exact_decimal(value);
  if (decimal.size() <= few) return decimal;
  std::string dyadic = oracle::exact_dyadic(value);
  for (const std::string_view sign : {"", "-"}) {
    if (dyadic.starts_with(fmt::format("{}1*", sign))) dyadic.erase(sign.size(), 2);
  }
  return dyadic;
}

std::string code_in_words(const FormatSpec& format, std::uint32_t code) {
  return fmt::format("{} ({})", oracle::hex_code(format, code),
                     exact_in_words(oracle::decode(format, code)));
}

Problem problem_of(const ElementTable& table) {
  Problem problem;
  problem.operation = operation_of(table);
  std::size_t count = 0;
  if (std::holds_alternative<PairTable>(table.kind)) {
    std::vector<std::uint8_t> codes;
    std::vector<std::uint8_t> scales;
    for (unsigned scale = 0; scale < 256; ++scale) {
      for (unsigned code = 0; code < 16; ++code) {
        codes.push_back(static_cast<std::uint8_t>(code));
        scales.push_back(static_cast<std::uint8_t>(scale));
      }
    }
    count = codes.size();
    problem.tensors.push_back(row("code", Role::input, DType::u8, std::move(codes)));
    problem.tensors.push_back(row("scale", Role::input, DType::u8, std::move(scales)));
  } else {
    const FormatSpec& source = std::get<ConversionTable>(table.kind).source;
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t code : conversion_inputs(source, table.destination)) {
      append(bytes, source_dtype(source), code);
      ++count;
    }
    problem.tensors.push_back(row("source", Role::input, source_dtype(source), std::move(bytes)));
  }
  const DType dtype = dtype_of(table.destination);
  problem.tensors.push_back(
      row("value", Role::output, dtype,
          std::vector<std::uint8_t>(count * element_bytes(dtype), table_fill)));
  return problem;
}

Result<Outputs> expected_of(const ElementTable& table, const Problem& problem,
                            const oracle::Profile& profile) {
  const Problem own = problem_of(table);
  const auto fits = [](const Tensor& a, const Tensor& b) {
    return a.name == b.name && a.role == b.role && a.dtype == b.dtype && a.shape == b.shape &&
           a.strides == b.strides && a.origin_bytes == 0 && a.storage.size() == b.storage.size();
  };
  if (!std::equal(own.tensors.begin(), own.tensors.end(), problem.tensors.begin(),
                  problem.tensors.end(), fits)) {
    return oracle::fail(ErrorCode::wrong_shape,
                        fmt::format("{}: expected the tensors of the table, in its order, dtypes "
                                    "and sizes; got others",
                                    operation_of(table)));
  }
  const DType dtype = own.tensors.back().dtype;
  const auto count = static_cast<std::uint64_t>(own.tensors.back().shape.front());
  std::vector<std::uint8_t> bytes;
  bytes.reserve(own.tensors.back().storage.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto code = answer(table, sources_of(table, problem, i), profile);
    if (!code) return tl::make_unexpected(code.error());
    append(bytes, dtype, *code);
  }
  return Outputs{std::move(bytes)};
}

nlohmann::ordered_json site_of(const ElementTable& table, const Problem& problem,
                               std::uint64_t index) {
  const Sources sources = sources_of(table, problem, index);
  nlohmann::ordered_json site;
  site["index"] = index;
  if (const auto* pairs = std::get_if<PairTable>(&table.kind)) {
    site["code"] = code_in_words(oracle::e2m1::spec, sources.first);
    site["scale"] = code_in_words(scale_spec(*pairs), sources.second);
  } else {
    const FormatSpec& source = std::get<ConversionTable>(table.kind).source;
    site["source"] = code_in_words(source, sources.first & oracle::code_mask(source));
  }
  site["exact"] = exact_in_words(value_of(table, sources));
  return site;
}

}  // namespace harness
