// The operations on pages, each a few lines of data: docs/design.md sections 3.2, 3.3 and 3.5.
#include <array>

#include "fp4cts/abi.h"
#include "harness/suite/operations/page_operation.hpp"
#include "harness/suite/operations/page_signature.hpp"
#include "harness/suite/operations/registry.hpp"

namespace harness {
namespace {

namespace readers = oracle::readers;

template <class Struct>
PageOperation operation(const oracle::PageReader& reader, std::string_view summary,
                        std::string_view struct_name) {
  PageOperation made{&reader, summary, page_signature(reader)};
  set_struct<Struct>(made.signature, struct_name);
  return made;
}

PageOperation nvfp4_gather_index_k() {
  PageOperation made = operation<fp4cts_nvfp4_gather_index_k>(
      readers::nvfp4_gather_index_k,
      "gathers NVFP4 index-K pages through a block table and decodes them to e4m3",
      "fp4cts_nvfp4_gather_index_k");
  // Gigabytes of host memory and minutes of copying: once at level full.
  made.volume_at_full = true;
  return made;
}

}  // namespace

std::span<const Operation* const> page_operations() {
  static const std::array made{
      PageOperationBase(nvfp4_gather_index_k()),
      PageOperationBase(operation<fp4cts_mxfp4_decode_pages>(
          readers::mxfp4_decode_pages, "decodes MXFP4 pages to e4m3, f32, bf16 or f16",
          "fp4cts_mxfp4_decode_pages")),
      PageOperationBase(operation<fp4cts_mxfp4_gather_pages>(
          readers::mxfp4_gather_pages,
          "gathers MXFP4 pages through a block table and decodes them to e4m3, f32, bf16 or f16",
          "fp4cts_mxfp4_gather_pages")),
      PageOperationBase(operation<fp4cts_nvfp4_gather_kv>(
          readers::nvfp4_gather_kv,
          "gathers NVFP4 pages of K and of V, whose scales lie in quads of four tokens",
          "fp4cts_nvfp4_gather_kv")),
      PageOperationBase(operation<fp4cts_nvfp4_gather_kv>(
          readers::nvfp4_gather_kv_swizzled,
          "gathers NVFP4 pages of K and V whose scales lie in tiles of 128 tokens by 4",
          "fp4cts_nvfp4_gather_kv"))};
  static const auto all = [] {
    std::array<const Operation*, made.size()> pointers{};
    for (std::size_t i = 0; i < made.size(); ++i) pointers[i] = &made[i];
    return pointers;
  }();
  return all;
}

}  // namespace harness
