// The members of a profile by name, and the words that each may have: stated once for whoever reads
// or writes profiles as text (the JSON files of the harness, the C interface of the oracle).
//
//   members(visit, profile) calls, in the order of the schema, for each member
//     visit.bits(name, unsigned&)              a code, written in hex
//     visit.word(name, words, enum&)           one of a list of words
//     visit.object(name, struct&)              an object with members of its own
//     visit.names(name, std::vector<std::string>&)
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "oracle/profile.hpp"

namespace oracle {

template <class Enum, std::size_t count>
using Words = std::array<std::pair<Enum, std::string_view>, count>;

namespace profile_words {

inline constexpr Words<NanSign, 3> nan_signs{{{NanSign::as_coded, "as_coded"},
                                              {NanSign::from_scale, "from_scale"},
                                              {NanSign::from_element, "from_element"}}};
inline constexpr Words<E8m0Zero, 2> e8m0_zeros{
    {{E8m0Zero::two_to_minus_127, "two_to_minus_127"}, {E8m0Zero::zero, "zero"}}};
inline constexpr Words<E8m0Ff, 3> e8m0_ffs{
    {{E8m0Ff::nan, "nan"}, {E8m0Ff::infinity, "infinity"}, {E8m0Ff::two_to_128, "two_to_128"}}};
inline constexpr Words<E4m3Family, 2> families{
    {{E4m3Family::ocp, "ocp"}, {E4m3Family::fnuz, "fnuz"}}};
inline constexpr Words<ScaleSign, 2> scale_signs{
    {{ScaleSign::signed_e4m3, "signed_e4m3"}, {ScaleSign::unsigned_e4m3, "unsigned_e4m3"}}};
inline constexpr Words<E4m3Overflow, 2> overflows{
    {{E4m3Overflow::satfinite, "satfinite"}, {E4m3Overflow::to_nan, "to_nan"}}};
inline constexpr Words<E4m3Infinity, 2> infinities{
    {{E4m3Infinity::saturate, "saturate"}, {E4m3Infinity::to_nan, "to_nan"}}};
inline constexpr Words<NegativeZero, 2> negative_zeros{
    {{NegativeZero::kept, "kept"}, {NegativeZero::cleared, "cleared"}}};
inline constexpr Words<ZeroCodeNanScale, 2> zero_codes{
    {{ZeroCodeNanScale::nan, "nan"}, {ZeroCodeNanScale::zero, "zero"}}};
inline constexpr Words<ScaleOrderChoice, 4> scale_orders{
    {{ScaleOrderChoice::of_layout, "of_layout"},
     {ScaleOrderChoice::linear, "linear"},
     {ScaleOrderChoice::quads, "quads"},
     {ScaleOrderChoice::swizzle_128x4, "swizzle_128x4"}}};
inline constexpr Words<PageStride, 2> page_strides{
    {{PageStride::as_given, "as_given"}, {PageStride::dense, "dense"}}};
inline constexpr Words<Sixth, 2> sixths{
    {{Sixth::quotient, "quotient"}, {Sixth::product, "product"}}};
inline constexpr Words<CodeFrom, 3> codes_from{
    {{CodeFrom::quotient, "quotient"},
     {CodeFrom::reciprocal_product, "reciprocal_product"},
     {CodeFrom::reciprocal_product_to_zero, "reciprocal_product_to_zero"}}};
inline constexpr Words<ZeroMultiplier, 2> zero_multipliers{
    {{ZeroMultiplier::scale_is_zero, "scale_is_zero"},
     {ZeroMultiplier::amax_is_zero, "amax_is_zero"}}};
inline constexpr Words<NanInAmax, 2> nans_in_amax{
    {{NanInAmax::ignored, "ignored"}, {NanInAmax::propagates, "propagates"}}};
inline constexpr Words<NanToE2m1, 5> nan_codes{{{NanToE2m1::plus_six, "plus_six"},
                                                {NanToE2m1::signed_six, "signed_six"},
                                                {NanToE2m1::plus_zero, "plus_zero"},
                                                {NanToE2m1::signed_zero, "signed_zero"},
                                                {NanToE2m1::minus_zero, "minus_zero"}}};
inline constexpr Words<Ties, 4> ties{{{Ties::to_even, "to_even"},
                                      {Ties::toward_zero, "toward_zero"},
                                      {Ties::away, "away"},
                                      {Ties::toward_minus, "toward_minus"}}};
inline constexpr Words<ScaleMode, 4> scale_modes{{{ScaleMode::round_up, "round_up"},
                                                  {ScaleMode::floor, "floor"},
                                                  {ScaleMode::even, "even"},
                                                  {ScaleMode::ceil, "ceil"}}};
inline constexpr Words<Quarter, 2> quarters{
    {{Quarter::product, "product"}, {Quarter::exponent, "exponent"}}};
inline constexpr Words<NonfiniteScale, 2> nonfinite_scales{
    {{NonfiniteScale::nan, "nan"}, {NonfiniteScale::from_bits, "from_bits"}}};

}  // namespace profile_words

// The members of each object, once for reading and writing.

void members(auto& visit, NanCodes& nan) {
  visit.bits("e4m3", nan.e4m3);
  visit.bits("bf16", nan.bf16);
  visit.bits("f16", nan.f16);
  visit.bits("f32", nan.f32);
}

void members(auto& visit, Nvfp4Rule& rule) {
  visit.bits("amax_floor_f32", rule.amax_floor_f32);
  visit.bits("scale_floor_f32", rule.scale_floor_f32);
  visit.word("sixth", profile_words::sixths, rule.sixth);
  visit.word("code_from", profile_words::codes_from, rule.code_from);
  visit.word("zero_multiplier", profile_words::zero_multipliers, rule.zero_multiplier);
  visit.word("nan_in_amax", profile_words::nans_in_amax, rule.nan_in_amax);
  visit.word("nan_code", profile_words::nan_codes, rule.nan_code);
  visit.word("negative_zero", profile_words::negative_zeros, rule.negative_zero);
  visit.word("ties", profile_words::ties, rule.ties);
}

void members(auto& visit, Mxfp4Rule& rule) {
  visit.word("mode", profile_words::scale_modes, rule.mode);
  visit.bits("amax_floor_f32", rule.amax_floor_f32);
  visit.word("sixth", profile_words::sixths, rule.sixth);
  visit.word("quarter", profile_words::quarters, rule.quarter);
  visit.bits("smallest_scale", rule.smallest_scale);
  visit.bits("largest_scale", rule.largest_scale);
  visit.word("nonfinite_scale", profile_words::nonfinite_scales, rule.nonfinite_scale);
  visit.word("nan_in_amax", profile_words::nans_in_amax, rule.nan_in_amax);
  visit.word("nan_code", profile_words::nan_codes, rule.nan_code);
  visit.word("negative_zero", profile_words::negative_zeros, rule.negative_zero);
  visit.word("ties", profile_words::ties, rule.ties);
}

void members(auto& visit, Profile& profile) {
  visit.object("nan", profile.nan);
  visit.word("nan_sign", profile_words::nan_signs, profile.nan_sign);
  visit.word("e8m0_00", profile_words::e8m0_zeros, profile.e8m0_00);
  visit.word("e8m0_ff", profile_words::e8m0_ffs, profile.e8m0_ff);
  visit.word("scale_family", profile_words::families, profile.scale_family);
  visit.word("scale_sign", profile_words::scale_signs, profile.scale_sign);
  visit.word("output_family", profile_words::families, profile.output_family);
  visit.word("e4m3_overflow", profile_words::overflows, profile.e4m3_overflow);
  visit.word("e4m3_infinity", profile_words::infinities, profile.e4m3_infinity);
  visit.word("negative_zero", profile_words::negative_zeros, profile.negative_zero);
  visit.word("zero_code_nan_scale", profile_words::zero_codes, profile.zero_code_nan_scale);
  visit.word("scale_order", profile_words::scale_orders, profile.scale_order);
  visit.word("page_stride", profile_words::page_strides, profile.page_stride);
  visit.object("nvfp4_writer", profile.nvfp4_writer);
  visit.object("mxfp4_writer", profile.mxfp4_writer);
  visit.names("unverified", profile.unverified);
}

}  // namespace oracle
