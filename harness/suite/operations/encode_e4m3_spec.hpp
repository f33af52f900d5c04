// What a case of `encode_e4m3` is made from.
//
//     {"count": 1000, "contents": {"kind": "random", "seed": 1, "distribution": "edges"},
//      "fill": "a5", "misalignment_bytes": {"x": 0, "d": 0}}
//
// `count` values are made by `contents`, `first` left out before them, so that a failure narrows
// without other values. Kinds: edges (conversion_inputs.hpp, and what lies just beyond the range;
// from the start again after the last), random (`seed`, `distribution`), values (`x`, a list of hex
// numbers of 8 digits, the bits of f32; the count is theirs).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/scale_bytes.hpp"

namespace harness {

enum class EncodeContent { edges, random, values };

struct EncodeSpec {
  EncodeContent kind = EncodeContent::edges;
  std::uint64_t seed = 1;                           // random
  Distribution distribution = Distribution::edges;  // random
  std::vector<std::uint32_t> x;                     // values
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::uint8_t fill = 0xa5;
  // Of the first byte, modulo 256; none: such that the last byte ends at a multiple of 256.
  std::optional<std::int64_t> misalignment_x;  // a multiple of 4
  std::int64_t misalignment_d = 0;
};

// Error: malformed, names the member, expected and actual.
Result<EncodeSpec> encode_spec_from_json(const nlohmann::json& json);
nlohmann::json to_json(const EncodeSpec& spec);

// The bits of all values of kind `edges`.
std::span<const std::uint32_t> encode_edges();

// Of x and d, for `count` values.
inline constexpr std::uint64_t bytes_per_value = 4 + 1;

// The bits of element `i` of x.
std::uint32_t bits_at(const Tensor& x, std::size_t i);

// x and d of `count` values.
Problem encode_problem(const EncodeSpec& spec);

}  // namespace harness
