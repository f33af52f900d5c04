#include "harness/suite/operations/scale_bytes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "oracle/pages/product.hpp"
#include "oracle/profile.hpp"

namespace harness {
namespace {

constexpr std::array<std::pair<Distribution, std::string_view>, 3> distribution_words{
    {{Distribution::edges, "edges"},
     {Distribution::uniform, "uniform"},
     {Distribution::everyday, "everyday"}}};

// What cases are made of beside what a format says: bytes at which scales behave otherwise, of
// positive sign, and the range that a writer stores for values of ordinary size.
struct Choices {
  oracle::FormatSpec format;
  std::vector<std::uint8_t> edges;
  ScaleRange everyday;
};

const Choices& choices_of(const oracle::FormatSpec& format) {
  static const std::array choices{
      // Zero, subnormal, the smallest normals, 1, where codes begin to saturate, the top binade,
      // NaN.
      Choices{oracle::e4m3::spec,
              {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
               0x38, 0x3e, 0x6a, 0x6f, 0x77, 0x78, 0x7a, 0x7d, 0x7e, 0x7f},
              {0x18, 0x58}},
      // 2^-127, 2^-126, around the ends of the e4m3 range, 2^127, NaN.
      Choices{oracle::e8m0::spec,
              {0x00, 0x01, 0x02, 0x74, 0x75, 0x76, 0x77, 0x7f, 0x86, 0x87, 0x88, 0xfd, 0xfe, 0xff},
              {0x78, 0x82}}};
  return *std::find_if(choices.begin(), choices.end(),
                       [&](const Choices& each) { return each.format == format; });
}

// Half are any byte. Of edges one in four is negative, where the format has a sign.
std::uint8_t edge_scale(const oracle::FormatSpec& format, Random& random) {
  if (random.one_in(2)) return random.byte();
  const std::uint8_t edge = random.pick(choices_of(format).edges);
  const bool negative = format.sign_bits != 0 && random.one_in(4);
  return static_cast<std::uint8_t>(edge | (negative ? oracle::sign_mask(format) : 0U));
}

bool separates(const oracle::FormatSpec& format, std::uint32_t scale) {
  std::set<std::uint32_t> results;
  for (std::uint8_t code = 0; code < 8; ++code) {
    results.insert(oracle::decode_element(format, code, static_cast<std::uint8_t>(scale),
                                          oracle::Dtype::e4m3, oracle::profiles::ocp()));
  }
  return results.size() == 8;
}

ScaleRange found_range(const oracle::FormatSpec& format) {
  ScaleRange range{unit_scale(format), unit_scale(format)};
  while (range.first > 0 && separates(format, range.first - 1U)) --range.first;
  while (range.last < oracle::magnitude_mask(format) && separates(format, range.last + 1U)) {
    ++range.last;
  }
  return range;
}

}  // namespace

EnumNames<Distribution> distribution_names() { return EnumNames<Distribution>(distribution_words); }

std::uint8_t random_scale(const oracle::FormatSpec& format, Distribution distribution,
                          Random& random) {
  switch (distribution) {
    case Distribution::edges:
      return edge_scale(format, random);
    case Distribution::uniform:
      return random.byte();
    case Distribution::everyday:
      break;
  }
  const ScaleRange everyday = choices_of(format).everyday;
  return static_cast<std::uint8_t>(random.between(everyday.first, everyday.last));
}

ScaleRange separating_scales(const oracle::FormatSpec& format) {
  static const auto ranges = [] {
    std::array<ScaleRange, oracle::scale_formats.size()> found{};
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = found_range(oracle::scale_formats[i]);
    return found;
  }();
  const auto* at = std::find(oracle::scale_formats.begin(), oracle::scale_formats.end(), format);
  return ranges.at(static_cast<std::size_t>(at - oracle::scale_formats.begin()));
}

}  // namespace harness
