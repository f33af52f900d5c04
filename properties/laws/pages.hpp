// The pages that a call of a page operation decodes, read off its tensors: where each lies in the
// pool and where it goes in the output. Written from docs/design.md section 3 alone, so that the
// laws do not rest on the oracle's plan of a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "harness/model/problem.hpp"
#include "oracle/pages/gather.hpp"

namespace properties {

struct PagePlaces {
  std::int64_t request = 0;  // 0 where there is no table
  std::int64_t page_id = 0;
  std::int64_t plane = 0;
  std::int64_t head = 0;
  std::size_t source = 0;  // of the first byte, in the storage of the pool
  std::size_t output = 0;  // of the first element, in the storage of `out`
};

// The names of all operations that read pages, of those that `chosen` takes, and of those through a
// block table.
std::vector<std::string_view> page_operations(bool (*chosen)(const oracle::PageReader&) = nullptr);
std::vector<std::string_view> gathers();

// What a page operation reads, and the layout of its pages: of a plane, all planes having one shape
// and one pair of formats. Precondition: it is a page operation.
const oracle::PageReader& reader_of(std::string_view operation);
const oracle::PageLayout& layout_of(std::string_view operation, std::int64_t plane = 0);
harness::Tensor& pool_of(harness::Problem& problem);
const harness::Tensor& pool_of(const harness::Problem& problem);

// In the order request, logical page, plane, head. Precondition: the problem keeps its contract.
std::vector<PagePlaces> pages_of(const harness::Problem& problem);

// Every page that the call names, once, whatever the table repeats: its bytes in the pool.
void for_each_page(harness::Problem& problem,
                   const std::function<void(const PagePlaces&, std::uint8_t* page)>& change);

// One element of the output: where it lies in its page and what it is made from.
struct Element {
  PagePlaces page;
  int token = 0;
  int element = 0;
  std::uint8_t code = 0;
  std::uint8_t scale = 0;
  std::size_t output = 0;  // of its first byte, in the storage of `out`
};
void for_each_element(const harness::Problem& problem,
                      const std::function<void(const Element&)>& visit);

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
