// Laws of values on whole pages: each output element is its code times its group's scale, rounded
// once, and nothing else.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/formats.hpp"
#include "properties/laws/law.hpp"
#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Problem;
using Bytes = std::vector<std::uint8_t>;

struct Destination {
  std::uint32_t sign;  // its bit
  std::uint32_t top;   // magnitude of the largest number, infinity included
};

Destination destination_of(const Problem& problem) {
  switch (problem.find("out")->dtype) {
    case harness::DType::f32:
      return {0x80000000U, 0x7f800000U};
    case harness::DType::f16:
      return {0x8000U, 0x7c00U};
    case harness::DType::bf16:
      return {0x8000U, 0x7f80U};
    default:
      return {0x80U, 0x7eU};
  }
}

// A copy with every page that is named changed by `change(layout, page)`.
template <class Change>
Problem with_pages(const Problem& problem, const Change& change) {
  Problem other = problem;
  for_each_page(other, [&](const PagePlaces& place, std::uint8_t* page) {
    change(layout_of(problem.operation, place.plane), page);
  });
  return other;
}

// The output with the sign of every number turned; NaN keeps its byte.
Bytes negated(const Problem& problem, Bytes out) {
  const Destination destination = destination_of(problem);
  const std::size_t bytes = element_bytes(problem);
  for_each_element(problem, [&](const Element& e) {
    const std::uint32_t magnitude = element_at(out, e.output, bytes) & ~destination.sign;
    if (magnitude <= destination.top) out[e.output + bytes - 1] ^= 0x80;
  });
  return out;
}

TEST(ValueProperties, NegatingTheCodesNegatesTheResults) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    const Problem other = with_pages(problem, [](const auto& layout, std::uint8_t* page) {
      for (int i = 0; i < layout.code_section_bytes(); ++i) page[i] ^= 0x88;
    });
    assert_same(run(other), negated(problem, run(problem)));
  });
}

TEST(ValueProperties, NegatingTheScalesNegatesTheResults) {
  const auto signed_scales = page_operations([](const oracle::PageReader& reader) {
    return reader.pool->layout().scale_format.sign_bits != 0;
  });
  check_law(signed_scales, [](const UnderTest& run, const Problem& problem) {
    const Problem other = with_pages(problem, [](const auto& layout, std::uint8_t* page) {
      for (int i = layout.code_section_bytes(); i < layout.page_bytes(); ++i) page[i] ^= 0x80;
    });
    assert_same(run(other), negated(problem, run(problem)));
  });
}

// Code 2 is 1.0, so that an e4m3 scale comes out as it is (NaN as 7f), and an e8m0 scale as the
// power of two that it stands for: OCP MX v1.0.
TEST(ValueProperties, OneTimesAScaleIsTheScale) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    const Problem ones = with_pages(problem, [](const auto& layout, std::uint8_t* page) {
      std::fill_n(page, layout.code_section_bytes(), std::uint8_t{0x22});
    });
    const Bytes out = run(ones);
    const oracle::PageLayout& layout = layout_of(problem.operation);
    const std::size_t bytes = element_bytes(problem);
    const bool e8m0 = layout.scale_format == oracle::e8m0::spec;
    RC_PRE(bytes == (e8m0 ? 4U : 1U));
    for_each_element(ones, [&](const Element& e) {
      const std::uint32_t got = element_at(out, e.output, bytes);
      if (!e8m0) {
        RC_ASSERT(got == ((e.scale & 0x7f) == 0x7f ? 0x7fU : e.scale));
      } else if (e.scale == 0xff) {
        RC_ASSERT(got > 0x7f800000U);  // NaN
      } else {
        RC_ASSERT(got == (e.scale == 0 ? 0x00400000U : std::uint32_t{e.scale} << 23));
      }
    });
  });
}

// A code byte decides its two elements, a scale byte its group, and neither any other.
TEST(ValueProperties, AByteMovesItsOwnElementsAlone) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    const oracle::PageLayout& layout = layout_of(problem.operation);
    const auto byte = *rc::gen::inRange(0, layout.page_bytes());
    const auto turned = *rc::gen::inRange<std::uint8_t>(1, 255);
    const Problem other =
        with_pages(problem, [&](const auto&, std::uint8_t* page) { page[byte] ^= turned; });
    const oracle::PagePlace place = layout.place(byte);
    const int elements = place.section == oracle::PageSection::codes ? 2 : layout.scale_block_size;
    const Bytes before = run(problem);
    const Bytes after = run(other);
    const std::size_t bytes = element_bytes(problem);
    for_each_element(problem, [&](const Element& e) {
      const bool own = e.token == place.token && e.element >= place.first_element &&
                       e.element < place.first_element + elements;
      RC_ASSERT(own || element_at(before, e.output, bytes) == element_at(after, e.output, bytes));
    });
  });
}

