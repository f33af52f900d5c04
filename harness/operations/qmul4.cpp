// `qmul4`, DESIGN.md section 3.1: four lanes of e2m1 times e4m3, rounded once to e4m3.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "diagnosis/lane_diagnosis.hpp"
#include "kernels/abi.hpp"
#include "operations/bind.hpp"
#include "operations/case_list.hpp"
#include "operations/oracle_views.hpp"
#include "operations/qmul4_spec.hpp"
#include "operations/random.hpp"
#include "operations/registry.hpp"
#include "operations/value_bins.hpp"
#include "oracle/product.hpp"

namespace harness {
namespace {

template <class Word>
Word word_at(const Tensor& tensor, std::size_t i) {
  Word word{};
  std::memcpy(&word, tensor.storage.data() + i * sizeof word, sizeof word);
  return word;
}

class Qmul4 final : public Operation {
 public:
  std::string_view name() const override { return "qmul4"; }
  std::string_view summary() const override {
    return "multiplies four e2m1 by four e4m3 in packed lanes, rounded to e4m3";
  }
  std::vector<Case> cases(Level level, std::uint64_t seed) const override;
  Result<std::vector<Problem>> build(const nlohmann::json& spec) const override {
    return lane_spec_from_json(spec).map(
        [](const LaneSpec& read) { return std::vector<Problem>{lane_problem(read)}; });
  }
  nlohmann::json random_spec(std::uint64_t seed) const override;
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json& spec) const override;
  Status validate(const Problem& problem) const override;
  Result<Outputs> expected(const Problem& problem, const oracle::Profile& profile) const override;
  Result<Launch> bind(const Problem& problem, std::span<const std::uint64_t> origins,
                      unsigned threads_per_block) const override;
  Diagnosis diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                     const Outputs& expected, const Outputs& actual) const override {
    return diagnose_lanes(calls.back(), profile, expected, actual);
  }
  std::uint64_t bytes_moved(const Problem& problem) const override {
    return static_cast<std::uint64_t>(problem.find("d")->shape[0]) * (2 + 4 + 4);
  }
  void cover(const Problem& problem, Coverage& coverage) const override;
  std::vector<std::string> required_bins() const override;
};

std::vector<Case> Qmul4::cases(Level level, std::uint64_t seed) const {
  CaseList list(name(), level, [&](const nlohmann::json& spec) {
    const auto read = lane_spec_from_json(spec);
    return read ? static_cast<std::uint64_t>(read->count) * 10 : 0;
  });
  const nlohmann::json all{{"contents", {{"kind", "exhaustive"}}}, {"count", 4096}};
  list.add(Level::smoke, "all_pairs", {"values"},
           "all 16 x 256 pairs of code and scale in every lane", all);
  for (const std::string_view fill : {"00", "7f"}) {
    nlohmann::json filled = all;
    filled["fill"] = fill;
    list.add(Level::standard, fmt::format("all_pairs_fill_{}", fill), {"values", "memory"},
             fmt::format("all pairs into an output filled with {}", fill), filled);
  }
  const auto random = [](std::uint64_t of_seed, std::int64_t count) {
    return nlohmann::json{
        {"contents", {{"kind", "random"}, {"seed", of_seed}, {"distribution", "edges"}}},
        {"count", count}};
  };
  for (const std::int64_t count : {0, 1, 2, 3, 127, 128, 129, 255, 257, 1000}) {
    list.add(Level::standard, fmt::format("count_{}", count), {"tail"},
             "counts that do not fill the last thread block, none included", random(5, count));
  }
  for (const std::int64_t base : {16, 64, 128}) {
    nlohmann::json moved = random(6, 777);
    moved["misalignment_bytes"] = {{"a", base}, {"b", base}, {"d", base}};
    list.add(Level::standard, fmt::format("base_offset_{}", base), {"strides"},
             fmt::format("arrays that begin {} bytes after a multiple of 256", base), moved);
  }
  for (std::uint64_t i = 0; i < 4; ++i) {
    list.add(Level::full, fmt::format("random_{}", i), {"values", "random"},
             "random words from the run's seed", random(mix64(seed, i) >> 1, 100000));
  }
  list.add(Level::full, "volume", {"volume", "random"}, "16 million words",
           random(mix64(seed, 99) >> 1, 16 << 20));
  return list.take();
}

nlohmann::json Qmul4::random_spec(std::uint64_t seed) const {
  Random random(mix64(seed));
  LaneSpec spec;
  spec.kind = LaneContent::random;
  spec.seed = random.bits() >> 1;
  spec.distribution = random.one_in(4) ? Distribution::uniform : Distribution::edges;
  spec.count = random.one_in(4) ? random.between(0, 5000) : random.between(0, 300);
  spec.misalignment_d = 16 * random.between(0, 15);
  if (random.one_in(2)) spec.misalignment_a = 2 * random.between(0, 127);
  if (random.one_in(2)) spec.misalignment_b = 4 * random.between(0, 63);
  if (random.one_in(2)) spec.fill = random.byte();
  return to_json(spec);
}

