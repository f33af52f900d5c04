// What a case of `qmul4` is made from.
//
//     {"count": 4096, "contents": {"kind": "exhaustive"}, "fill": "a5",
//      "misalignment_bytes": {"a": 0, "b": 0, "d": 0}}
//
// `count` words are made by `contents` and `first` left out before them, so that a failure narrows
// without other words. Kinds: exhaustive (lane i of 4096 words meets every pair of code and scale
// once, each lane in another order), random (`seed`, `distribution`), words (`a` and `b`, lists of
// hex numbers; the count is theirs).
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/page_spec.hpp"

namespace harness {

enum class LaneContent { exhaustive, random, words };

struct LaneSpec {
  LaneContent kind = LaneContent::exhaustive;
  std::uint64_t seed = 1;                           // random
  Distribution distribution = Distribution::edges;  // random
  std::vector<std::uint16_t> a;                     // words
  std::vector<std::uint32_t> b;                     // words
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::uint8_t fill = 0xa5;
  // Of the first byte, modulo 256; none: such that the last byte ends at a multiple of 256.
  std::optional<std::int64_t> misalignment_a;
  std::optional<std::int64_t> misalignment_b;
  std::int64_t misalignment_d = 0;
};

// Error: malformed, names the member, expected and actual.
Result<LaneSpec> lane_spec_from_json(const nlohmann::json& json);
nlohmann::json to_json(const LaneSpec& spec);

// Word i of a flat tensor.
template <class Word>
Word word_at(const Tensor& tensor, std::size_t i) {
  Word word{};
  std::memcpy(&word, tensor.storage.data() + i * sizeof word, sizeof word);
  return word;
}

// a, b and d of `count` words.
Problem lane_problem(const LaneSpec& spec);

}  // namespace harness
