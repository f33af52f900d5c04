// What a page problem exercises.
#pragma once

#include <string>
#include <vector>

#include "harness/model/coverage.hpp"
#include "harness/model/problem.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

void cover_pages(const PageOperation& operation, const Problem& problem, Coverage& coverage);
std::vector<std::string> required_page_bins(const PageOperation& operation);

}  // namespace harness
