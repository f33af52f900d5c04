#include "harness/suite/operations/scale_bytes.hpp"

#include <array>

namespace harness {
namespace {

constexpr std::array<std::pair<Distribution, std::string_view>, 3> distribution_words{
    {{Distribution::edges, "edges"},
     {Distribution::uniform, "uniform"},
     {Distribution::everyday, "everyday"}}};

std::uint8_t edge_scale(oracle::ScaleFormat format, Random& random) {
  if (random.one_in(2)) return random.byte();
  if (format == oracle::ScaleFormat::e8m0) {
    // 2^-127, 2^-126, around the ends of the e4m3 range, 2^127, NaN.
    constexpr std::array<std::uint8_t, 14> edges{0x00, 0x01, 0x02, 0x74, 0x75, 0x76, 0x77,
                                                 0x7f, 0x86, 0x87, 0x88, 0xfd, 0xfe, 0xff};
    return random.pick(edges);
  }
  // Zero, subnormal, the smallest normals, 1, where codes begin to saturate, the top binade, NaN.
  // One in four is negative.
  constexpr std::array<std::uint8_t, 20> edges{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
                                               0x07, 0x08, 0x09, 0x38, 0x3e, 0x6a, 0x6f,
                                               0x77, 0x78, 0x7a, 0x7d, 0x7e, 0x7f};
  return static_cast<std::uint8_t>(random.pick(edges) | (random.one_in(4) ? 0x80 : 0x00));
}

}  // namespace

EnumNames<Distribution> distribution_names() { return EnumNames<Distribution>(distribution_words); }

std::uint8_t random_scale(oracle::ScaleFormat format, Distribution distribution, Random& random) {
  switch (distribution) {
    case Distribution::edges:
      return edge_scale(format, random);
    case Distribution::uniform:
      return random.byte();
    case Distribution::everyday:
      break;
  }
  const bool nvfp4 = format == oracle::ScaleFormat::e4m3;
  return static_cast<std::uint8_t>(nvfp4 ? random.between(0x18, 0x58) : random.between(0x78, 0x82));
}

}  // namespace harness
