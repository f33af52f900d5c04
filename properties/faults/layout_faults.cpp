#include <algorithm>
#include <utility>

#include "properties/faults/unlisted_faults.hpp"

namespace properties {

using harness::Problem;

std::vector<Fault> layout_faults() {
  return {
      named({"scale_from_elsewhere"},
            call_fault("upper_tokens_have_the_lower_tokens_scales", nvfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           std::copy_n(page + 8192, 512, page + 8192 + 512);
                         });
                       })),
      named({"code_from_elsewhere"},
            call_fault("words_of_odd_tokens_are_swapped", nvfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           for (int i = 64; i < 8192; i += 128) {
                             for (int word = 0; word < 64; word += 8) {
                               std::swap_ranges(page + i + word, page + i + word + 4,
                                                page + i + word + 4);
                             }
                           }
                         });
                       })),
      named({"scale_from_elsewhere"}, call_fault("last_group_has_the_next_tokens_scale", nvfp4,
                                                 [](Problem& call) {
                                                   for_each_page(call, [](const PagePlaces&,
                                                                          std::uint8_t* page) {
                                                     for (int i = 8192 + 7; i + 1 < 9216; i += 8)
                                                       page[i] = page[i + 1];
                                                   });
                                                 })),
      // Where all pages of a case are odd it swaps nibbles and does nothing else.
      named({"code_from_elsewhere", "nibble_order_swapped"},
            call_fault("odd_pages_have_their_nibbles_swapped", nvfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces& place, std::uint8_t* page) {
                           if (place.page_id % 2 == 0) return;
                           for (int i = 0; i < 8192; ++i) {
                             page[i] = static_cast<std::uint8_t>(page[i] << 4 | page[i] >> 4);
                           }
                         });
                       })),
      named({"scale_from_elsewhere"},
            call_fault("later_heads_have_the_first_heads_scales", mxfp4,
                       [](Problem& call) {
                         const std::vector<PagePlaces> pages = pages_of(call);
                         std::uint8_t* const pool = pool_of(call).storage.data();
                         std::size_t first = 0;
                         for (const PagePlaces& page : pages) {
                           if (page.head == 0) first = page.source;
                           std::copy_n(pool + first + 8192, 512, pool + page.source + 8192);
                         }
                       })),
      named({"scale_from_elsewhere"},
            call_fault("scales_of_a_pair_of_tokens_are_swapped", mxfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           for (int i = 8192; i < 8704; i += 8) {
                             std::swap_ranges(page + i, page + i + 4, page + i + 4);
                           }
                         });
                       })),
  };
}

}  // namespace properties
