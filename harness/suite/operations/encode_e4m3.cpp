// `encode_e4m3`: an array of f32 rounded once to e4m3, element by element. It shows what pages
// cannot, whose products have at most 6 significant bits: a carry of the rounded mantissa into the
// exponent, and a rounding by way of f16 or bf16 (docs/faults.md A10, A14).
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "fp4cts/abi.h"
#include "harness/diagnosis/encode_diagnosis.hpp"
#include "harness/suite/operations/encode_e4m3_cases.hpp"
#include "harness/suite/operations/encode_e4m3_spec.hpp"
#include "harness/suite/operations/registry.hpp"
#include "harness/suite/operations/rows.hpp"
#include "harness/suite/signature_check.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::Overflow;
using oracle::Round;
using oracle::Step;

constexpr std::uint32_t smallest_f32_normal = 0x00800000;

class EncodeE4m3 final : public Operation {
 public:
  const Signature& signature() const override;
  std::string_view summary() const override { return "rounds f32 values to e4m3, one by one"; }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override {
    return encode_cases(level, seed);
  }
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override {
    return encode_spec_from_json(spec).map(
        [](const EncodeSpec& read) { return std::vector<Problem>{encode_problem(read)}; });
  }
  Result<std::uint64_t> case_bytes(const nlohmann::json& spec) const override {
    return encode_spec_from_json(spec).map([](const EncodeSpec& read) {
      return static_cast<std::uint64_t>(read.count) * bytes_per_value;
    });
  }
  nlohmann::json random_spec(std::uint64_t seed) const override { return random_encode_spec(seed); }
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override {
    return smaller_encode_specs(spec);
  }
  Status validate(const Problem& problem) const override {
    return check_signature(signature(), problem);
  }
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override {
    return diagnose_encode(calls.back(), profile, expected, actual);
  }
  std::uint64_t bytes_moved(const Problem& problem) const override {
    return static_cast<std::uint64_t>(problem.find("d")->shape[0]) * bytes_per_value;
  }
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override;
};

Result<Outputs> EncodeE4m3::expected(const Problem& problem, const oracle::Profile& profile) const {
  if (Status legal = validate(problem); !legal) return tl::make_unexpected(legal.error());
  const Tensor& x = *problem.find("x");
  const Tensor& d = *problem.find("d");
  Outputs outputs{d.storage};
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.shape[0]); ++i) {
    outputs[0][i] = static_cast<std::uint8_t>(oracle::encode_element(
        oracle::decode<oracle::f32>(bits_at(x, i)), oracle::Dtype::e4m3, profile));
  }
  return outputs;
}

const Signature& EncodeE4m3::signature() const {
  static const Signature signature = [] {
    using Struct = fp4cts_encode_e4m3;
    Signature s;
    s.operation = "encode_e4m3";
    s.tensors = {row("x", Role::input, {DType::f32}), row("d", Role::output, {DType::f8_e4m3})};
    s.struct_name = "fp4cts_encode_e4m3";
    s.struct_bytes = sizeof(Struct);
    s.members = {member("struct_bytes", &Struct::struct_bytes), member("count", &Struct::count),
                 member("x", &Struct::x), member("d", &Struct::d)};
    s.grid = {"count"};
    s.grid_counts_threads = true;
    return s;
  }();
  return signature;
}

// Names of the edges that one value meets.
std::vector<std::string_view> edges_of(std::uint32_t bits) {
  const oracle::FormatSpec& e4m3 = oracle::e4m3::spec;
  const Exact value = oracle::decode<oracle::f32>(bits);
  if (value.is_nan()) return {value.negative() ? "edge/negative_nan" : "edge/nan"};
  if (value.is_infinity()) return {value.negative() ? "edge/negative_infinity" : "edge/infinity"};
  const auto encode = [&](const Exact& exact, Round round) {
    return oracle::encode_traced(e4m3, exact, round, Overflow::satfinite, oracle::strict)
        .value_or(oracle::Encoding{});  // e4m3 takes every number
  };
  std::vector<std::string_view> edges;
  const auto [code, step] = encode(value, Round::rne);
  switch (step) {
    case Step::tie_down:
      edges.push_back("edge/tie_to_even_down");
      break;
    case Step::tie_up:
      edges.push_back("edge/tie_to_even_up");
      break;
    case Step::down:
      edges.push_back("edge/rounded_down");
      break;
    case Step::up:
      edges.push_back("edge/rounded_up");
      break;
    case Step::overflow:
      edges.push_back("edge/overflow");
      break;
    default:
      edges.push_back("edge/exact");
  }
  const std::uint32_t magnitude = code & oracle::magnitude_mask(e4m3);
  const std::uint32_t exponent = code & oracle::exponent_mask(e4m3);
  if (magnitude == 0) {
    edges.push_back(value.negative() ? "edge/negative_zero_result" : "edge/zero_result");
    if (!value.is_zero()) edges.push_back("edge/underflow");
  } else if (exponent == 0) {
    edges.push_back("edge/subnormal_result");
  }
  if (const std::uint32_t cut = encode(value, Round::rtz).code & oracle::exponent_mask(e4m3);
      cut != exponent) {
    edges.push_back(cut == 0 ? "edge/carry_to_normal" : "edge/carry_to_exponent");
  }
  if (!value.is_zero() && (bits & 0x7fffffff) < smallest_f32_normal) {
    edges.push_back("edge/f32_subnormal");
  }
  for (const auto& [between, edge] : {std::pair{&oracle::f16::spec, "edge/twice_by_f16"},
                                      std::pair{&oracle::bf16::spec, "edge/twice_by_bf16"}}) {
    const auto rounded =
        oracle::round(*between, value, Round::rne, Overflow::to_inf, oracle::strict);
    if (rounded && encode(*rounded, Round::rne).code != code) edges.emplace_back(edge);
  }
  return edges;
}

void EncodeE4m3::cover(const Problem& problem, Coverage& coverage) const {
  if (!validate(problem)) return;
  const Tensor& x = *problem.find("x");
  const auto count = static_cast<std::size_t>(x.shape[0]);
  std::map<std::string_view, std::uint64_t> met;
  std::array<bool, 256> codes{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = bits_at(x, i);
    for (const std::string_view edge : edges_of(bits)) ++met[edge];
    codes[oracle::encode_element(oracle::decode<oracle::f32>(bits), oracle::Dtype::e4m3,
                                 oracle::profiles::ocp())] = true;
  }
  for (const auto& [edge, times] : met) coverage.add(std::string(edge), times);
  // ff is the NaN that no conversion gives.
  if (std::count(codes.begin(), codes.end(), true) == 255) coverage.add("results/every_code");
  if (count == 0) coverage.add("call/nothing_to_do");
  if (count % 256 != 0) coverage.add("call/partial_thread_block");
}

std::vector<std::string> EncodeE4m3::required_bins() const {
  std::set<std::string> bins{"call/nothing_to_do", "call/partial_thread_block",
                             "results/every_code"};
  for (const std::uint32_t bits : encode_edges()) {
    for (const std::string_view edge : edges_of(bits)) bins.emplace(edge);
  }
  return {bins.begin(), bins.end()};
}

}  // namespace

const Operation& encode_e4m3() {
  static const EncodeE4m3 operation;
  return operation;
}

}  // namespace harness
