#include "harness/diagnosis/fault_classes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace harness {
namespace {

constexpr auto classes = std::to_array<FaultClass>({
    {"enc_top_binade_saturates", "A01", "takes the largest exponent for overflow"},
    {"enc_finite_overflow_to_nan", "A02", "makes NaN of finite products above the range"},
    {"infinity_becomes_largest", "", "writes the largest value where infinity is right"},
    {"enc_truncates", "A04", "rounds toward zero"},
    {"enc_ties_away", "A05", "rounds ties away from zero"},
    {"enc_ties_toward_zero", "", "rounds ties toward zero"},
    {"enc_rounds_away", "", "rounds away from zero"},
    {"enc_rounds_up", "", "rounds toward plus infinity"},
    {"enc_rounds_down", "", "rounds toward minus infinity"},
    {"enc_subnormal_flush", "A07", "flushes subnormal results"},
    {"enc_subnormal_wrong_quantum", "A08", "gives subnormal results in the wrong step"},
    {"enc_normal_carry_lost", "A10", "loses the carry of a rounded mantissa"},
    {"enc_negative_zero_lost", "A11", "loses the sign of zero"},
    {"enc_nan_swallowed_by_clamp", "A12", "clamps NaN to a finite value"},
    {"f32_overflow_inf_to_nan", "A13", "makes NaN of products that overflow f32"},
    {"double_rounding", "A14", "rounds twice"},
    {"element_subnormal_as_normal", "A16", "reads subnormal elements with a leading one"},
    {"element_table_doubled", "A17", "reads elements from a table of doubled values"},
    {"element_read_as_integer", "", "reads elements as integers"},
    {"element_sign_lost", "", "ignores the sign of elements"},
    {"second_element_of_pair_zero", "A18", "reads one nibble of a byte as zero"},
    {"tensor_scale_dropped_or_added", "A20", "applies a factor that is not there"},
    {"zero_code_short_circuit", "A21", "skips the scale of zero elements"},
    {"nan_becomes_zero", "", "makes zero of NaN"},
    {"e4m3_scale_subnormal_implicit_one", "S01", "reads subnormal scales with a leading one"},
    {"e4m3_scale_zero_not_zero", "S02", "reads scale 0 with a leading one"},
    {"e4m3_scale_subnormal_flushed", "S03", "flushes subnormal scales"},
    {"e4m3_scale_nan_reads_480", "S04", "reads NaN scales as 480"},
    {"e4m3_scale_top_binade_is_nan", "S05", "reads the largest scales as NaN"},
    {"nan_sign", "S07", "gives NaN a sign"},
    {"e4m3_scale_sign_ignored", "S08", "ignores the sign of scales"},
    {"scale_byte_used_as_integer", "S10", "reads scales as integers"},
    {"scale_format_confused", "S11", "reads scales in another format"},
    {"e8m0_code_0_flushed", "S12", "reads scale 00 as 0"},
    {"e8m0_nan_becomes_inf", "S13", "reads scale ff as infinity"},
    {"e8m0_nan_ignored", "S15", "reads scale ff as 2^128"},
    {"e8m0_code_0_means_one", "S16", "reads scale 00 as 1"},
    {"e8m0_integer_shift", "S18", "reads scales as an integer shift"},
    {"e8m0_added_to_exponent_bits", "", "adds scales to the exponent bits of results"},
    {"e8m0_bias_off_by_one", "S20", "reads scales with a bias off by one"},
    {"scale_rounded_to_power_of_two", "S22", "rounds scales to powers of two"},
    {"scale_ignored", "", "ignores scales"},
    {"nibble_order_swapped", "L01", "takes the high nibble for the even element"},
    {"word_order_reversed", "L03", "unpacks the codes of a word in reverse"},
    {"group_term_missing_in_data_index", "L04", "reads the first group's codes for every group"},
    {"preshuffled_tile_order", "L05", "reads codes in the order of matrix tiles"},
    {"scale_index_off_by_one_element", "L07", "changes the scale an element too soon or late"},
    {"scale_group_zero_for_all", "L08", "uses one scale for several groups or tokens"},
    {"group_size_of_the_other_format", "L09", "uses the other page's number of elements a scale"},
    {"scale_swizzled_128x4", "L12", "reads scales in the order of 128 x 4 tiles"},
    {"value_scale_4_token_interleave", "L13", "reads scales in the order of 4-token quads"},
    {"scales_before_data", "L14", "looks for the scales before the codes"},
    {"page_size_mismatch", "L16", "takes a page for one of fewer tokens"},
    {"head_and_block_dims_confused", "L17", "takes the number of heads for that of tokens"},
    {"strided_view_read_as_dense", "L18", "ignores the page stride"},
    {"code_offset_wrong", "", "reads codes some bytes away from where they lie"},
    {"scale_offset_wrong", "", "reads scales some bytes away from where they lie"},
    {"int32_byte_offset_overflow", "G01", "forms byte offsets in 32 bits"},
    {"descriptor_range_returns_zero", "G04", "reads zero past 2 or 4 GiB"},
    {"page_id_truncated_to_16_bits", "", "keeps 16 bits of page ids"},
    {"table_row_stride", "G06", "uses another row stride of the table"},
    {"padding_entries_dereferenced", "G07", "follows table entries past num_pages"},
    {"stale_table_columns", "G08", "uses table entries of an earlier call"},
    {"negative_entry_semantics", "G09", "follows negative table entries"},
    {"invalid_id_mapped_to_page_0", "G10", "reads page 0 for ids that it takes for invalid"},
    {"gather_start_past_row", "G11", "reads past the end of a table row"},
    {"empty_input_launch", "G12", "fails where there is nothing to do"},
    {"one_page_too_many", "G13", "gathers pages past num_pages"},
    {"logical_index_used_for_scales", "G15", "takes the logical page for the physical one"},
    {"page_index_used_as_token_index", "G16", "takes page numbers for token numbers"},
    {"captured_table_goes_stale", "G17", "uses the arguments of an earlier call"},
    {"page_stride_scaled_wrong", "G18", "uses a multiple of the page stride"},
    {"shared_padding_page_poisoned", "G20", "reads or writes a shared padding page"},
    {"page_offsets_ignored", "", "writes pages elsewhere than page_offsets says"},
    {"scale_from_elsewhere", "", "takes scales from other places"},
    {"code_from_elsewhere", "", "takes codes from other places"},
    {"stored_elsewhere", "", "stores results at other places"},
    {"element_values_wrong", "", "takes codes of elements for others"},
    {"scale_values_wrong", "", "takes scales for others"},
    {"store_values_wrong", "", "stores results as others"},
    {"product_values_wrong", "", "gives wrong results for some pairs of code and scale"},
    {"zeros_written", "", "writes zeros to parts of its output"},
    {"wrong_page", "", "decodes pages rightly, but others than the table names"},
    {"over_read_at_the_end", "M02", "reads past the end of the last page"},
    {"unwritten_tail", "M03", "leaves the end of what it should write as it was"},
    {"stale_bytes", "", "leaves bytes as they were that it should write"},
    {"not_written", "", "leaves bytes as they were, whatever they are filled with"},
    {"not_repeatable", "", "gives other bytes when it is run again"},
    {"writer_slot_not_checked", "M04", "writes slots that it should skip"},
    {"missing_barrier_after_async_copy", "M05", "reads bytes before they are there"},
    {"padding_scales_uninitialised", "M07", "leaves scales of padding unset"},
    {"scale_plane_not_copied", "M08", "reads no scales"},
    {"e2m1_ties_away", "Q01", "rounds ties of e2m1 away from zero"},
    {"e2m1_ties_toward_zero", "", "rounds ties of e2m1 toward zero"},
    {"e2m1_ties_toward_minus", "", "rounds ties of e2m1 to the lower value"},
    {"e2m1_ties_to_even", "", "rounds ties of e2m1 to even"},
    {"e2m1_carry_saturates", "Q03", "takes a carry to 4 for overflow"},
    {"nan_into_e2m1", "", "stores another code for NaN"},
    {"e8m0_scale_rule", "Q04", "chooses E8M0 scales by another rule"},
    {"amax_narrowed_first", "Q06", "rounds amax to bf16 before it takes the exponent"},
    {"log2_based_ceiling", "Q07", "loses the step up just above a power of two"},
    {"amax_drops_nan", "Q08", "gives a block with a NaN a finite scale"},
    {"amax_takes_nan", "", "gives a block with a NaN a NaN scale"},
    {"zero_block_makes_nan_scale", "Q09", "stores a NaN scale for a block of zeros"},
    {"zero_block_scale", "", "stores another smallest scale"},
    {"scale_overflow_not_clamped", "Q10", "stores a NaN scale where amax / 6 is too large"},
    {"encode_and_store_different_scales", "Q12", "encodes under a scale that it does not store"},
    {"reciprocal_multiply", "Q13", "multiplies by a rounded reciprocal"},
    {"sixth_by_division", "", "divides amax by 6 where it is to multiply"},
    {"codes_by_division", "", "divides by the scale where it is to multiply"},
    {"amax_floor_too_high", "Q16", "keeps amax above a floor that is too high"},
    {"amax_floor_missing", "", "lacks the floor of amax"},
    {"scale_floor_missing", "", "lacks the floor of the scale"},
    {"scale_floor_added", "", "has a floor of the scale that is not there"},
    {"zero_scale_multiplier", "", "multiplies by something else under a scale of 0"},
    {"nan_scale_not_stored", "", "stores no NaN scale"},
    {"nan_scale_stored", "", "stores a NaN scale"},
    {"nonfinite_scale", "", "chooses another scale for infinity and NaN"},
    {"scale_search_steps_into_nan", "Q18", "steps from the largest scale into NaN"},
    {"scale_plane_left_zero", "Q20", "leaves scales zero"},
    {"scale_order_linear", "",
     "takes or puts scales in the order of tokens, where they lie in another"},
    {"negative_zero_stored", "", "stores -0 where +0 is to be"},
    {"fnuz_output", "X01", "writes FNUZ codes"},
    {"fnuz_scale_decode", "X02", "reads scales as FNUZ codes"},
    {"packed_convert_does_not_saturate", "X04", "converts without saturation"},
    {"wave_width_in_group_reduction", "X06", "reduces over the wrong number of lanes"},
    {"flush_to_zero_default_differs", "X07", "flushes f32 subnormals"},
    {"unsupported_arch_stub_returns_zero", "X08", "returns zeros"},
});

}  // namespace

