// The inner loops of the fast oracle: a page's codes through the rows of a PairTable. One function
// per code path and width of the destination, all with one signature.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oracle/pages/fast.hpp"

namespace oracle::fast_rows {

// A page in the order that the loops want.
struct Job {
  const std::uint8_t* codes;   // groups * block / 2 bytes, the even element low
  const std::uint8_t* scales;  // one byte per group, in element order
  std::uint8_t* out;           // groups * block elements
  std::size_t groups;          // even
  std::size_t block;           // elements of a group: 16 or 32
  bool streaming;              // past the caches; `out` is aligned to 32 bytes
};

using Decode = void (*)(const PairTable&, const Job&);

// Precondition: FastOracle::is_supported(path); width is 1, 2 or 4.
Decode select(FastPath path, std::size_t width);

#if defined(__x86_64__)
Decode select_x86(FastPath path, std::size_t width);
#endif

}  // namespace oracle::fast_rows
