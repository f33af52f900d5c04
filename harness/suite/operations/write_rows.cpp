#include "harness/suite/operations/write_rows.hpp"

#include <cstring>
#include <map>
#include <mutex>

#include "harness/suite/operations/oracle_views.hpp"
#include "harness/suite/operations/random.hpp"
#include "oracle/blocks/block_scale.hpp"
#include "oracle/numbers/ieee.hpp"

namespace harness {
namespace {

constexpr std::uint32_t sign = 0x80000000U;
constexpr std::uint32_t quiet_nan = 0x7fc00000U;
constexpr std::uint32_t infinity = oracle::ieee::f32_infinity;

std::uint32_t f32_bits(std::uint64_t significand, int exponent) {
  return oracle::ieee::rounded(oracle::Exact::finite(false, significand, exponent),
                               oracle::Round::rne);
}

// The midpoints of e2m1: 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.
constexpr std::array<std::uint32_t, 7> midpoints_in_quarters{1, 3, 5, 7, 10, 14, 20};

class Recipes {
 public:
  explicit Recipes(const oracle::PageLayout& layout)
      : size_(static_cast<std::size_t>(layout.scale_block_size)) {
    special();
    largest_magnitudes();
    midpoints();
    if (layout.scale_format == oracle::e4m3::spec) {
      scales_that_sixths_tell_apart();
      codes_that_reciprocals_tell_apart();
    }
  }
  std::vector<Block> take() { return std::move(blocks_); }

 private:
  // A block of these elements, and of a fraction of the first one where they are fewer.
  void add(std::vector<std::uint32_t> elements, std::uint32_t rest) {
    elements.resize(size_, rest);
    blocks_.push_back(std::move(elements));
  }

  void special() {
    add({}, 0);
    add({}, sign);
    add({0, sign, 0, sign}, 0);
    add({quiet_nan}, f32_bits(1, 0));
    add({f32_bits(1, 0), quiet_nan | sign, f32_bits(6, 0)}, f32_bits(1, -1));
    add({}, quiet_nan);
    add({}, quiet_nan | sign | 1);
    add({infinity, f32_bits(1, 0)}, f32_bits(1, 0) | sign);
    add({infinity | sign, quiet_nan}, f32_bits(3, 0));
    add({0x00000001, sign | 0x00000001}, 0);  // f32 subnormals
    add({0x007fffff, 0x00400000}, 0x00000003);
    add({0x00800000, sign | 0x00800000}, 0x00ffffff);             // the smallest normals
    add({0x7f7fffff, 0x7f000000 | sign}, 0x7e800000);             // the largest numbers
    add({f32_bits(1, -24), f32_bits(1, -14)}, f32_bits(3, -24));  // f16's smallest
  }

  void largest_magnitudes() {
    for (const int k : {-130, -127, -126, -125, -124, -50, -40, -12, -9, -8, -7,  -1,
                        0,    1,    2,    3,    8,    9,   10,  11,  12, 60, 124, 125}) {
      for (const std::uint64_t quarters : {4U, 6U, 7U, 24U}) {  // 1, 1.5, 1.75, 6
        const std::uint32_t amax = f32_bits(quarters, k - 2);
        for (const std::uint32_t beside : {amax - 1, amax, amax + 1}) {
          if (beside >= infinity) continue;
          add({beside, beside | sign, f32_bits(quarters, k - 4)}, f32_bits(quarters, k - 3) | sign);
        }
      }
    }
    // Past 2688 = 6 * 448 the largest E4M3 scale is no longer enough; 2784 rounds to a NaN where
    // nothing saturates. Below 6 * 2^-9 the scale is at its floor, and 1e-4 and 1e-12 are floors.
    for (const std::uint32_t amax :
         {0x45280000U, 0x45280001U, 0x452e0000U, 0x453b8000U, 0x3c400000U, 0x3c3fffffU, 0x38d1b717U,
          0x38d1b716U, 0x2b8cbcccU, 0x2b8cbccbU}) {
      add({amax, amax | sign}, amax - 0x00800000U);
    }
  }

