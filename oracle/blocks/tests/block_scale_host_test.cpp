// Block scales and codes against a second writer that uses the host's own f32 and double
// arithmetic, written from the same rules without the oracle: searches over the 127 and 8 positive
// values instead of rounding, and frexp instead of bit fields.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "oracle/blocks/block_scale.hpp"

namespace oracle {
namespace {

constexpr std::array<double, 8> e2m1_values{0, .5, 1, 1.5, 2, 3, 4, 6};

double e4m3_value(int code) {
  return code < 8 ? std::ldexp(code, -9) : std::ldexp(8 + code % 8, code / 8 - 10);
}

// Index of the value nearest to x >= 0, ties to the even index, the last one for all above it.
template <class Value>
int nearest_index(double x, int count, Value value) {
  x = std::min(x, value(count - 1));
  int best = 0;
  for (int i = 1; i < count; ++i) {
    const double gain = std::abs(x - value(best)) - std::abs(x - value(i));
    if (gain > 0 || (gain == 0 && i % 2 == 0)) best = i;
  }
  return best;
}
int nearest_e4m3(double x) { return nearest_index(x, 0x7f, e4m3_value); }
int nearest_e2m1(double x) {
  return nearest_index(x, 8, [](int i) { return e2m1_values.at(static_cast<std::size_t>(i)); });
}

struct HostBlock {
  int scale = 0;
  std::vector<std::uint8_t> codes;
};

// A GPU's fmaxf gives the other operand for every NaN; the host's gives NaN for a signaling one.
float host_amax(const std::vector<float>& block) {
  float amax = 0;
  for (const float x : block) amax = std::isnan(x) ? amax : std::max(amax, std::fabs(x));
  return amax;
}

std::uint8_t signed_code(float x, int magnitude) {
  return static_cast<std::uint8_t>(magnitude | (std::signbit(x) ? 8 : 0));
}

HostBlock host_vllm_m3(const std::vector<float>& block) {
  HostBlock result;
  const float sixth = std::fmax(host_amax(block), 1e-12F) / 6.0F;
  result.scale = nearest_e4m3(std::fmax(sixth, 0x1p-9F));
  const auto scale = static_cast<float>(e4m3_value(result.scale));
  for (const float x : block) {
    const int magnitude = std::isnan(x) ? 7 : nearest_e2m1(std::fabs(x / scale));
    result.codes.push_back(std::isnan(x) || magnitude == 0 ? static_cast<std::uint8_t>(magnitude)
                                                           : signed_code(x, magnitude));
  }
  return result;
}

HostBlock host_generic(const std::vector<float>& block) {
  HostBlock result;
  result.scale = nearest_e4m3(host_amax(block) * (1.0F / 6.0F));
  const auto scale = static_cast<float>(e4m3_value(result.scale));
  const float multiplier = scale != 0 ? 1.0F / scale : 0.0F;
  for (const float x : block) {
    result.codes.push_back(std::isnan(x) ? 7
                                         : signed_code(x, nearest_e2m1(std::fabs(x * multiplier))));
  }
  return result;
}

// floor(log2(x)), and whether x is a power of two. Subnormal numbers count as below 2^-126.
int exponent_of(double x) {
  int exponent = -126;  // of zero, for which frexp says 0
  if (x != 0) std::frexp(x, &exponent);
  return std::max(exponent - 1, -127);
}
bool is_power_of_two(double x) {
  int exponent = 0;
  return x != 0 && std::frexp(x, &exponent) == 0.5 && exponent - 1 >= -126;
}

HostBlock host_mxfp4(const std::vector<float>& block, ScaleMode mode) {
  HostBlock result;
  const float amax = host_amax(block);
  const float sixth = amax * (1.0F / 6.0F);
  const float quarter = amax * 0.25F;
  const auto above = [](float w) {
    return w == 0 ? 0 : exponent_of(w) + 127 + (is_power_of_two(w) ? 0 : 1);
  };
  switch (mode) {
    case ScaleMode::round_up:
      result.scale = above(sixth);
      break;
    case ScaleMode::ceil:
      result.scale = above(quarter);
      break;
    case ScaleMode::floor:
      result.scale = exponent_of(quarter) + 127;
      break;
    case ScaleMode::even: {  // amax of 1.75 times a power of two and more belongs to the next one
      const int exponent = exponent_of(amax);
      const int carry = std::ldexp(static_cast<double>(amax), -exponent) >= 1.75 ? 1 : 0;
      result.scale = std::max(exponent + 127 + carry - 2, 0);
      break;
    }
  }
  if (std::isinf(amax)) result.scale = 0xff;
  for (const float x : block) {
    const bool nan = std::isnan(x) || result.scale == 0xff;
    const double scaled = std::ldexp(std::fabs(static_cast<double>(x)), 127 - result.scale);
    result.codes.push_back(signed_code(x, nan ? 7 : nearest_e2m1(scaled)));
  }
  return result;
}

// Blocks of every magnitude, with edges mixed in: zeros, infinities, NaNs of either sign,
// subnormals, values at and beside e2m1 midpoints of a power of two, and at 6, 1.5 and 1.75 times
// it.
std::vector<std::vector<float>> blocks(std::size_t size) {
  std::mt19937 random(17);
  std::vector<std::vector<float>> all;
  const std::array<float, 12> shapes{.25F, .75F, 1.25F, 1.75F, 2.5F, 3.5F,
                                     5.F,  6.F,  1.5F,  7.F,   4.F,  0.F};
  for (int i = 0; i < 6000; ++i) {
    std::vector<float> block(size);
    const int exponent = static_cast<int>(random() % 270) - 145;
    for (float& x : block) {
      const std::uint32_t kind = static_cast<std::uint32_t>(random()) % 16;
      if (kind < 8) {
        x = std::ldexp(shapes.at(random() % shapes.size()), exponent);
        x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) +
                                 static_cast<std::uint32_t>(random() % 3));
      } else {
        x = std::ldexp(static_cast<float>(random() % 0x1000000), exponent - 22);
      }
      if (i % 8 == 0 && kind == 15) x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (i % 64 == 0 && kind == 14) x = std::numeric_limits<float>::infinity();
      if (i % 32 == 0 && kind == 13) x = std::numeric_limits<float>::quiet_NaN();
      if (random() % 2 == 0) x = -x;
    }
    all.push_back(block);
  }
  all.emplace_back(size, 0.0F);
  all.emplace_back(size, -0.0F);
  return all;
}

