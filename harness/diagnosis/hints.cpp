#include "harness/diagnosis/hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "oracle/numbers/format_spec.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

// "02", "02 or 7f", "02, 7f or ff"; empty for more than `most`.
std::string listed(const std::set<unsigned>& values, std::size_t most, const char* format) {
  if (values.empty() || values.size() > most) return {};
  std::string text;
  std::size_t n = 0;
  for (const unsigned value : values) {
    if (n > 0) text += n + 1 == values.size() ? " or " : ", ";
    text += fmt::format(fmt::runtime(format), value);
    ++n;
  }
  return text;
}

}  // namespace

std::string result_hint(const ArithmeticSetting& setting, const Judged& judged,
                        const Sample& sample) {
  const oracle::FormatSpec& spec =
      oracle::destination_format(setting.destination, *setting.profile);
  const auto all = [&](auto holds) {
    return std::all_of(sample.wrong.begin(), sample.wrong.end(), [&](std::size_t i) {
      return holds(judged.expected_at(i), judged.actual_at(i));
    });
  };
  const std::uint32_t sign = oracle::sign_mask(spec);
  const auto nan = [&](std::uint32_t code) { return oracle::is_nan(spec, code); };
  const auto zero = [&](std::uint32_t code) {
    return !nan(code) && (code & oracle::magnitude_mask(spec)) == 0;
  };
  if (all([&](auto e, auto) { return nan(e); })) return "All of them should be NaN.";
  if (all([&](auto, auto a) { return nan(a); })) return "All of them are NaN.";
  if (all([&](auto e, auto a) { return (e ^ a) == sign; })) return "Only signs differ.";
  if (all([&](auto, auto a) { return zero(a); })) return "All of them are zero.";
  if (all([&](auto e, auto) { return zero(e); })) return "All of them should be zero.";
  if (all([&](auto e, auto) {
        return !nan(e) && !zero(e) && (e & oracle::exponent_mask(spec)) == 0;
      })) {
    return "All of them should be subnormal.";
  }
  if (all([&](auto e, auto a) { return (e & sign) == (a & sign) && (a == e + 1 || e == a + 1); })) {
    return "All of them are one unit in the last place off: a rounding.";
  }
  return {};
}

std::string value_hint(const ArithmeticSetting& setting, const Judged& judged, const Sample& sample,
                       const PairOf& pair_of, PairsSay pairs_say) {
  std::set<unsigned> codes;
  std::set<unsigned> scales;
  bool undecoded = false;
  for (const std::size_t i : sample.wrong) {
    const auto pair = pair_of(i);
    undecoded = undecoded || !pair;
    if (!pair) continue;
    codes.insert(pair->first);
    scales.insert(pair->second);
  }
  std::vector<std::string> says;
  if (undecoded) says.emplace_back("Bytes that no request writes are changed.");
  if (pairs_say == PairsSay::unequal_results) {
    says.emplace_back(
        "Equal pairs of code and scale give unequal results, so it depends on the place.");
  }
  const std::string with_scales = listed(scales, 8, "{:02x}");
  if (!with_scales.empty()) says.push_back(fmt::format("All have scale {}.", with_scales));
  const std::string with_codes = listed(codes, 6, "{:x}");
  if (!with_codes.empty()) says.push_back(fmt::format("All have code {}.", with_codes));
  if (std::string result = result_hint(setting, judged, sample); !result.empty()) {
    says.push_back(std::move(result));
  }
  return fmt::format("{}", fmt::join(says, " "));
}

std::string place_hint(const std::vector<HintAxis>& axes, const Sample& sample) {
  std::vector<std::string> says;
  for (const HintAxis& axis : axes) {
    std::set<unsigned> found;
    bool even = true;
    bool odd = true;
    for (const std::size_t i : sample.wrong) {
      const std::size_t at = axis.of(i);
      found.insert(static_cast<unsigned>(at));
      even = even && at % 2 == 0;
      odd = odd && at % 2 == 1;
    }
    if (found.empty() || found.size() == axis.extent || axis.extent < 2) continue;
    const unsigned first = *found.begin();
    const unsigned last = *found.rbegin();
    if (const std::string few = listed(found, 4, "{}"); !few.empty()) {
      says.push_back(fmt::format("{} {}", axis.name, few));
    } else if (even || odd) {
      says.push_back(fmt::format("{} {}s", even ? "even" : "odd", axis.name));
    } else if (first > 0 || last + 1 < axis.extent) {
      says.push_back(fmt::format("{}s {} to {}", axis.name, first, last));
    }
  }
  return says.empty() ? "" : fmt::format("All lie in {}.", fmt::join(says, ", "));
}

}  // namespace harness