  // Under a scale of 2^k, every midpoint and its f32 neighbours, with both signs.
  void midpoints() {
    for (const int k : {0, -3, 5, -9}) {
      std::vector<std::uint32_t> elements;
      for (const std::uint32_t quarters : midpoints_in_quarters) {
        const std::uint32_t middle = f32_bits(quarters, k - 2);
        for (const std::uint32_t x : {middle - 1, middle, middle + 1}) {
          elements.push_back(x);
          elements.push_back(x | sign);
        }
      }
      for (std::size_t begin = 0; begin < elements.size(); begin += size_ - 1) {
        const std::size_t end = std::min(elements.size(), begin + size_ - 1);
        std::vector<std::uint32_t> part{f32_bits(6, k)};
        part.insert(part.end(), elements.begin() + static_cast<std::ptrdiff_t>(begin),
                    elements.begin() + static_cast<std::ptrdiff_t>(end));
        add(std::move(part), f32_bits(1, k));
      }
    }
  }

  // Around six times every midpoint between two scales.
  void scales_that_sixths_tell_apart() {
    oracle::Nvfp4Rule quotient;
    oracle::Nvfp4Rule product;
    product.sixth = oracle::Sixth::product;
    for (std::uint32_t code = 0; code < 0x7e; ++code) {
      const auto at = [](std::uint32_t scale) { return oracle::decode<oracle::e4m3>(scale); };
      const oracle::Exact middle =
          oracle::scale_by_power_of_two(oracle::add(at(code), at(code + 1)), -1);
      const std::uint32_t six = oracle::ieee::rounded(
          oracle::multiply(middle, oracle::Exact::finite(false, 6, 0)), oracle::Round::rne);
      for (std::uint32_t amax = six - 3; amax <= six + 3; ++amax) {
        if (oracle::nvfp4_scale(amax, quotient) != oracle::nvfp4_scale(amax, product)) {
          add({amax}, amax | sign);
        }
      }
    }
  }

  // Under every scale, bf16 values around the midpoints whose quotient and product with the
  // reciprocal round to two codes; the rest of the block makes that scale.
  void codes_that_reciprocals_tell_apart() {
    oracle::Nvfp4Rule quotient;
    oracle::Nvfp4Rule product;
    product.code_from = oracle::CodeFrom::reciprocal_product;
    for (std::uint32_t scale = 1; scale < 0x7f; ++scale) {
      const oracle::Exact value = oracle::decode<oracle::e4m3>(scale);
      const std::uint32_t amax = oracle::ieee::rounded(
          oracle::multiply(value, oracle::Exact::finite(false, 6, 0)), oracle::Round::rne);
      std::vector<std::uint32_t> found{amax};
      for (const std::uint32_t quarters : midpoints_in_quarters) {
        const std::uint32_t x =
            oracle::ieee::rounded(
                oracle::multiply(value, oracle::Exact::finite(false, quarters, -2)),
                oracle::Round::rne) &
            0xffff0000U;
        if (oracle::nvfp4_code(x, static_cast<std::uint8_t>(scale), amax, quotient) !=
            oracle::nvfp4_code(x, static_cast<std::uint8_t>(scale), amax, product)) {
          found.push_back(x);
          found.push_back(x | sign);
        }
      }
      if (found.size() > 1) add(std::move(found), f32_bits(0, 0));
    }
  }

