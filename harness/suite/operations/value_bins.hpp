// Coverage bins of one product: which edges a pair of code and scale meets on its way to a
// destination. The same for pages and for packed lanes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/coverage.hpp"
#include "oracle/numbers/dtype.hpp"
#include "oracle/pages/page_layout.hpp"

namespace harness {

// How often each pair was met: [scale * 16 + code].
using PairCounts = std::array<std::uint64_t, 4096>;

// Bins are named `prefix` and edge.
void cover_values(const PairCounts& counts, const oracle::FormatSpec& format,
                  oracle::Dtype destination, std::string_view prefix, Coverage& coverage);

// All that the pairs of a format can reach in a destination.
std::vector<std::string> value_bins(const oracle::FormatSpec& format, oracle::Dtype destination);

}  // namespace harness