template <class Rule>
void expect_same(const std::vector<float>& block, const Rule& rule, const HostBlock& host,
                 const std::string& name) {
  std::vector<std::uint32_t> bits(block.size());
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = std::bit_cast<std::uint32_t>(block[i]);
  std::vector<std::uint8_t> codes(bits.size());
  const std::uint8_t scale = quantize_block(bits, rule, codes);
  ASSERT_EQ(scale, host.scale) << name << ", amax " << host_amax(block);
  ASSERT_EQ(codes, host.codes) << name << ", amax " << host_amax(block);
}

TEST(BlockScaleHostTest, Nvfp4RulesAgree) {
  for (const auto& block : blocks(16)) {
    expect_same(block, vllm_m3, host_vllm_m3(block), "vllm_m3");
    expect_same(block, nvfp4_generic, host_generic(block), "generic");
  }
}

TEST(BlockScaleHostTest, Mxfp4ModesAgree) {
  for (const auto& block : blocks(32)) {
    for (const ScaleMode mode :
         {ScaleMode::round_up, ScaleMode::floor, ScaleMode::even, ScaleMode::ceil}) {
      expect_same(block, Mxfp4Rule{.mode = mode}, host_mxfp4(block, mode),
                  "mode " + std::to_string(static_cast<int>(mode)));
    }
  }
}

}  // namespace
}  // namespace oracle
