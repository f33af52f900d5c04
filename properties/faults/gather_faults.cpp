#include <algorithm>
#include <utility>

#include "properties/faults/unlisted_faults.hpp"

namespace properties {

using harness::Problem;

std::vector<Fault> gather_faults() {
  return {
      named({"stale_bytes", "unwritten_tail", "not_written"},
            output_fault("the_last_of_an_odd_number_of_pages_is_left", nvfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           const std::vector<PagePlaces> pages = pages_of(call);
                           for (std::size_t i = 0; i < pages.size(); ++i) {
                             const std::int64_t r = pages[i].request;
                             const std::int32_t count = i32_at(*call.find("num_pages"), r);
                             const bool last = i + 1 == pages.size() || pages[i + 1].request != r;
                             if (last && count > 1 && count % 2 == 1)
                               keep_fill(call, out, pages[i]);
                           }
                         })),
      named({"stale_bytes", "unwritten_tail", "not_written"},
            output_fault("pages_past_32_of_a_request_are_left", nvfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           std::int64_t request = -1;
                           int seen = 0;
                           for (const PagePlaces& page : pages_of(call)) {
                             seen = page.request == request ? seen + 1 : 0;
                             request = page.request;
                             if (seen >= 32) keep_fill(call, out, page);
                           }
                         })),
      named({"stale_bytes", "unwritten_tail", "not_written"},
            output_fault("requests_past_64_are_left", nvfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           for (const PagePlaces& page : pages_of(call)) {
                             if (page.request >= 64) keep_fill(call, out, page);
                           }
                         })),
      named({"wrong_page"},
            output_fault("pages_of_odd_requests_come_from_the_row_above", nvfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           const std::vector<PagePlaces> pages = pages_of(call);
                           for (const PagePlaces& page : pages) {
                             if (page.request % 2 == 0) continue;
                             for (const PagePlaces& above : pages) {
                               if (above.request != page.request - 1) continue;
                               std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(above.output),
                                           decoded_bytes(call),
                                           out.begin() + static_cast<std::ptrdiff_t>(page.output));
                               break;
                             }
                           }
                         })),
      named({"stale_bytes", "unwritten_tail", "not_written"},
            output_fault("output_pages_past_2_17_are_left", nvfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           const std::int64_t origin = call.find("out")->origin_bytes;
                           for (const PagePlaces& page : pages_of(call)) {
                             const auto index =
                                 (static_cast<std::int64_t>(page.output) - origin) / 16384;
                             if (index > (1 << 17)) keep_fill(call, out, page);
                           }
                         })),
      named({"stale_bytes", "not_written"},
            output_fault("ids_past_2_20_are_left", nvfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           for (const PagePlaces& page : pages_of(call)) {
                             if (page.page_id >= (1 << 20)) keep_fill(call, out, page);
                           }
                         })),
      named({"stale_bytes", "unwritten_tail", "not_written"},
            output_fault("the_last_16_bytes_of_a_page_are_left", mxfp4,
                         [](const Problem& call, std::vector<std::uint8_t>& out) {
                           for (const PagePlaces& page : pages_of(call)) {
                             const auto end =
                                 static_cast<std::ptrdiff_t>(page.output + decoded_bytes(call));
                             std::copy_n(call.find("out")->storage.begin() + end - 16, 16,
                                         out.begin() + end - 16);
                           }
                         })),
  };
}

}  // namespace properties
