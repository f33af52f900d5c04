#include "operations/named_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness {
namespace {

struct NamedPages {
  const oracle::PageLayout* layout;
  std::string_view name;
  std::span<const std::uint8_t> bytes;
};

std::span<const NamedPages> all_named_pages() { return {}; }

}  // namespace

Result<std::span<const std::uint8_t>> named_pages(const oracle::PageLayout& layout,
                                                  std::string_view name) {
  for (const NamedPages& pages : all_named_pages()) {
    if (*pages.layout == layout && pages.name == name) return pages.bytes;
  }
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("pool.contents: \"name\": expected one of [{}], got \"{}\"",
                                  fmt::join(named_page_names(layout), ", "), name));
}

std::vector<std::string_view> named_page_names(const oracle::PageLayout& layout) {
  std::vector<std::string_view> names;
  for (const NamedPages& pages : all_named_pages()) {
    if (*pages.layout == layout) names.push_back(pages.name);
  }
  return names;
}

}  // namespace harness
