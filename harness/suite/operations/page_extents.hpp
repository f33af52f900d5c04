// Calls of page operations in which one extent of the lattice is as large as is wanted.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

// Null for an extent that follows from others. `value`: at least 1; strides are rounded up to what
// is legal.
nlohmann::json page_extent_spec(const PageOperation& operation, Measure measure,
                                std::int64_t value);

// A case for each boundary.
void add_page_extents(CaseList& list, const PageOperation& operation);

}  // namespace harness
