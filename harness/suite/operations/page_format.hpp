// The operations on pages of 4-bit codes are one family: what differs between an NVFP4 gather and
// an MXFP4 decode is the data of PageOperation. Specs, problems, contracts, cases, coverage and
// diagnosis are written once for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/model/dtype.hpp"
#include "harness/model/operation.hpp"
#include "oracle/pages/page_layout.hpp"

namespace harness {

// Which contract of the oracle an operation keeps.
enum class PageContract { nvfp4_gather_index_k, mxfp4_gather_pages, mxfp4_decode_pages };

struct PageOperation {
  std::string_view name;
  std::string_view summary;
  PageContract contract;
  const oracle::PageLayout* layout;
  std::string_view pool;  // name of the tensor of pages
  bool has_table;         // pages are named by a block table; else all of them, in order
  bool rows_are_tokens;   // the pool is [.., num_tokens, bytes_per_token]; else [.., page_bytes]
  bool has_heads;         // an axis of heads between the pages and what lies in a page
  std::span<const DType> dtypes;  // of outputs, the default first
  const Signature& (*signature)();
};

}  // namespace harness
