#include "harness/diagnosis/wrong_elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness {

void consider_unwritten_row(const Judged& judged, const Sample& sample,
                            std::span<const std::uint8_t> fill, std::size_t unit,
                            std::string_view name, Naming& naming) {
  const bool kept = std::all_of(sample.wrong.begin(), sample.wrong.end(),
                                [&](std::size_t i) { return judged.actual_at(i) == fill[i]; });
  if (!kept || sample.wrong.empty()) return;
  const std::size_t first = *std::min_element(sample.wrong.begin(), sample.wrong.end());
  const bool some = std::any_of(sample.right.begin(), sample.right.end(),
                                [&](std::size_t i) { return judged.expected_at(i) != fill[i]; });
  const bool tail = some && is_end(judged.elements() / unit - first / unit, first / unit) &&
                    std::all_of(sample.right.begin(), sample.right.end(), [&](std::size_t i) {
                      return i < first || judged.expected_at(i) == fill[i];
                    });
  naming.consider({tail ? "unwritten_tail" : "stale_bytes",
                   !some  ? "nothing is written"
                   : tail ? fmt::format("nothing is written from {} {} on", name, first / unit)
                          : "the wrong bytes are not written",
                   [&judged, fill](std::size_t i) {
                     return Prediction::of(judged.wrong_at(i) ? fill[i] : judged.expected_at(i));
                   }});
}

}  // namespace harness