  std::size_t size_;
  std::vector<Block> blocks_;
};

// The bits of an f32 in a narrower source, to nearest even.
std::uint32_t narrowed(std::uint32_t bits, DType dtype) {
  if (dtype == DType::f32) return bits;
  const oracle::FormatSpec& to = dtype == DType::f16 ? oracle::f16::spec : oracle::bf16::spec;
  if (oracle::ieee::is_nan(bits)) {
    return oracle::canonical_nan_code(to) | (oracle::ieee::is_negative(bits) ? 0x8000U : 0U);
  }
  return oracle::encode_traced(to, oracle::decode<oracle::f32>(bits), oracle::Round::rne,
                               oracle::Overflow::to_inf, oracle::strict)
      .value_or(oracle::Encoding{})
      .code;
}

// A number of magnitude 2^exponent times 1 to 2, of either sign.
std::uint32_t around(Random& random, int exponent) {
  const auto field = static_cast<std::uint32_t>(std::clamp(exponent + 127, 0, 254));
  return (static_cast<std::uint32_t>(random.bits() >> 32) & 0x807fffffU) | field << 23;
}

Block random_block(const oracle::PageLayout& layout, const WriteSpec& spec, std::uint64_t number) {
  Random random(mix64(spec.seed, number));
  Block block(static_cast<std::size_t>(layout.scale_block_size));
  if (spec.distribution == Distribution::uniform) {
    for (std::uint32_t& x : block) x = static_cast<std::uint32_t>(random.bits() >> 32);
    return block;
  }
  const bool everyday = spec.distribution == Distribution::everyday;
  if (!everyday && random.one_in(4)) return random.pick(recipes(layout));
  const int top = static_cast<int>(everyday ? random.between(-6, 3) : random.between(-20, 14));
  for (std::uint32_t& x : block) {
    x = around(random, top - static_cast<int>(random.between(0, everyday ? 4 : 12)));
  }
  if (everyday) return block;
  // Neighbours of a midpoint under a power of two, and one amax with a mantissa of few bits.
  for (std::uint32_t& x : block) {
    if (!random.one_in(3)) continue;
    x = f32_bits(random.pick(midpoints_in_quarters), top - 4) +
        static_cast<std::uint32_t>(random.between(-1, 1));
    if (random.one_in(2)) x |= sign;
  }
  block.front() = f32_bits(static_cast<std::uint64_t>(random.between(4, 7)), top) +
                  static_cast<std::uint32_t>(random.between(-1, 1));
  return block;
}

}  // namespace

std::span<const Block> recipes(const oracle::PageLayout& layout) {
  static std::mutex mutex;
  static std::map<std::string_view, std::vector<Block>> made;
  const std::lock_guard lock(mutex);
  auto found = made.find(layout.name);
  if (found == made.end()) found = made.emplace(layout.name, Recipes(layout).take()).first;
  return found->second;
}

void write_row(const oracle::PageLayout& layout, const WriteSpec& spec, std::int64_t number,
               std::span<std::uint8_t> to) {
  const auto row = static_cast<std::size_t>(layout.head_dim);
  const auto size = static_cast<std::size_t>(layout.scale_block_size);
  const std::size_t width = element_bytes(spec.dtype);
  const auto at = static_cast<std::uint64_t>(number);
  const auto groups = static_cast<std::uint64_t>(row / size);
  for (std::size_t group = 0; group < row / size; ++group) {
    const std::uint64_t block_number = at * groups + group;
    Block block;
    if (spec.contents == RowContent::random) block = random_block(layout, spec, block_number);
    if (spec.contents == RowContent::recipes) {
      block = recipes(layout)[block_number % recipes(layout).size()];
    }
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t element = group * size + i;
      const std::uint32_t bits = spec.contents == RowContent::values
                                     ? spec.values[(at * row + element) % spec.values.size()]
                                     : narrowed(block[i], spec.dtype);
      std::memcpy(to.data() + element * width, &bits, width);
    }
  }
}

std::uint32_t f32_at(DType dtype, std::span<const std::uint8_t> elements, std::size_t i) {
  std::uint32_t bits = 0;
  const std::size_t width = element_bytes(dtype);
  std::memcpy(&bits, elements.data() + i * width, width);
  return oracle::ieee::widen(bits, dtype);
}

}  // namespace harness
