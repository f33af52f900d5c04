#include "oracle/witness/steps.hpp"

namespace witness {

namespace {

struct Search {
  Format format;
  std::uint32_t sign;
  Mode mode;
  Beyond beyond;
  std::vector<Run> runs;

  std::uint32_t code_at(std::uint32_t magnitude) const {
    return nearest(format, number_of(Format::f32, sign | magnitude), mode, beyond).value();
  }

  // Appends the runs that begin after `low` and at or before `high`.
  void split(std::uint32_t low, std::uint32_t low_code, std::uint32_t high,
             std::uint32_t high_code) {  // NOLINT(misc-no-recursion): at most 31 deep
    if (low_code == high_code) return;
    if (high - low == 1) {
      runs.push_back({sign | high, high_code});
      return;
    }
    const std::uint32_t middle = low + (high - low) / 2;
    const std::uint32_t middle_code = code_at(middle);
    split(low, low_code, middle, middle_code);
    split(middle, middle_code, high, high_code);
  }
};

}  // namespace

std::vector<Run> runs_over_f32(Format format, bool negative, Mode mode, Beyond beyond) {
  Search search{format, negative ? 0x80000000U : 0U, mode, beyond, {}};
  const std::uint32_t first = search.code_at(0);
  search.runs.push_back({search.sign, first});
  search.split(0, first, 0x7f800000, search.code_at(0x7f800000));
  return search.runs;
}

}  // namespace witness
