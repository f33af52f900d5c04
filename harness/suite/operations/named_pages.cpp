#include "harness/suite/operations/named_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cassert>

#include "harness/files/safetensors.hpp"

// vectors/data/real/pages_nvfp4.safetensors, embedded as it is (operations/CMakeLists.txt).
extern "C" const std::uint8_t fp4cts_real_pages_nvfp4[];
extern "C" const std::uint8_t fp4cts_real_pages_nvfp4_end[];

namespace harness {
namespace {

struct NamedPages {
  const oracle::PageLayout* layout;
  std::string_view name;
  std::span<const std::uint8_t> bytes;
};

// The tensor `pages` of the embedded file. It was read whole when it was frozen, and a test reads
// it again: a failure here is a broken build.
std::span<const std::uint8_t> real_nvfp4() {
  static const TensorFile file =
      parse_safetensors({fp4cts_real_pages_nvfp4, fp4cts_real_pages_nvfp4_end},
                        "real/pages_nvfp4.safetensors")
          .value();
  const FileTensor* const pages = file.find("pages");
  assert(pages != nullptr);
  return pages->bytes;
}

std::span<const NamedPages> all_named_pages() {
  static const std::array pages{NamedPages{&oracle::nvfp4_index_k, "real", real_nvfp4()}};
  return pages;
}

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
