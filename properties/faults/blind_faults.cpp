#include <algorithm>
#include <memory>
#include <utility>

#include "properties/faults/unlisted_faults.hpp"

namespace properties {

using harness::Problem;
using harness::Tensor;

std::vector<Fault> blind_faults() {
  // What stays in the memory of a kernel from one call to the next.
  struct FirstPage {
    std::int64_t id = -1;
    std::vector<std::uint8_t> scales;
  };
  const auto first_page = std::make_shared<FirstPage>();
  const auto last_scales = std::make_shared<std::vector<std::uint8_t>>();
  return {
      // 3 * -88 is halfway between two results.
      element_fault("one_entry_of_the_table_is_off_at_place_13_of_a_group", nvfp4,
                    [](const Problem&, Spoilable& e) {
                      if (e.code == 5 && e.scale == 0xeb && e.element % 16 == 13) *e.bytes ^= 1;
                    }),
      named({"scale_values_wrong", "product_values_wrong"},
            call_fault("negative_subnormal_scales_have_no_sign", nvfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           for (int i = 8192; i < 9216; ++i) {
                             if (page[i] > 0x80 && page[i] < 0x88) page[i] &= 0x7f;
                           }
                         });
                       })),
      named({"scale_from_elsewhere"},
            call_fault("the_last_scale_of_a_page_is_the_one_before", nvfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           page[9215] = page[9214];
                         });
                       })),
      // Two requests share a warp that holds 16 ids of each; past them the second one's wrap.
      named({"wrong_page"}, call_fault("odd_requests_have_half_a_warp_of_ids", nvfp4,
                                       [](Problem& call) {
                                         if (call.scalars.at("max_num_pages") == 0) return;
                                         Tensor& table = *call.find("block_table");
                                         for (std::int64_t r = 1; r < table.shape[0]; r += 2) {
                                           const std::int64_t row = r * table.strides[0];
                                           const std::int32_t count =
                                               i32_at(*call.find("num_pages"), r);
                                           for (std::int32_t p = 16; p < count; ++p) {
                                             set_i32(table, row + p, i32_at(table, row + p % 16));
                                           }
                                         }
                                       })),
      named({"not_repeatable"},
            call_fault("scales_stay_if_a_call_begins_with_the_same_id_as_the_call_before", nvfp4,
                       [first_page](Problem& call) {
                         const std::vector<PagePlaces> pages = pages_of(call);
                         if (pages.empty()) return;
                         std::uint8_t* const scales =
                             pool_of(call).storage.data() + pages.front().source + 8192;
                         const std::vector<std::uint8_t> now(scales, scales + 1024);
                         if (first_page->id == pages.front().page_id) {
                           std::copy_n(first_page->scales.begin(), 1024, scales);
                         }
                         *first_page = {pages.front().page_id, now};
                       })),
      // A tie, which goes to zero.
      named({"product_values_wrong"},
            element_fault("minus_2_to_the_minus_25_is_not_zero_in_f16", mxfp4,
                          [](const Problem& call, Spoilable& e) {
                            if (call.find("out")->dtype != harness::DType::f16) return;
                            if (e.code == 9 && e.scale == 127 - 24) e.bytes[0] = 1;
                          })),
      named({"wrong_page"},
            output_fault("heads_are_in_reverse_on_odd_logical_pages", mxfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           const std::vector<PagePlaces> pages = pages_of(call);
                           if (pages.empty()) return;
                           const auto heads = static_cast<std::size_t>(pages.back().head + 1);
                           const auto at = [&](std::size_t i) {
                             return out.begin() + static_cast<std::ptrdiff_t>(pages[i].output);
                           };
                           const auto size = static_cast<std::ptrdiff_t>(decoded_bytes(call));
                           std::int64_t request = -1;
                           int logical = 0;
                           for (std::size_t i = 0; i < pages.size(); i += heads) {
                             logical = pages[i].request == request ? logical + 1 : 0;
                             request = pages[i].request;
                             if (logical % 2 == 0) continue;
                             for (std::size_t head = 0; head < heads / 2; ++head) {
                               std::swap_ranges(at(i + head), at(i + head) + size,
                                                at(i + heads - 1 - head));
                             }
                           }
                         })),
      named({"wrong_page"},
            call_fault("the_last_column_of_the_table_is_the_one_before", mxfp4,
                       [](Problem& call) {
                         if (call.scalars.at("max_num_pages") == 0) return;
                         Tensor& table = *call.find("block_table");
                         const std::int64_t width = table.shape[1];
                         for (std::int64_t r = 0; width > 1 && r < table.shape[0]; ++r) {
                           if (i32_at(*call.find("num_pages"), r) < width) continue;
                           const std::int64_t last = r * table.strides[0] + width - 1;
                           set_i32(table, last, i32_at(table, last - 1));
                         }
                       })),
      named({"zeros_written"},
            output_fault("page_0_is_taken_for_the_null_page", mxfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           for (const PagePlaces& page : pages_of(call)) {
                             if (page.page_id != 0) continue;
                             std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(page.output),
                                         decoded_bytes(call), std::uint8_t{0});
                           }
                         })),
      named({"stale_bytes", "unwritten_tail", "not_written"},
            output_fault("the_third_of_three_requests_is_left", mxfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           if (call.find("block_table")->shape[0] != 3) return;
                           for (const PagePlaces& page : pages_of(call)) {
                             if (page.request == 2) keep_fill(call, out, page);
                           }
                         })),
      named({"code_from_elsewhere"},
            call_fault("every_eighth_token_has_the_codes_of_its_last_two_groups_swapped", mxfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           for (int row = 7 * 64; row < 8192; row += 8 * 64) {
                             std::swap_ranges(page + row + 32, page + row + 48, page + row + 48);
                           }
                         });
                       })),
      // The scale passes through f16, where it is infinite.
      named({"product_values_wrong"},
            element_fault("zero_under_a_scale_from_2_to_the_16_is_nan_in_e4m3", mxfp4_decode,
                          [](const Problem& call, Spoilable& e) {
                            if (call.find("out")->dtype != harness::DType::e4m3) return;
                            if ((e.code & 7) == 0 && e.scale >= 127 + 16 && e.scale < 0xff) {
                              *e.bytes = 0x7f;
                            }
                          })),
      // The exponent of the scale is added to that of the element, and the mantissa stays.
      named({"product_values_wrong"},
            element_fault("three_halves_of_2_to_the_128_is_nan_in_f32", mxfp4_decode,
                          [](const Problem& call, Spoilable& e) {
                            if (call.find("out")->dtype != harness::DType::f32) return;
                            const unsigned code = e.code & 7U;
                            if ((code == 5 && e.scale == 0xfe) || (code == 7 && e.scale == 0xfd)) {
                              e.bytes[2] |= 0x40;
                            }
                          })),
      named({"not_repeatable"},
            call_fault("the_last_scales_of_a_call_are_those_of_the_call_before", mxfp4_decode,
                       [last_scales](Problem& call) {
                         const std::vector<PagePlaces> pages = pages_of(call);
                         if (pages.empty()) return;
                         std::uint8_t* const scales =
                             pool_of(call).storage.data() + pages.back().source + 8700;
                         const std::vector<std::uint8_t> now(scales, scales + 4);
                         std::copy(last_scales->begin(), last_scales->end(), scales);
                         *last_scales = now;
                       })),
  };
}

}  // namespace properties
