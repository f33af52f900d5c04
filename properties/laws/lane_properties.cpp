// Laws of qmul4: four lanes, each a product that is rounded once.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "properties/laws/law.hpp"
#include "properties/laws/words.hpp"

namespace properties {
namespace {

using harness::Problem;
using Bytes = std::vector<std::uint8_t>;

bool is_nan(unsigned byte) { return (byte & 0x7f) == 0x7f; }

Bytes negated(Bytes lanes) {
  for (std::uint8_t& lane : lanes) {
    if (!is_nan(lane)) lane ^= 0x80;
  }
  return lanes;
}

TEST(LaneProperties, TheSignIsThatOfTheProduct) {
  check_law("qmul4", [](const UnderTest& run, const Problem& problem) {
    const Bytes plain = run(problem);
    const auto codes = [](std::uint16_t word) { return static_cast<std::uint16_t>(word ^ 0x8888); };
    const auto scales = [](std::uint32_t word) { return word ^ 0x80808080U; };
    const Problem a = with_words<std::uint16_t>(problem, "a", codes);
    const Problem b = with_words<std::uint32_t>(problem, "b", scales);
    assert_same(run(a), negated(plain));
    assert_same(run(b), negated(plain));
    assert_same(run(with_words<std::uint32_t>(a, "b", scales)), plain);
  });
}

TEST(LaneProperties, OneTimesAScaleIsTheScale) {
  check_law("qmul4", [](const UnderTest& run, const Problem& problem) {
    const Problem ones =
        with_words<std::uint16_t>(problem, "a", [](auto) { return std::uint16_t{0x2222}; });
    const Bytes& scales = problem.find("b")->storage;
    const Bytes out = run(ones);
    for (std::size_t i = 0; i < out.size(); ++i) {
      RC_ASSERT(out[i] == (is_nan(scales[i]) ? 0x7f : scales[i]));
    }
  });
}

TEST(LaneProperties, LanesDoNotMeet) {
  check_law("qmul4", [](const UnderTest& run, const Problem& problem) {
    const auto turn_a = [](std::uint16_t word) {
      return static_cast<std::uint16_t>(word << 4 | word >> 12);
    };
    const auto turn_b = [](std::uint32_t word) { return word << 8 | word >> 24; };
    const Problem turned =
        with_words<std::uint32_t>(with_words<std::uint16_t>(problem, "a", turn_a), "b", turn_b);
    const std::vector<std::uint32_t> before = words<std::uint32_t>(run(problem));
    const std::vector<std::uint32_t> after = words<std::uint32_t>(run(turned));
    for (std::size_t i = 0; i < before.size(); ++i) RC_ASSERT(after[i] == turn_b(before[i]));
  });
}

TEST(LaneProperties, WordsMayChangePlaces) {
  check_law("qmul4", [](const UnderTest& run, const Problem& problem) {
    Problem reversed = problem;
    reverse_words<std::uint16_t>(reversed.find("a")->storage);
    reverse_words<std::uint32_t>(reversed.find("b")->storage);
    Bytes out = run(problem);
    reverse_words<std::uint32_t>(out);
    assert_same(run(reversed), out);
  });
}

// A larger code under the same scale gives no smaller result.
TEST(LaneProperties, ResultsGrowWithTheCode) {
  check_law("qmul4", [](const UnderTest& run, const Problem& problem) {
    const auto smaller = [](std::uint16_t word) {
      for (int lane = 0; lane < 16; lane += 4) {
        if ((word >> lane & 7) != 0) word = static_cast<std::uint16_t>(word - (1 << lane));
      }
      return word;
    };
    const Bytes large = run(problem);
    const Bytes small = run(with_words<std::uint16_t>(problem, "a", smaller));
    for (std::size_t i = 0; i < large.size(); ++i) {
      RC_ASSERT((small[i] & 0x7f) <= (large[i] & 0x7f));
    }
  });
}

TEST(LaneProperties, ResultsGrowWithTheScale) {
  check_law("qmul4", [](const UnderTest& run, const Problem& problem) {
    const auto smaller = [](std::uint32_t word) {
      for (int lane = 0; lane < 32; lane += 8) {
        if ((word >> lane & 0x7f) != 0) word -= 1U << lane;
      }
      return word;
    };
    const Bytes large = run(problem);
    const Bytes small = run(with_words<std::uint32_t>(problem, "b", smaller));
    for (std::size_t i = 0; i < large.size(); ++i) {
      RC_ASSERT((small[i] & 0x7f) <= (large[i] & 0x7f));
    }
  });
}

}  // namespace
}  // namespace properties
