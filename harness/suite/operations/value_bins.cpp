#include "harness/suite/operations/value_bins.hpp"

#include <map>
#include <mutex>
#include <utility>

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

// The edges of all pairs into one destination.
struct EdgeTable {
  std::vector<std::string_view> names;                // in order
  std::vector<std::vector<std::uint16_t>> pairs_met;  // by name: [scale * 16 + code]
};

EdgeTable make_edges(const oracle::FormatSpec& format, oracle::Dtype destination) {
  std::map<std::string_view, std::vector<std::uint16_t>> met;
  for (unsigned pair = 0; pair < 4096; ++pair) {
    for (const std::string_view edge :
         edges_of(format, destination, static_cast<std::uint8_t>(pair % 16),
                  static_cast<std::uint8_t>(pair / 16))) {
      met[edge].push_back(static_cast<std::uint16_t>(pair));
    }
  }
  EdgeTable table;
  for (auto& [name, pairs] : met) {
    table.names.push_back(name);
    table.pairs_met.push_back(std::move(pairs));
  }
  return table;
}

// Made once for each format and destination.
const EdgeTable& edges_into(const oracle::FormatSpec& format, oracle::Dtype destination) {
  static std::mutex mutex;
  static std::map<std::pair<std::string_view, oracle::Dtype>, EdgeTable> made;
  const std::lock_guard lock(mutex);
  const auto found = made.find({format.name, destination});
  if (found != made.end()) return found->second;
  return made.emplace(std::pair(format.name, destination), make_edges(format, destination))
      .first->second;
}

}  // namespace

void cover_values(const PairCounts& counts, const oracle::FormatSpec& format,
                  oracle::Dtype destination, std::string_view prefix, Coverage& coverage) {
  const EdgeTable& edges = edges_into(format, destination);
  for (std::size_t edge = 0; edge < edges.names.size(); ++edge) {
    std::uint64_t count = 0;
    for (const std::uint16_t pair : edges.pairs_met[edge]) count += counts[pair];
    if (count != 0) coverage.add(std::string(prefix).append(edges.names[edge]), count);
  }
}

std::vector<std::string> value_bins(const oracle::FormatSpec& format, oracle::Dtype destination) {
  const EdgeTable& edges = edges_into(format, destination);
  return {edges.names.begin(), edges.names.end()};
}

}  // namespace harness
