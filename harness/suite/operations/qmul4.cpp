// `qmul4`, docs/design.md section 3.1: four lanes of e2m1 times e4m3, rounded once to e4m3.
#include <array>
#include <cstring>

#include "fp4cts/abi.h"
#include "harness/diagnosis/lane_diagnosis.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/qmul4_cases.hpp"
#include "harness/suite/operations/qmul4_spec.hpp"
#include "harness/suite/operations/registry.hpp"
#include "harness/suite/operations/rows.hpp"
#include "harness/suite/operations/value_bins.hpp"
#include "harness/suite/signature_check.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

constexpr std::uint64_t bytes_per_word = 2 + 4 + 4;  // of a, b and d

class Qmul4 final : public Operation {
 public:
  const Signature& signature() const override;
  std::string_view summary() const override {
    return "multiplies four e2m1 by four e4m3 in packed lanes, rounded to e4m3";
  }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override {
    return lane_cases(level, seed);
  }
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override {
    return lane_spec_from_json(spec).map(
        [](const LaneSpec& read) { return std::vector<Problem>{lane_problem(read)}; });
  }
  Result<std::uint64_t> case_bytes(const nlohmann::json& spec) const override {
    return lane_spec_from_json(spec).map([](const LaneSpec& read) {
      return static_cast<std::uint64_t>(read.count) * bytes_per_word;
    });
  }
  nlohmann::json random_spec(std::uint64_t seed) const override { return random_lane_spec(seed); }
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override {
    return smaller_lane_specs(spec);
  }
  Status validate(const Problem& problem) const override {
    return check_signature(signature(), problem);
  }
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override {
    return diagnose_lanes(calls.back(), profile, expected, actual);
  }
  std::uint64_t bytes_moved(const Problem& problem) const override {
    return static_cast<std::uint64_t>(problem.find("d")->shape[0]) * bytes_per_word;
  }
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override;
};

Result<Outputs> Qmul4::expected(const Problem& problem, const oracle::Profile& profile) const {
  if (Status legal = validate(problem); !legal) return tl::make_unexpected(legal.error());
  std::array<std::uint8_t, 4096> products{};
  for (unsigned pair = 0; pair < products.size(); ++pair) {
    products[pair] = static_cast<std::uint8_t>(
        oracle::decode_element(oracle::e4m3::spec, static_cast<std::uint8_t>(pair % 16),
                               static_cast<std::uint8_t>(pair / 16), oracle::Dtype::e4m3, profile));
  }
  const Tensor& a = *problem.find("a");
  const Tensor& b = *problem.find("b");
  const Tensor& d = *problem.find("d");
  Outputs outputs{d.storage};
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.shape[0]); ++i) {
    const std::uint32_t codes = word_at<std::uint16_t>(a, i);
    const auto scales = word_at<std::uint32_t>(b, i);
    for (unsigned lane = 0; lane < 4; ++lane) {
      const std::size_t pair = (scales >> 8 * lane & 0xff) * 16 + (codes >> 4 * lane & 0xf);
      outputs[0][4 * i + lane] = products[pair];
    }
  }
  return outputs;
}

const Signature& Qmul4::signature() const {
  static const Signature signature = [] {
    using Struct = fp4cts_qmul4;
    Signature s;
    s.operation = "qmul4";
    s.tensors = {row("a", Role::input, {DType::u16}), row("b", Role::input, {DType::u32}),
                 row("d", Role::output, {DType::u32})};
    s.struct_name = "fp4cts_qmul4";
    s.struct_bytes = sizeof(Struct);
    s.members = {member("struct_bytes", &Struct::struct_bytes), member("count", &Struct::count),
                 member("a", &Struct::a), member("b", &Struct::b), member("d", &Struct::d)};
    s.grid = {"count"};
    s.grid_counts_threads = true;
    return s;
  }();
  return signature;
}

void Qmul4::cover(const Problem& problem, Coverage& coverage) const {
  if (!validate(problem)) return;
  const Tensor& a = *problem.find("a");
  const Tensor& b = *problem.find("b");
  const auto count = static_cast<std::size_t>(a.shape[0]);
  PairCounts counts{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t codes = word_at<std::uint16_t>(a, i);
    const auto scales = word_at<std::uint32_t>(b, i);
    for (unsigned lane = 0; lane < 4; ++lane) {
      const auto code = static_cast<std::uint8_t>(codes >> 4 * lane & 0xf);
      const auto scale = static_cast<std::uint8_t>(scales >> 8 * lane & 0xff);
      coverage.add_element(code, scale, lane);
      ++counts[std::size_t{scale} * 16 + code];
    }
  }
  cover_values(counts, oracle::e4m3::spec, oracle::Dtype::e4m3, "", coverage);
  if (count == 0) coverage.add("call/nothing_to_do");
  if (count % 128 != 0) coverage.add("call/partial_thread_block");
  cover_extents(name(), std::array{Measured{Measure::words, problem.find("a")->shape[0]}},
                coverage);
  cover_remainder(problem.find("a")->shape[0], coverage);
}

std::vector<std::string> Qmul4::required_bins() const {
  std::vector<std::string> bins{"pairs",
                                "pairs/place0",
                                "pairs/place1",
                                "pairs/place2",
                                "pairs/place3",
                                "call/nothing_to_do",
                                "call/partial_thread_block"};
  for (std::string& bin : extent_bins(name())) bins.push_back(std::move(bin));
  for (std::string& bin : remainder_bins()) bins.push_back(std::move(bin));
  for (std::string& bin : value_bins(oracle::e4m3::spec, oracle::Dtype::e4m3)) {
    bins.push_back(std::move(bin));
  }
  return bins;
}

}  // namespace

const Operation& qmul4() {
  static const Qmul4 operation;
  return operation;
}

}  // namespace harness
