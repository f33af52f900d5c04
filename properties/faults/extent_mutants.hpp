// Right implementations of which one count, stride, id or offset has too narrow a type, a limit or
// a grid that ends: each must die on the cases that the lattice has for it
// (harness/suite/operations/lattice.hpp), at level standard but for those that are said to take
// level full. They compute addresses themselves, from the contract of
// docs/design.md, and take the bytes that are right for what they read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/problem.hpp"

namespace properties {

// What a kernel computes with; each may be spoiled on its own.
enum class Quantity {
  requests,
  request_pages,
  bound,
  heads,
  blocks,
  table_width,
  table_stride,
  table_byte,
  page_id,
  page_stride,
  plane_stride,
  head_stride,
  source_byte,
  page_offset,
  output_byte,
  words,
  rows,
  row_stride,
};

using Spoil = std::function<std::int64_t(std::int64_t)>;

struct Kind {
  std::string name;
  Spoil spoil;        // none: as it is
  std::int64_t grid;  // a launch with more fails; 0: none
};

struct Mutant {
  std::string name;
  std::string_view operation;
  Quantity quantity{};
  Kind kind;
  // Faults that are none of width: of a whole call. True: it shows.
  std::function<bool(const harness::Problem&)> shows;
  harness::Level dies_at = harness::Level::standard;
};

// All of them.
std::vector<Mutant> extent_mutants();

// Whether a mutant's bytes of one call are wrong, or there are none.
bool is_seen(const Mutant& mutant, const harness::Problem& call, const harness::Outputs& expected);

}  // namespace properties
