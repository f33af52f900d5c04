// Where counts, strides and ids of real code break, stated once: cases, required bins and the
// bounds of fuzzing are made from it.
//
// A type of 8, 16, 20, 31 or 32 bits, a warp, a block, a grid of 65,535 in y and z: each is a
// number that an extent of a call may pass. A case passes one by a few, so that the last part is
// ragged too: 2^8 by 4, 2^16 by 7. What passes the last number of a level passes those before it,
// so that an extent has one case a level.
//
// The levels are a matter of bytes: what a case allocates is copied to a device, back and compared.
// Level `standard` takes what is cheap, `full` what takes some ten megabytes and, once for each
// direction of data, what lies past 2^31; gigabytes more are for `exhaustive`.
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
  plane_stride,  // bytes
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
  std::int64_t past;                // what a case has
  Level level;                      // from which on a case passes it
  std::string_view passed_by = {};  // that case, where it is one that other reasons ask for
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
// The bins of all axes of an operation that level `full` passes: each is required.
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
std::vector<std::int64_t> tails_after_8192();  // a count for each remainder but 0

// The last boundary of each level, lowest level first, without those that other cases pass.
std::vector<Boundary> boundaries_with_cases(const LatticeAxis& axis);

// "extent_requests_65543" and what a case of this name is there to see.
std::string extent_case(const LatticeAxis& axis, const Boundary& boundary);
std::string extent_comment(const LatticeAxis& axis, const Boundary& boundary);

// From 1 to the last value of level `standard`, even on a scale of logarithms: for fuzzing.
std::int64_t random_extent(const LatticeAxis& axis, Random& random);

// The two factors that are nearest to each other, the larger one first.
std::pair<std::int64_t, std::int64_t> factors_of(std::int64_t product);

}  // namespace harness
