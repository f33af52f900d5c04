#include "harness/suite/operations/write_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/write_operation.hpp"
#include "oracle/blocks/block_scale.hpp"
#include "oracle/numbers/ieee.hpp"

namespace harness {
namespace {

using Elements = std::span<const std::uint32_t>;

constexpr std::int64_t two_31 = std::int64_t{1} << 31;
constexpr std::int64_t two_32 = std::int64_t{1} << 32;

// Rules that differ from that of `ocp` in one axis, with the name of the bin. An axis that no input
// shows beside this rule is not here: a floor of amax lies below that of the NVFP4 scale, and the
// bits of an infinite amax / 6 have the exponent of NaN.
template <class Rule>
struct Part {
  const char* bin;
  void (*change)(Rule&);
};

constexpr auto nvfp4_parts = std::to_array<Part<oracle::Nvfp4Rule>>({
    {"rule/scale_floor", [](auto& r) { r.scale_floor_f32 = 0; }},
    {"rule/sixth", [](auto& r) { r.sixth = oracle::Sixth::product; }},
    {"rule/code_from", [](auto& r) { r.code_from = oracle::CodeFrom::reciprocal_product; }},
    {"rule/nan_in_amax", [](auto& r) { r.nan_in_amax = oracle::NanInAmax::propagates; }},
    {"rule/nan_code", [](auto& r) { r.nan_code = oracle::NanToE2m1::plus_zero; }},
    {"rule/nan_code_sign", [](auto& r) { r.nan_code = oracle::NanToE2m1::signed_six; }},
    {"rule/negative_zero", [](auto& r) { r.negative_zero = oracle::NegativeZero::kept; }},
    {"rule/ties_away", [](auto& r) { r.ties = oracle::Ties::away; }},
    {"rule/ties_toward_zero", [](auto& r) { r.ties = oracle::Ties::toward_zero; }},
});

constexpr auto mxfp4_parts = std::to_array<Part<oracle::Mxfp4Rule>>({
    {"rule/floor", [](auto& r) { r.mode = oracle::ScaleMode::floor; }},
    {"rule/even", [](auto& r) { r.mode = oracle::ScaleMode::even; }},
    {"rule/ceil", [](auto& r) { r.mode = oracle::ScaleMode::ceil; }},
    {"rule/amax_floor", [](auto& r) { r.amax_floor_f32 = oracle::six_smallest_normals_f32; }},
    {"rule/amax_floor_1e-4", [](auto& r) { r.amax_floor_f32 = 0x38d1b717; }},
    {"rule/smallest_scale", [](auto& r) { r.smallest_scale = 0x01; }},
    {"rule/largest_scale", [](auto& r) { r.largest_scale = 0xfe; }},
    {"rule/nan_in_amax", [](auto& r) { r.nan_in_amax = oracle::NanInAmax::propagates; }},
    {"rule/nan_code", [](auto& r) { r.nan_code = oracle::NanToE2m1::plus_zero; }},
    {"rule/nan_code_sign", [](auto& r) { r.nan_code = oracle::NanToE2m1::plus_six; }},
    {"rule/negative_zero", [](auto& r) { r.negative_zero = oracle::NegativeZero::cleared; }},
    {"rule/ties_away", [](auto& r) { r.ties = oracle::Ties::away; }},
    {"rule/ties_toward_zero", [](auto& r) { r.ties = oracle::Ties::toward_zero; }},
});

template <class Rule, std::size_t count>
void cover_parts(Elements block, const Rule& rule, const std::array<Part<Rule>, count>& parts,
                 std::set<std::string>& met) {
  std::vector<std::uint8_t> codes(block.size());
  const std::uint8_t scale = oracle::quantize_block(block, rule, codes);
  for (const Part<Rule>& part : parts) {
    if (met.contains(part.bin)) continue;
    Rule other = rule;
    part.change(other);
    std::vector<std::uint8_t> other_codes(block.size());
    if (oracle::quantize_block(block, other, other_codes) != scale || other_codes != codes) {
      met.insert(part.bin);
    }
  }
}

void cover_block(const WriteForm& form, Elements block, std::string_view source,
                 std::set<std::string>& met) {
  const std::uint32_t amax = oracle::block_amax(block, oracle::NanInAmax::ignored);
  const bool nan = std::any_of(block.begin(), block.end(), oracle::ieee::is_nan);
  const auto add = [&](std::string_view bin) { met.insert(fmt::format("{}/{}", source, bin)); };
  if (nan) add("amax/nan");
  if (amax == 0) add("amax/zero");
  if (amax == oracle::ieee::f32_infinity) add("amax/infinity");
  if (amax > 0 && amax < 0x00800000) add("amax/subnormal");
  if (amax > 0x45280000 && amax < oracle::ieee::f32_infinity) add("amax/past_2688");
  const oracle::Profile& ocp = oracle::profiles::ocp();
  std::vector<std::uint8_t> codes(block.size());
  if (form.layout().scale_format == oracle::e4m3::spec) {
    oracle::quantize_block(block, ocp.nvfp4_writer, codes);
    cover_parts(block, ocp.nvfp4_writer, nvfp4_parts, met);
  } else {
    oracle::quantize_block(block, ocp.mxfp4_writer, codes);
    cover_parts(block, ocp.mxfp4_writer, mxfp4_parts, met);
  }
  for (const std::uint8_t code : codes) add(fmt::format("code/{:x}", code));
}

void cover_slots(const WriteForm& form, const Problem& problem, const oracle::WritePlan& plan,
                 std::set<std::string>& met) {
  const std::int64_t tokens = problem.find("rows")->shape[0];
  const auto heads = static_cast<std::size_t>(
      form.has_heads() && problem.find("rows")->shape.size() == 3 ? problem.find("rows")->shape[1]
                                                                  : 1);
  if (tokens == 0) met.insert("call/no_rows");
  if (heads == 0) return;
  const std::size_t written = plan.moves.size() / heads;
  if (static_cast<std::int64_t>(written) < tokens) met.insert("slots/skipped");
  if (written == 0 && tokens > 0) met.insert("slots/all_skipped");
  if (tokens % 16 != 0) met.insert("call/partial_thread_block");
  if (heads > 1) met.insert("call/heads");
  std::set<std::int64_t> pages;
  for (const oracle::RowMove& move : plan.moves) {
    pages.insert(move.slot.page_id);
    met.insert(fmt::format("token/{}", move.slot.token));
    if (move.page_bytes >= two_31) met.insert("offsets/past_2_31");
    if (move.page_bytes >= two_32) met.insert("offsets/past_2_32");
    if (move.slot.page_id > 0xffff) met.insert("offsets/page_id_past_16_bits");
  }
  if (pages.size() > 1) met.insert("slots/several_pages");
  if (written > pages.size()) met.insert("slots/page_written_again");
  const Tensor& pool = *problem.find(form.pool().name);
  if (pool.shape[0] > 1 &&
      pool.strides[0] > form.layout().page_bytes() * static_cast<std::int64_t>(heads)) {
    met.insert("strides/pages_apart");
  }
}

void cover_extents_of(const WriteForm& form, const Problem& problem, const oracle::WritePlan& plan,
                      Coverage& coverage) {
  if (plan.moves.empty()) return;
  const Tensor& rows = *problem.find("rows");
  const Tensor& pool = *problem.find(form.pool().name);
  const std::int64_t heads = form.has_heads() && rows.shape.size() == 3 ? rows.shape[1] : 1;
  const auto width = static_cast<std::int64_t>(element_bytes(rows.dtype));
  std::int64_t page_id = 0;
  std::int64_t pool_end = 0;
  std::int64_t source_end = 0;
  for (const oracle::RowMove& move : plan.moves) {
    page_id = std::max(page_id, move.slot.page_id);
    pool_end = std::max(pool_end, move.page_bytes + form.layout().page_bytes());
    source_end = std::max(source_end, move.source_bytes + form.layout().head_dim * width);
  }
  const bool several_rows = rows.shape[0] > 1;
  const std::array values{
      Measured{Measure::rows, rows.shape[0]},
      Measured{Measure::heads, heads},
      Measured{Measure::pairs, heads > 1 ? static_cast<std::int64_t>(plan.moves.size()) : 0},
      Measured{Measure::page_id, page_id},
      Measured{Measure::page_stride, page_id > 0 ? pool.strides[0] : 0},
      Measured{Measure::head_stride, heads > 1 ? pool.strides[1] : 0},
      Measured{Measure::row_stride, several_rows ? rows.strides[0] * width : 0},
      Measured{Measure::source_bytes, source_end},
      Measured{Measure::pool_bytes, pool_end}};
  cover_extents(form.name(), values, coverage);
}

}  // namespace

void cover_write(const WriteForm& form, const Problem& problem, Coverage& coverage) {
  const auto plan = plan_write(form, problem, oracle::profiles::ocp());
  if (!plan) return;
  cover_extents_of(form, problem, *plan, coverage);
  std::set<std::string> met;
  cover_slots(form, problem, *plan, met);
  const std::string source = fmt::format("from/{}", name_of(problem.find("rows")->dtype));
  const auto size = static_cast<std::size_t>(form.layout().scale_block_size);
  std::set<std::vector<std::uint32_t>> seen;
  for (const oracle::RowMove& move : plan->moves) {
    const std::vector<std::uint32_t> row = row_of(problem, *plan, move);
    for (std::size_t begin = 0; begin < row.size(); begin += size) {
      std::vector<std::uint32_t> block(row.begin() + static_cast<std::ptrdiff_t>(begin),
                                       row.begin() + static_cast<std::ptrdiff_t>(begin + size));
      if (seen.size() > 4096) break;
      const auto [at, added] = seen.insert(std::move(block));
      if (added) cover_block(form, *at, source, met);
    }
  }
  for (const std::string& bin : met) coverage.add(bin);
}

std::vector<std::string> write_bins(const WriteForm& form) {
  std::vector<std::string> bins{
      "call/no_rows",       "call/partial_thread_block", "slots/skipped",
      "slots/all_skipped",  "slots/several_pages",       "slots/page_written_again",
      "offsets/past_2_31",  "offsets/past_2_32",         "offsets/page_id_past_16_bits",
      "strides/pages_apart"};
  if (form.has_heads()) bins.emplace_back("call/heads");
  for (std::string& bin : extent_bins(form.name())) bins.push_back(std::move(bin));
  for (int token = 0; token < form.layout().num_tokens; ++token) {
    bins.push_back(fmt::format("token/{}", token));
  }
  for (const std::string_view source : {"F32", "F16", "BF16"}) {
    for (const std::string_view amax : {"nan", "zero", "infinity", "past_2688"}) {
      bins.push_back(fmt::format("from/{}/amax/{}", source, amax));
    }
    for (int code = 0; code < 16; ++code) {
      // The rule of `ocp` for NVFP4 stores every zero as +0.
      if (code == 8 && form.layout().scale_format == oracle::e4m3::spec) continue;
      bins.push_back(fmt::format("from/{}/code/{:x}", source, code));
    }
  }
  bins.emplace_back("from/F32/amax/subnormal");
  bins.emplace_back("from/BF16/amax/subnormal");
  if (form.layout().scale_format == oracle::e4m3::spec) {
    for (const auto& part : nvfp4_parts) bins.emplace_back(part.bin);
  } else {
    for (const auto& part : mxfp4_parts) bins.emplace_back(part.bin);
  }
  return bins;
}

}  // namespace harness
