// Where counts, strides and ids of real code break, stated once: cases, required bins and the
// bounds of fuzzing are made from it.
//
// A type of 8, 16, 20, 31 or 32 bits, a warp, a block, a grid of 65,535 in y and z: each is a
// number that an extent of a call may pass. A case passes each of them by a few, so that the last
// part is ragged too: 2^5 by 1, 2^6 by 2, and so on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/coverage.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {

enum class Measure {
  requests,
  request_pages,  // of one request
  pages,          // of a call
  heads,
  pairs,  // pages x heads
  words,  // of an elementwise operation
  rows,   // of a writer
  table_width,
  table_stride,  // entries
  table_bytes,
  bound,         // max_num_pages
  blocks,        // requests x max_num_pages
  page_stride,   // bytes
  head_stride,   // bytes
  row_stride,    // bytes
  page_id,       // the largest that is read or written
  output_page,   // the first of a request: page_offsets
  pool_bytes,    // from the first page to the end of the last that is read or written
  output_bytes,  // the same of the output
  source_bytes,  // of an elementwise operation's or a writer's input
};

struct Boundary {
  std::int64_t at;
  std::int64_t past;  // the value that a case has
  Level level;        // at which a case has it
};

struct LatticeAxis {
  Measure measure;
  std::string_view name;  // of bins and cases
  std::span<const Boundary> boundaries;
};

// The axes of an operation, by its name.
std::span<const LatticeAxis> lattice_of(std::string_view operation);

// "extent/requests/past_32"
std::string extent_bin(const LatticeAxis& axis, const Boundary& boundary);
// The bins of all axes of an operation: each is required.
std::vector<std::string> extent_bins(std::string_view operation);

// The level from which a bin of the lattice is hit; none for another bin.
std::optional<Level> level_of_bin(std::string_view operation, std::string_view bin);

// What one call has.
struct Measured {
  Measure measure;
  std::int64_t value;
};
// Counts the boundaries that the values pass.
void cover_extents(std::string_view operation, std::span<const Measured> values,
                   Coverage& coverage);

// Counts of elementwise operations modulo 8: "call/remainder_5", and "call/remainder_5_after_8192",
// where whole steps of what a kernel takes at once come before the rest.
void cover_remainder(std::int64_t count, Coverage& coverage);
std::vector<std::string> remainder_bins();

// "extent_requests_33" and what a case of this name is there to see.
std::string extent_case(const LatticeAxis& axis, const Boundary& boundary);
std::string extent_comment(const LatticeAxis& axis, const Boundary& boundary);

// From 1 to the last value of level `standard`, even on a scale of logarithms: for fuzzing.
std::int64_t random_extent(const LatticeAxis& axis, Random& random);

// The two factors that are nearest to each other, the larger one first.
std::pair<std::int64_t, std::int64_t> factors_of(std::int64_t product);

}  // namespace harness
