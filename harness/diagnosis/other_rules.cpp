#include <fmt/format.h>

#include "harness/diagnosis/write_diagnosis.hpp"

namespace harness {
namespace {

using oracle::Profile;

// The members that both writers' rules have.
template <class Rule>
void add_element_axes(std::vector<OtherRule>& rules, const Profile& declared,
                      Rule Profile::*writer) {
  const Rule& rule = declared.*writer;
  const auto add = [&](std::string_view fault_class, std::string axis, auto&& change) {
    Profile other = declared;
    change(other.*writer);
    if (other.*writer == rule) return;
    rules.push_back({fault_class, std::move(axis), std::move(other)});
  };
  for (const auto& [ties, name, fault_class] :
       {std::tuple{oracle::Ties::away, "away", "e2m1_ties_away"},
        {oracle::Ties::toward_zero, "toward_zero", "e2m1_ties_toward_zero"},
        {oracle::Ties::toward_minus, "toward_minus", "e2m1_ties_toward_minus"},
        {oracle::Ties::to_even, "to_even", "e2m1_ties_to_even"}}) {
    add(fault_class, fmt::format("ties {}", name), [ties = ties](Rule& r) { r.ties = ties; });
  }
  for (const auto& [nan, name] : {std::pair{oracle::NanInAmax::ignored, "ignored"},
                                  {oracle::NanInAmax::propagates, "propagates"}}) {
    add(nan == oracle::NanInAmax::ignored ? "amax_drops_nan" : "amax_takes_nan",
        fmt::format("nan_in_amax {}", name), [nan = nan](Rule& r) { r.nan_in_amax = nan; });
  }
  for (const auto& [nan, name] : {std::pair{oracle::NanToE2m1::plus_six, "plus_six"},
                                  {oracle::NanToE2m1::signed_six, "signed_six"},
                                  {oracle::NanToE2m1::plus_zero, "plus_zero"},
                                  {oracle::NanToE2m1::signed_zero, "signed_zero"},
                                  {oracle::NanToE2m1::minus_zero, "minus_zero"}}) {
    add("nan_into_e2m1", fmt::format("nan_code {}", name),
        [nan = nan](Rule& r) { r.nan_code = nan; });
  }
  add("enc_negative_zero_lost", "negative_zero cleared",
      [](Rule& r) { r.negative_zero = oracle::NegativeZero::cleared; });
  add("negative_zero_stored", "negative_zero kept",
      [](Rule& r) { r.negative_zero = oracle::NegativeZero::kept; });
  for (const auto& [bits, name] : {std::pair{std::uint32_t{0x38d1b717}, "1e-4"},
                                   {std::uint32_t{0x2b8cbccc}, "1e-12"},
                                   {oracle::six_smallest_normals_f32, "6 * 2^-126"},
                                   {std::uint32_t{0}, "none"}}) {
    add(bits > rule.amax_floor_f32 ? "amax_floor_too_high" : "amax_floor_missing",
        fmt::format("amax_floor_f32 {}", name),
        [bits = bits](Rule& r) { r.amax_floor_f32 = bits; });
  }
  add("reciprocal_multiply", "sixth product", [](Rule& r) { r.sixth = oracle::Sixth::product; });
  add("sixth_by_division", "sixth quotient", [](Rule& r) { r.sixth = oracle::Sixth::quotient; });
}

void add_nvfp4_axes(std::vector<OtherRule>& rules, const Profile& declared) {
  const oracle::Nvfp4Rule& rule = declared.nvfp4_writer;
  const auto add = [&](std::string_view fault_class, std::string axis, auto&& change) {
    Profile other = declared;
    change(other.nvfp4_writer);
    if (other.nvfp4_writer == rule) return;
    rules.push_back({fault_class, std::move(axis), std::move(other)});
  };
  for (const auto& [from, name, fault_class] :
       {std::tuple{oracle::CodeFrom::reciprocal_product, "reciprocal_product",
                   "reciprocal_multiply"},
        {oracle::CodeFrom::reciprocal_product_to_zero, "reciprocal_product_to_zero",
         "reciprocal_multiply"},
        {oracle::CodeFrom::quotient, "quotient", "codes_by_division"}}) {
    add(fault_class, fmt::format("code_from {}", name),
        [from = from](auto& r) { r.code_from = from; });
  }
  add("scale_floor_missing", "scale_floor_f32 none", [](auto& r) { r.scale_floor_f32 = 0; });
  add("scale_floor_added", "scale_floor_f32 2^-9", [](auto& r) { r.scale_floor_f32 = 0x3b000000; });
  for (const auto& [zero, name] :
       {std::pair{oracle::ZeroMultiplier::scale_is_zero, "scale_is_zero"},
        {oracle::ZeroMultiplier::amax_is_zero, "amax_is_zero"}}) {
    add("zero_scale_multiplier", fmt::format("zero_multiplier {}", name),
        [zero = zero](auto& r) { r.zero_multiplier = zero; });
  }
}

void add_mxfp4_axes(std::vector<OtherRule>& rules, const Profile& declared) {
  const oracle::Mxfp4Rule& rule = declared.mxfp4_writer;
  const auto add = [&](std::string_view fault_class, std::string axis, auto&& change) {
    Profile other = declared;
    change(other.mxfp4_writer);
    if (other.mxfp4_writer == rule) return;
    rules.push_back({fault_class, std::move(axis), std::move(other)});
  };
  for (const auto& [mode, name] : {std::pair{oracle::ScaleMode::floor, "floor"},
                                   {oracle::ScaleMode::even, "even"},
                                   {oracle::ScaleMode::ceil, "ceil"},
                                   {oracle::ScaleMode::round_up, "round_up"}}) {
    add("e8m0_scale_rule", fmt::format("mode {}", name), [mode = mode](auto& r) { r.mode = mode; });
  }
  for (const auto& [quarter, name] :
       {std::pair{oracle::Quarter::product, "product"}, {oracle::Quarter::exponent, "exponent"}}) {
    add("e8m0_scale_rule", fmt::format("quarter {}", name),
        [quarter = quarter](auto& r) { r.quarter = quarter; });
  }
  add("zero_block_scale", "smallest_scale 01", [](auto& r) { r.smallest_scale = 0x01; });
  add("zero_block_scale", "smallest_scale 00", [](auto& r) { r.smallest_scale = 0x00; });
  add("nan_scale_not_stored", "largest_scale fe", [](auto& r) { r.largest_scale = 0xfe; });
  add("nan_scale_stored", "largest_scale ff", [](auto& r) { r.largest_scale = 0xff; });
  for (const auto& [nonfinite, name] : {std::pair{oracle::NonfiniteScale::nan, "nan"},
                                        {oracle::NonfiniteScale::from_bits, "from_bits"}}) {
    add("nonfinite_scale", fmt::format("nonfinite_scale {}", name),
        [nonfinite = nonfinite](auto& r) { r.nonfinite_scale = nonfinite; });
  }
}

}  // namespace

std::vector<OtherRule> other_rules(const WriteForm& form, const Profile& declared) {
  std::vector<OtherRule> rules;
  if (form.layout().scale_format == oracle::e4m3::spec) {
    add_element_axes(rules, declared, &Profile::nvfp4_writer);
    add_nvfp4_axes(rules, declared);
  } else {
    add_element_axes(rules, declared, &Profile::mxfp4_writer);
    add_mxfp4_axes(rules, declared);
  }
  return rules;
}

}  // namespace harness
