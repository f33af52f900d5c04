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

// Which oracles decode a small problem: both, which must agree, or the fast one alone, which does
// all large ones.
enum class PageOracles { both, fast };

// The bytes that the outputs must hold after the call. Error: as plan_pages.
Result<Outputs> expected_pages(const PageOperation& operation, const Problem& problem,
                               const oracle::Profile& profile, PageOracles oracles);

}  // namespace harness
