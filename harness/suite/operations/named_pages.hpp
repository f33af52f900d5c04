// Pages that are data and not made from a rule: rows of real weights, quantized once and frozen.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"
#include "oracle/pages/page_layout.hpp"

namespace harness {

// Whole pages of the layout, one behind the other. Error: unknown_name, with the names there are.
Result<std::span<const std::uint8_t>> named_pages(const oracle::PageLayout& layout,
                                                  std::string_view name);
std::vector<std::string_view> named_page_names(const oracle::PageLayout& layout);

}  // namespace harness
