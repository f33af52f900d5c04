#include "harness/suite/operations/page_case_parts.hpp"

#include <algorithm>

namespace harness::case_parts {

json probe_pool(const oracle::PageLayout& layout) {
  json pokes = json::array();
  const std::int64_t scales = layout.scale_section_offset();
  const std::string_view twice = layout.scale_format == oracle::ScaleFormat::e4m3 ? "40" : "80";
  std::int64_t page = 0;
  for (const std::int64_t byte : {0, 1, 16, 64}) {
    pokes.push_back({{"page", page++}, {"byte", byte}, {"bytes", "21"}});
  }
  for (const std::int64_t byte : {0, 1, 4, 8}) {
    pokes.push_back({{"page", page++}, {"byte", scales + byte}, {"bytes", twice}});
  }
  return {{"pages", page}, {"contents", {{"kind", "probe"}, {"pokes", std::move(pokes)}}}};
}

std::int64_t pages_of_all_places(const oracle::PageLayout& layout) {
  return 16 / std::max(1, layout.num_tokens * layout.groups_per_token() / 256);
}

}  // namespace harness::case_parts
