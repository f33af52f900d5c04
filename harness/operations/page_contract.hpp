// The contract of a page operation, as the oracle states it.
#pragma once

#include <vector>

#include "harness/problem.hpp"
#include "harness/result.hpp"
#include "operations/page_format.hpp"
#include "oracle/dtype.hpp"
#include "oracle/gather.hpp"
#include "oracle/profile.hpp"

namespace harness {

// A legal call as the pages that it decodes, in the order request, page, head.
struct PagePlan {
  oracle::PageLayout layout;
  oracle::Dtype destination = oracle::Dtype::e4m3;
  std::vector<oracle::PageMove> moves;
};

// Error: what breaks the contract, with argument, expected and actual.
Result<PagePlan> plan_pages(const PageOperation& operation, const Problem& problem,
                            const oracle::Profile& profile);

// The bytes that the outputs must hold after the call. Small problems are decoded element by
// element from exact values, large ones by the fast oracle, and the smallest by both, which must
// agree. Error: as plan_pages.
Result<Outputs> expected_pages(const PageOperation& operation, const Problem& problem,
                               const oracle::Profile& profile);

}  // namespace harness