std::vector<nlohmann::json> Qmul4::smaller_specs(const nlohmann::json& spec) const {
  const auto read = lane_spec_from_json(spec);
  if (!read) return {};
  std::vector<nlohmann::json> smaller;
  const auto propose = [&](const LaneSpec& candidate) {
    nlohmann::json json = to_json(candidate);
    if (json != to_json(*read)) smaller.push_back(std::move(json));
  };
  const Problem problem = lane_problem(*read);
  // Words [first, first + count), stated where they are few.
  const auto window = [&](std::int64_t first, std::int64_t count) {
    LaneSpec part = *read;
    part.first += first;
    part.count = count;
    if (read->kind == LaneContent::words || count <= 16) {
      part.kind = LaneContent::words;
      part.a.clear();
      part.b.clear();
      for (std::int64_t i = first; i < first + count; ++i) {
        part.a.push_back(word_at<std::uint16_t>(problem.tensors[0], static_cast<std::size_t>(i)));
        part.b.push_back(word_at<std::uint32_t>(problem.tensors[1], static_cast<std::size_t>(i)));
      }
    }
    propose(part);
  };
  if (read->count > 1) {
    window(0, read->count / 2);
    window(read->count / 2, read->count - read->count / 2);
  }
  LaneSpec plain = *read;
  plain.misalignment_a.reset();
  plain.misalignment_b.reset();
  plain.misalignment_d = 0;
  plain.fill = LaneSpec{}.fill;
  propose(plain);
  if (read->count == 1) {
    window(0, 1);
    const auto a = word_at<std::uint16_t>(problem.tensors[0], 0);
    const auto b = word_at<std::uint32_t>(problem.tensors[1], 0);
    for (int lane = 0; lane < 4; ++lane) {  // one lane set to 1.0 x 1.0
      LaneSpec part = *read;
      part.kind = LaneContent::words;
      part.a = {static_cast<std::uint16_t>((a & ~(0xf << 4 * lane)) | (unit_code << 4 * lane))};
      part.b = {(b & ~(0xffU << 8 * lane)) | (0x38U << 8 * lane)};
      propose(part);
    }
  }
  return smaller;
}

Status Qmul4::validate(const Problem& problem) const {
  std::int64_t count = -1;
  for (const auto& [tensor, dtype] : {std::pair<std::string_view, DType>{"a", DType::u16},
                                      {"b", DType::u32},
                                      {"d", DType::u32}}) {
    const auto view = oracle_view(problem, tensor);
    if (!view) return tl::make_unexpected(view.error());
    if (view->dtype != oracle_dtype(dtype)) {
      return oracle::fail(ErrorCode::wrong_dtype,
                          fmt::format("qmul4: {}: dtype: expected {}, got {}", tensor,
                                      name_of(dtype), oracle::name_of(view->dtype)));
    }
    if (count < 0 && view->rank() == 1) count = view->shape[0];
    if (view->shape != oracle::Extents{count}) {
      return oracle::fail(
          ErrorCode::wrong_shape,
          fmt::format("qmul4: {}: shape: expected [{}], got {}", tensor,
                      count < 0 ? "*" : fmt::format("{}", count), oracle::to_text(view->shape)));
    }
    if (view->strides != oracle::Extents{1}) {
      return oracle::fail(ErrorCode::wrong_stride,
                          fmt::format("qmul4: {}: strides: expected [1], got {}", tensor,
                                      oracle::to_text(view->strides)));
    }
    const std::int64_t bytes = count * static_cast<std::int64_t>(element_bytes(dtype));
    if (!oracle::holds(*view, 0, bytes)) {
      return oracle::fail(ErrorCode::too_small,
                          fmt::format("qmul4: {}: expected {} bytes of storage, got {}", tensor,
                                      bytes, view->storage.size()));
    }
  }
  if (problem.find("d")->role != Role::output) {
    return oracle::fail(ErrorCode::invalid_argument, "qmul4: d: expected an output, got an input");
  }
  return {};
}

Result<Outputs> Qmul4::expected(const Problem& problem, const oracle::Profile& profile) const {
  if (Status legal = validate(problem); !legal) return tl::make_unexpected(legal.error());
  std::array<std::uint8_t, 4096> products{};
  for (unsigned pair = 0; pair < products.size(); ++pair) {
    products[pair] = static_cast<std::uint8_t>(
        oracle::decode_element(oracle::ScaleFormat::e4m3, static_cast<std::uint8_t>(pair % 16),
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

Result<Launch> Qmul4::bind(const Problem& problem, std::span<const std::uint64_t> origins,
                           unsigned threads_per_block) const {
  kernels::Qmul4Args args{};
  args.a = device_pointer<const std::uint16_t>(problem, origins, "a");
  args.b = device_pointer<const std::uint32_t>(problem, origins, "b");
  args.d = device_pointer<std::uint32_t>(problem, origins, "d");
  args.count = problem.find("d")->shape[0];
  const auto count = static_cast<std::uint64_t>(args.count);
  return Launch{bytes_of(args), (count + threads_per_block - 1) / threads_per_block};
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
  cover_values(counts, oracle::ScaleFormat::e4m3, oracle::Dtype::e4m3, coverage);
  if (count == 0) coverage.add("call/nothing_to_do");
  if (count % 128 != 0) coverage.add("call/partial_thread_block");
}

std::vector<std::string> Qmul4::required_bins() const {
  std::vector<std::string> bins{"pairs",
                                "pairs/place0",
                                "pairs/place1",
                                "pairs/place2",
                                "pairs/place3",
                                "call/nothing_to_do",
                                "call/partial_thread_block"};
  for (std::string& bin : value_bins(oracle::ScaleFormat::e4m3, oracle::Dtype::e4m3)) {
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
