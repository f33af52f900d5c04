// The operations on pages of 4-bit codes are one family: what differs between an NVFP4 gather and
// an MXFP4 decode is the data of PageOperation. Specs, problems, contracts, cases, coverage and
// diagnosis are written once for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/model/dtype.hpp"
#include "harness/model/operation.hpp"
#include "oracle/pages/gather.hpp"

namespace harness {

struct PageOperation {
  const oracle::PageReader* reader;  // pool, destinations, table
  std::string_view summary;
  Signature signature;
  // Cases that fill gigabytes begin at level full; of other operations, at level exhaustive.
  bool volume_at_full = false;

  std::string_view name() const { return reader->name; }
  const oracle::PoolLayout& pool() const { return *reader->pool; }
  // Of the first plane: shape and formats are those of all planes.
  const oracle::PageLayout& layout() const { return pool().layout(); }
  bool has_table() const { return reader->has_table; }
  bool has_heads() const { return pool().heads != oracle::HeadAxis::none; }
  std::span<const DType> dtypes() const { return reader->destinations; }  // the default first
};

}  // namespace harness
