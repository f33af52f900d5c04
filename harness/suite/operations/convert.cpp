// `convert`: an array of numbers rounded once into another format, element by element, from a wide
// format into a narrow one or back; and `encode_e4m3`, which is f32 to e4m3 alone. They show what
// pages cannot, whose products have at most 6 significant bits: a carry of the rounded mantissa
// into the exponent, and a rounding by way of f16 or bf16 (docs/faults.md A10, A14).
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "fp4cts/abi.h"
#include "harness/diagnosis/convert_diagnosis.hpp"
#include "harness/diagnosis/encode_diagnosis.hpp"
#include "harness/suite/operations/convert_cases.hpp"
#include "harness/suite/operations/convert_spec.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/registry.hpp"
#include "harness/suite/operations/rows.hpp"
#include "harness/suite/signature_check.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::Overflow;
using oracle::Round;
using oracle::Step;

constexpr Cast f32_to_e4m3{DType::f32, DType::e4m3};

bool is_wide(DType dtype) {
  return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

template <class Struct>
Signature rows_signature(std::string_view operation, std::string_view struct_name) {
  Signature s;
  s.operation = operation;
  s.struct_name = struct_name;
  s.struct_bytes = sizeof(Struct);
  s.members = {member("struct_bytes", &Struct::struct_bytes), member("count", &Struct::count),
               member("x", &Struct::x), member("d", &Struct::d)};
  s.grid = {"count"};
  s.grid_counts_threads = true;
  return s;
}

const Signature& encode_signature() {
  static const Signature signature = [] {
    Signature s = rows_signature<fp4cts_encode_e4m3>("encode_e4m3", "fp4cts_encode_e4m3");
    s.tensors = {row("x", Role::input, {DType::f32}), row("d", Role::output, {DType::e4m3})};
    return s;
  }();
  return signature;
}

const Signature& convert_signature() {
  static const Signature signature = [] {
    using Struct = fp4cts_convert;
    Signature s = rows_signature<Struct>("convert", "fp4cts_convert");
    s.members.push_back(member("x_dtype", &Struct::x_dtype));
    s.members.push_back(member("d_dtype", &Struct::d_dtype));
    std::vector<DType> from;
    std::vector<DType> to;
    for (const Cast& cast : all_casts()) {
      if (std::find(from.begin(), from.end(), cast.from) == from.end()) from.push_back(cast.from);
      if (std::find(to.begin(), to.end(), cast.to) == to.end()) to.push_back(cast.to);
    }
    s.tensors = {row("x", Role::input, from), row("d", Role::output, to)};
    return s;
  }();
  return signature;
}

// Names of the edges that one value meets.
std::vector<std::string_view> edges_of(const Cast& cast, std::uint32_t bits) {
  const oracle::FormatSpec& from = format_of(cast.from);
  const oracle::FormatSpec& to = format_of(cast.to);
  const Exact value = oracle::decode(from, bits & oracle::code_mask(from));
  if (value.is_nan()) return {value.negative() ? "edge/negative_nan" : "edge/nan"};
  if (value.is_infinity()) return {value.negative() ? "edge/negative_infinity" : "edge/infinity"};
  const auto encode = [&](const Exact& exact, Round round) {
    const Overflow overflow = is_wide(cast.to) ? Overflow::to_inf : Overflow::satfinite;
    return oracle::encode_traced(to, exact, round, overflow, oracle::strict)
        .value_or(oracle::Encoding{});  // every destination takes every number
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
  const std::uint32_t magnitude = code & oracle::magnitude_mask(to);
  const std::uint32_t exponent = code & oracle::exponent_mask(to);
  if (magnitude == 0) {
    edges.push_back(value.negative() ? "edge/negative_zero_result" : "edge/zero_result");
    if (!value.is_zero()) edges.push_back("edge/underflow");
  } else if (exponent == 0) {
    edges.push_back("edge/subnormal_result");
  }
  if (const std::uint32_t cut = encode(value, Round::rtz).code & oracle::exponent_mask(to);
      cut != exponent) {
    edges.push_back(cut == 0 ? "edge/carry_to_normal" : "edge/carry_to_exponent");
  }
  const std::uint32_t source_magnitude = bits & oracle::magnitude_mask(from);
  if (from.subnormals && !value.is_zero() && source_magnitude < 1U << from.mantissa_bits) {
    edges.push_back(cast.from == DType::f32 ? "edge/f32_subnormal" : "edge/subnormal_source");
  }
  if (cast.from != DType::f32) return edges;
  for (const auto& [between, edge] : {std::pair{&oracle::f16::spec, "edge/twice_by_f16"},
                                      std::pair{&oracle::bf16::spec, "edge/twice_by_bf16"}}) {
    const auto rounded =
        oracle::round(*between, value, Round::rne, Overflow::to_inf, oracle::strict);
    if (rounded && encode(*rounded, Round::rne).code != code) edges.emplace_back(edge);
  }
  return edges;
}

// What an operation of casts is beside what all of them share.
struct CastOperation {
  std::string_view summary;
  const Signature& (*signature)();
  std::optional<Cast> only;
  std::vector<Case> (*cases)(Level level, std::uint64_t seed);
};

class Convert final : public Operation {
 public:
  explicit Convert(CastOperation operation) : operation_(operation) {}

  const Signature& signature() const override { return operation_.signature(); }
  std::string_view summary() const override { return operation_.summary; }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override {
    return operation_.cases(level, seed);
  }
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override {
    return read(spec).map([&](const ConvertSpec& found) {
      return std::vector<Problem>{convert_problem(name(), found)};
    });
  }
  Result<std::uint64_t> case_bytes(const nlohmann::json& spec) const override {
    return read(spec).map([](const ConvertSpec& found) {
      return static_cast<std::uint64_t>(found.count) * bytes_per_value(found.cast);
    });
  }
  nlohmann::json random_spec(std::uint64_t seed) const override {
    return random_convert_spec(seed, operation_.only);
  }
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override {
    return smaller_convert_specs(spec, operation_.only);
  }
  Status validate(const Problem& problem) const override;
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override {
    return operation_.only ? diagnose_encode(calls.back(), profile, expected, actual)
                           : diagnose_convert(calls.back(), profile, expected, actual);
  }
  std::uint64_t bytes_moved(const Problem& problem) const override {
    return problem.find("x")->storage.size() + problem.find("d")->storage.size();
  }
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override;

 private:
  Result<ConvertSpec> read(const nlohmann::json& spec) const {
    return convert_spec_from_json(spec, operation_.only);
  }
  std::vector<Cast> casts() const {
    if (operation_.only) return {*operation_.only};
    return {all_casts().begin(), all_casts().end()};
  }
  // What the bins of a cast begin with: nothing where there is one.
  std::string bins_of(const Cast& cast) const { return operation_.only ? "" : name_of(cast) + '/'; }

  CastOperation operation_;
};

Cast cast_of(const Problem& problem) {
  return {problem.find("x")->dtype, problem.find("d")->dtype};
}

Status Convert::validate(const Problem& problem) const {
  if (Status legal = check_signature(signature(), problem); !legal) return legal;
  const std::vector<Cast> known = casts();
  if (std::find(known.begin(), known.end(), cast_of(problem)) != known.end()) return {};
  return oracle::fail(ErrorCode::wrong_dtype,
                      std::string(name()) + ": d: dtype: expected one that " +
                          std::string(harness::name_of(cast_of(problem).from)) +
                          " is converted to, got " +
                          std::string(harness::name_of(cast_of(problem).to)));
}

Result<Outputs> Convert::expected(const Problem& problem, const oracle::Profile& profile) const {
  if (Status legal = validate(problem); !legal) return tl::make_unexpected(legal.error());
  const Cast cast = cast_of(problem);
  const Tensor& x = *problem.find("x");
  const Tensor& d = *problem.find("d");
  const std::size_t width = element_bytes(cast.to);
  Outputs outputs{d.storage};
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.shape[0]); ++i) {
    const std::uint32_t code = cast_code(cast, bits_at(x, i), profile);
    std::memcpy(outputs[0].data() + i * width, &code, width);
  }
  return outputs;
}

