// The contract of a page operation, as the oracle states it.
#pragma once

#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/page_format.hpp"
#include "oracle/numbers/dtype.hpp"
#include "oracle/pages/gather.hpp"
#include "oracle/profile.hpp"

namespace harness {

// A legal call as the pages that it decodes, in the order request, page, plane, head.
using oracle::PagePlan;

// Error: what breaks the contract, with argument, expected and actual.
Result<PagePlan> plan_pages(const PageOperation& operation, const Problem& problem,
                            const oracle::Profile& profile);

// The bytes that the outputs must hold after the call. Small problems are decoded element by
// element from exact values, large ones by the fast oracle, and the smallest by both, which must
// agree. Error: as plan_pages.
Result<Outputs> expected_pages(const PageOperation& operation, const Problem& problem,
                               const oracle::Profile& profile);

}  // namespace harness
