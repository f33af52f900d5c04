#include "harness/suite/operations/page_case_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/suite/operations/scale_bytes.hpp"

namespace harness::case_parts {

json probe_pool(const oracle::PageLayout& layout) {
  json pokes = json::array();
  const std::int64_t scales = layout.scale_section_offset();
  const std::string twice = fmt::format("{:02x}", power_scale(layout.scale_format, 1));
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
