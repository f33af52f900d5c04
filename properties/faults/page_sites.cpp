#include "properties/faults/page_sites.hpp"

#include <algorithm>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/product.hpp"

namespace properties {
namespace {

oracle::Dtype destination_of(const harness::Problem& call) {
  switch (call.find("out")->dtype) {
    case harness::DType::f32:
      return oracle::Dtype::f32;
    case harness::DType::bf16:
      return oracle::Dtype::bf16;
    case harness::DType::f16:
      return oracle::Dtype::f16;
    default:
      return oracle::Dtype::e4m3;
  }
}

constexpr auto all_places = std::to_array<Place>({
    {"everywhere", [](const Site&) { return true; }},
    {"odd_tokens", [](const Site& s) { return s.token % 2 == 1; }},
    {"upper_tokens", [](const Site& s) { return s.token >= 64; }},
    {"last_of_8_tokens", [](const Site& s) { return s.token % 8 == 7; }},
    {"odd_elements", [](const Site& s) { return s.element % 2 == 1; }},
    {"last_group", [](const Site& s) { return s.group() == s.groups - 1; }},
    {"odd_pages", [](const Site& s) { return s.logical % 2 == 1; }},
    {"later_pages", [](const Site& s) { return s.logical >= 1; }},
    {"later_requests",
     [](const Site& s) { return s.pages[static_cast<std::size_t>(s.page)].request >= 1; }},
});

}  // namespace

std::span<const Place> places() { return all_places; }

Arithmetic::Arithmetic(const harness::Problem& call)
    : format(layout_of(call.operation).scale_format), to(destination_of(call)) {}

std::uint32_t Arithmetic::operator()(std::uint8_t code, std::uint8_t scale) const {
  return oracle::decode_element(format, code, scale, to, oracle::profiles::ocp());
}

oracle::Exact Arithmetic::product(std::uint8_t code, std::uint8_t scale) const {
  return oracle::multiply(oracle::decode<oracle::e2m1>(code),
                          oracle::scale_value(format, scale, oracle::profiles::ocp()));
}

const oracle::FormatSpec& Arithmetic::spec() const {
  return oracle::destination_format(to, oracle::profiles::ocp());
}

void for_each_site(const harness::Problem& call, std::vector<std::uint8_t>& out,
                   const SiteChange& change) {
  const std::vector<PagePlaces> pages = pages_of(call);
  if (pages.empty()) return;
  const oracle::PageLayout& layout = layout_of(call.operation);
  int heads = 1;
  for (const PagePlaces& page : pages) heads = std::max(heads, static_cast<int>(page.head) + 1);
  const std::size_t width = element_bytes(call);
  int logical = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const bool same = i >= static_cast<std::size_t>(heads) &&
                      pages[i].request == pages[i - static_cast<std::size_t>(heads)].request;
    if (pages[i].head == 0) logical = same ? logical + 1 : 0;
    for (int t = 0; t < tokens; ++t) {
      for (int e = 0; e < elements; ++e) {
        const Site site{call, pages, static_cast<int>(i),       heads,
                        t,    e,     layout.groups_per_token(), logical};
        const std::size_t at = pages[i].output + static_cast<std::size_t>(t * elements + e) * width;
        change(site, out.data() + at);
      }
    }
  }
}

void put(std::uint8_t* bytes, std::uint32_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace properties