std::span<const FaultClass> fault_classes() { return classes; }

const FaultClass* fault_class_named(std::string_view name) {
  for (const FaultClass& each : classes) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::vector<std::string> fault_classes_in(std::string_view explanation) {
  const auto of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < explanation.size();) {
    std::size_t end = begin;
    while (end < explanation.size() && of_word(explanation[end])) ++end;
    const std::string_view word = explanation.substr(begin, end - begin);
    if (fault_class_named(word) != nullptr) found.emplace_back(word);
    begin = std::max(end, begin + 1);
  }
  return found;
}

std::string joint_fault_class(std::span<const std::vector<std::string>> candidates) {
  struct Votes {
    std::size_t fits = 0;
    std::size_t first = 0;
  };
  std::vector<std::pair<std::string, Votes>> votes;
  for (const std::vector<std::string>& fitting : candidates) {
    for (const std::string& name : fitting) {
      auto of = std::find_if(votes.begin(), votes.end(),
                             [&](const auto& each) { return each.first == name; });
      if (of == votes.end()) of = votes.insert(votes.end(), {name, {}});
      ++of->second.fits;
      if (name == fitting.front()) ++of->second.first;
    }
  }
  const auto best = std::max_element(votes.begin(), votes.end(), [](const auto& x, const auto& y) {
    return std::pair(x.second.fits, x.second.first) < std::pair(y.second.fits, y.second.first);
  });
  return best == votes.end() ? std::string() : best->first;
}

}  // namespace harness
