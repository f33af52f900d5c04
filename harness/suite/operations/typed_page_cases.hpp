// Cases of operations with several destinations, with heads and with planes, beside those of every
// gather.
#pragma once

#include <cstdint>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

// Beside page_cases.cpp's, whose outputs are e4m3 of one head.
void add_typed_gather_cases(CaseList& list, const PageOperation& operation);

// All cases of a decode of whole pools.
void add_decode_cases(CaseList& list, const PageOperation& operation, std::uint64_t seed);

}  // namespace harness
