// The pages that a call of a page operation decodes, read off its tensors: where each lies in the
// pool and where it goes in the output. Written from DESIGN.md section 3 alone, so that the laws do
// not rest on the oracle's plan of a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/problem.hpp"
#include "oracle/page_layout.hpp"

namespace properties {

struct PagePlaces {
  std::int64_t request = 0;  // 0 where there is no table
  std::int64_t page_id = 0;
  std::int64_t head = 0;
  std::size_t source = 0;  // of the first byte, in the storage of the pool
  std::size_t output = 0;  // of the first element, in the storage of `out`
};

// The layout of an operation's pages. Precondition: it is a page operation.
const oracle::PageLayout& layout_of(std::string_view operation);
harness::Tensor& pool_of(harness::Problem& problem);
const harness::Tensor& pool_of(const harness::Problem& problem);

// In the order request, logical page, head. Precondition: the problem keeps its contract.
std::vector<PagePlaces> pages_of(const harness::Problem& problem);

// Bytes of an element of `out`, and of a decoded page.
std::size_t element_bytes(const harness::Problem& problem);
std::size_t decoded_bytes(const harness::Problem& problem);

// The element of an output, from its first byte on, low byte first.
std::uint32_t element_at(const std::vector<std::uint8_t>& output, std::size_t byte,
                         std::size_t bytes);

// Entry i of an i32 tensor's storage.
std::int32_t i32_at(const harness::Tensor& tensor, std::int64_t i);
void set_i32(harness::Tensor& tensor, std::int64_t i, std::int32_t value);

}  // namespace properties
