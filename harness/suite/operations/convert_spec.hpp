// What a case of `convert` and of `encode_e4m3` is made from.
//
//     {"from": "F32", "to": "F8_E4M3", "count": 1000,
//      "contents": {"kind": "random", "seed": 1, "distribution": "edges"},
//      "fill": "a5", "misalignment_bytes": {"x": 0, "d": 0}}
//
// `from` and `to` are left out where the operation has one cast. `count` values are made by
// `contents`, `first` left out before them, so that a failure narrows without other values. Kinds:
// edges (cast_edges, from the start again after the last), all (every code of a source of at most
// 16 bits, in order), random (`seed`, `distribution`), values (`x`, a list of hex numbers, the bits
// of the source; the count is theirs).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/scale_bytes.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact.hpp"
#include "oracle/numbers/format_spec.hpp"
#include "oracle/profile.hpp"

namespace harness {

struct Cast {
  DType from = DType::f32;
  DType to = DType::e4m3;

  bool operator==(const Cast&) const = default;
};

// What `convert` does: wide formats to narrow ones, and narrow ones to wide ones.
std::span<const Cast> all_casts();
// "f32_to_e4m3"
std::string name_of(const Cast& cast);
const oracle::FormatSpec& format_of(DType dtype);

// The value of a code under a profile, and the code that a cast gives for it, rounded once to
// nearest even. The profile settles what it settles for pages (NaN, E4M3 family and overflow, E8M0
// 00 and ff, -0). Into e5m2 and e2m1 it is what one instruction of the chips does: overflow and
// infinity to the largest number; NaN is 7f in e5m2 and +6 in e2m1 (docs/rounding.md).
oracle::Exact cast_value(const Cast& cast, std::uint32_t bits, const oracle::Profile& profile);
std::uint32_t cast_code(const Cast& cast, std::uint32_t bits, const oracle::Profile& profile);
// What takes the place of values that a narrow destination lacks. Precondition: e5m2 or e2m1.
oracle::SpecialInputs special_inputs(DType destination);

enum class ConvertContent { edges, all, random, values };

struct ConvertSpec {
  Cast cast;
  ConvertContent kind = ConvertContent::edges;
  std::uint64_t seed = 1;                           // random
  Distribution distribution = Distribution::edges;  // random
  std::vector<std::uint32_t> x;                     // values
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::uint8_t fill = 0xa5;
  // Of the first byte, modulo 256; none: such that the last byte ends at a multiple of 256.
  std::optional<std::int64_t> misalignment_x;  // a multiple of its element
  std::int64_t misalignment_d = 0;             // the same
};

// `only`: the cast of an operation that has one. Error: malformed, names the member, expected and
// actual.
Result<ConvertSpec> convert_spec_from_json(const nlohmann::json& json,
                                           const std::optional<Cast>& only);
nlohmann::json to_json(const ConvertSpec& spec, const std::optional<Cast>& only);

// The bits of all values of kind `edges`: every code of a source of at most 8 bits; of a wider one
// the values, midpoints and neighbours of the destination that the source holds.
std::span<const std::uint32_t> cast_edges(const Cast& cast);

// Bytes of x and d for one value.
std::uint64_t bytes_per_value(const Cast& cast);

// The bits of element `i` of a flat tensor of at most 32 bits an element.
std::uint32_t bits_at(const Tensor& x, std::size_t i);

// x and d of `count` values.
Problem convert_problem(std::string_view operation, const ConvertSpec& spec);

}  // namespace harness