TEST(ValueProperties, ANanScaleMakesItsGroupNan) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    const oracle::PageLayout& layout = layout_of(problem.operation);
    const bool e8m0 = layout.scale_format == oracle::e8m0::spec;
    const std::uint8_t nan = e8m0 ? 0xff : *rc::gen::element<std::uint8_t>(0x7f, 0xff);
    const auto own_token = *rc::gen::inRange(0, layout.num_tokens);
    const auto own_group = *rc::gen::inRange(0, layout.groups_per_token());
    const Problem other = with_pages(problem, [&](const auto& of, std::uint8_t* page) {
      of.set_scale(page, own_token, own_group, nan);
    });
    const Bytes out = run(other);
    const Destination destination = destination_of(problem);
    const std::size_t bytes = element_bytes(problem);
    for_each_element(problem, [&](const Element& e) {
      if (e.token != own_token || layout.group_of(e.element) != own_group) return;
      RC_ASSERT((element_at(out, e.output, bytes) & ~destination.sign) > destination.top);
    });
  });
}

// Where neither the scale nor the result is near an edge, one more in the scale's exponent is one
// more in the result's: the rounding is the same.
TEST(ValueProperties, DoublingTheScaleDoublesTheResult) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    RC_PRE(element_bytes(problem) == 1U);
    const oracle::PageLayout& layout = layout_of(problem.operation);
    const bool e8m0 = layout.scale_format == oracle::e8m0::spec;
    const auto doubles = [&](std::uint8_t scale) {
      return e8m0 ? scale < 0xfe : (scale & 0x7f) >= 0x08 && (scale & 0x7f) < 0x70;
    };
    const Problem other = with_pages(problem, [&](const auto& of, std::uint8_t* page) {
      for (int i = of.code_section_bytes(); i < of.page_bytes(); ++i) {
        if (doubles(page[i])) page[i] = static_cast<std::uint8_t>(page[i] + (e8m0 ? 1 : 8));
      }
    });
    const Bytes before = run(problem);
    const Bytes after = run(other);
    for_each_element(problem, [&](const Element& e) {
      // From the second binade of normal numbers to the last but one.
      const unsigned magnitude = before[e.output] & 0x7fU;
      if (!doubles(e.scale) || magnitude < 0x10 || magnitude >= 0x70) return;
      RC_ASSERT(after[e.output] == before[e.output] + 8);
    });
  });
}

// Every f32 output is exact or infinite, so that rounding it gives what the narrower outputs hold.
TEST(ValueProperties, NarrowOutputsAreTheWideOnesRoundedOnce) {
  check_law(page_operations([](const oracle::PageReader& r) { return r.destinations.size() > 1; }),
            [](const UnderTest& run, const Problem& problem) {
              Problem wide = problem;
              harness::Tensor& out = *wide.find("out");
              const std::size_t bytes = element_bytes(problem);
              RC_PRE(bytes < 4);
              out.dtype = harness::DType::f32;
              out.storage.assign(out.storage.size() / bytes * 4, 0xa5);
              out.origin_bytes = out.origin_bytes / static_cast<std::int64_t>(bytes) * 4;
              const Bytes narrow_bytes = run(problem);
              const Bytes wide_bytes = run(wide);
              const std::vector<PagePlaces> narrow_pages = pages_of(problem);
              const std::vector<PagePlaces> wide_pages = pages_of(wide);
              const auto round = [&](std::uint32_t f32) {
                const oracle::Exact value = oracle::decode<oracle::f32>(f32);
                const auto dtype = problem.find("out")->dtype;
                if (dtype == harness::DType::f16) {
                  return oracle::encode<oracle::f16>(value, oracle::Round::rne,
                                                     oracle::Overflow::to_inf, oracle::strict);
                }
                if (dtype == harness::DType::bf16) {
                  return oracle::encode<oracle::bf16>(value, oracle::Round::rne,
                                                      oracle::Overflow::to_inf, oracle::strict);
                }
                if (value.is_infinity()) {
                  return oracle::Result<std::uint32_t>(value.negative() ? 0xfeU : 0x7eU);
                }
                return oracle::encode<oracle::e4m3>(value, oracle::Round::rne,
                                                    oracle::Overflow::satfinite, oracle::strict);
              };
              const Destination destination = destination_of(problem);
              const auto elements =
                  static_cast<std::size_t>(layout_of(problem.operation).page_elements());
              for (std::size_t p = 0; p < narrow_pages.size(); ++p) {
                for (std::size_t i = 0; i < elements; ++i) {
                  const std::uint32_t f32 = element_at(wide_bytes, wide_pages[p].output + 4 * i, 4);
                  const std::uint32_t got =
                      element_at(narrow_bytes, narrow_pages[p].output + bytes * i, bytes);
                  if ((f32 & 0x7fffffffU) > 0x7f800000U) {
                    RC_ASSERT((got & ~destination.sign) > destination.top);
                  } else {
                    RC_ASSERT(got == round(f32).value());
                  }
                }
              }
            });
}

}  // namespace
}  // namespace properties