void Convert::cover(const Problem& problem, Coverage& coverage) const {
  if (!validate(problem)) return;
  const Cast cast = cast_of(problem);
  const Tensor& x = *problem.find("x");
  const auto count = static_cast<std::size_t>(x.shape[0]);
  std::map<std::string_view, std::uint64_t> met;
  std::set<std::uint32_t> results;
  std::set<std::uint32_t> sources;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = bits_at(x, i);
    for (const std::string_view edge : edges_of(cast, bits)) ++met[edge];
    if (cast.to == DType::e4m3) {
      results.insert(cast_code(cast, bits, oracle::profiles::ocp()));
    }
    if (element_bytes(cast.from) == 1) sources.insert(bits);
  }
  const std::string prefix = bins_of(cast);
  for (const auto& [edge, times] : met) coverage.add(prefix + std::string(edge), times);
  // ff is the NaN that no conversion gives.
  if (results.size() == 255) coverage.add(prefix + "results/every_code");
  if (element_bytes(cast.from) == 1 && sources.size() == oracle::num_codes(format_of(cast.from))) {
    coverage.add(prefix + "sources/every_code");
  }
  if (count == 0) coverage.add("call/nothing_to_do");
  if (count % 256 != 0) coverage.add("call/partial_thread_block");
  cover_extents(name(), std::array{Measured{Measure::words, x.shape[0]}}, coverage);
  cover_remainder(x.shape[0], coverage);
  if (x.shape[0] > 8192 && x.shape[0] % 8 != 0) coverage.add(prefix + "call/tail_after_8192");
}

std::vector<std::string> Convert::required_bins() const {
  std::set<std::string> bins{"call/nothing_to_do", "call/partial_thread_block"};
  for (std::string& bin : extent_bins(name())) bins.insert(std::move(bin));
  for (std::string& bin : remainder_bins()) bins.insert(std::move(bin));
  for (const Cast& cast : casts()) {
    const std::string prefix = bins_of(cast);
    bins.insert(prefix + "call/tail_after_8192");
    for (const std::uint32_t bits : cast_edges(cast)) {
      for (const std::string_view edge : edges_of(cast, bits)) {
        bins.insert(prefix + std::string(edge));
      }
    }
    if (cast.to == DType::e4m3) bins.insert(prefix + "results/every_code");
    if (element_bytes(cast.from) == 1) bins.insert(prefix + "sources/every_code");
  }
  return {bins.begin(), bins.end()};
}

}  // namespace

const Operation& encode_e4m3() {
  static const Convert operation(
      {"rounds f32 values to e4m3, one by one", encode_signature, f32_to_e4m3, encode_cases});
  return operation;
}

const Operation& convert() {
  static const Convert operation(
      {"rounds f32, f16 and bf16 to e4m3, e5m2 and e2m1, and takes e4m3, e5m2, e8m0 and e2m1 back",
       convert_signature, std::nullopt, convert_cases});
  return operation;
}

}  // namespace harness
