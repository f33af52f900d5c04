#include "harness/suite/operations/value_bins.hpp"

#include <set>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"
#include "oracle/profile.hpp"

namespace harness {
namespace {

std::string_view bin_of(oracle::Step step) {
  switch (step) {
    case oracle::Step::exact:
      return "edge/exact";
    case oracle::Step::tie_down:
      return "edge/tie_to_even_down";
    case oracle::Step::tie_up:
      return "edge/tie_to_even_up";
    case oracle::Step::down:
      return "edge/rounded_down";
    case oracle::Step::up:
      return "edge/rounded_up";
    case oracle::Step::overflow:
      return "edge/overflow";
    case oracle::Step::smallest:
      return "edge/smallest";
    case oracle::Step::nan:
      break;
  }
  return "edge/nan_result";
}

// Names of the edges that one pair meets.
std::vector<std::string_view> edges_of(const oracle::FormatSpec& format, oracle::Dtype destination,
                                       std::uint8_t code, std::uint8_t scale) {
  const oracle::Profile& profile = oracle::profiles::ocp();
  const oracle::FormatSpec& spec = oracle::destination_format(destination, profile);
  const oracle::Exact s = oracle::scale_value(format, scale, profile);
  const oracle::Exact element = oracle::decode<oracle::e2m1>(code);
  const oracle::Exact product = oracle::multiply(element, s);
  const oracle::Overflow overflow =
      destination == oracle::Dtype::e4m3 ? oracle::Overflow::satfinite : oracle::Overflow::to_inf;
  std::vector<std::string_view> edges;
  const auto encoding =
      oracle::encode_traced(spec, product, oracle::Round::rne, overflow, oracle::strict);
  if (encoding) {
    edges.push_back(bin_of(encoding->step));
    const std::uint32_t magnitude = encoding->code & oracle::magnitude_mask(spec);
    if (magnitude != 0 && magnitude < 1U << spec.mantissa_bits) {
      edges.push_back("edge/subnormal_result");
    }
    if (magnitude == 0) {
      edges.push_back(oracle::is_negative(spec, encoding->code) ? "edge/negative_zero_result"
                                                                : "edge/zero_result");
      if (product.is_finite_nonzero()) edges.push_back("edge/underflow");
    }
  }
  if (element.is_zero()) {
    edges.push_back(element.negative() ? "edge/negative_zero_code" : "edge/zero_code");
  }
  if (s.is_nan())
    edges.push_back(element.is_zero() ? "edge/zero_code_nan_scale" : "edge/nan_scale");
  if (s.is_zero()) edges.push_back("edge/zero_scale");
  if (s.negative() && !s.is_nan()) edges.push_back("edge/negative_scale");
  const std::uint32_t magnitude = scale & oracle::magnitude_mask(format);
  if (format.subnormals && magnitude != 0 && magnitude < 1U << format.mantissa_bits) {
    edges.push_back("edge/subnormal_scale");
  }
  if (!oracle::has_zero(format) && scale == 0) edges.push_back("edge/smallest_scale");
  return edges;
}

}  // namespace

void cover_values(const PairCounts& counts, const oracle::FormatSpec& format,
                  oracle::Dtype destination, std::string_view prefix, Coverage& coverage) {
  for (std::size_t pair = 0; pair < counts.size(); ++pair) {
    if (counts[pair] == 0) continue;
    for (const std::string_view edge :
         edges_of(format, destination, static_cast<std::uint8_t>(pair % 16),
                  static_cast<std::uint8_t>(pair / 16))) {
      coverage.add(std::string(prefix).append(edge), counts[pair]);
    }
  }
}

std::vector<std::string> value_bins(const oracle::FormatSpec& format, oracle::Dtype destination) {
  std::set<std::string> bins;
  for (unsigned pair = 0; pair < 4096; ++pair) {
    for (const std::string_view edge :
         edges_of(format, destination, static_cast<std::uint8_t>(pair % 16),
                  static_cast<std::uint8_t>(pair / 16))) {
      bins.emplace(edge);
    }
  }
  return {bins.begin(), bins.end()};
}

}  // namespace harness
