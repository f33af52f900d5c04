// The bytes of a pool: what a spec's contents say, the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/model/result.hpp"
#include "harness/suite/operations/page_spec.hpp"

namespace harness {

// The pool's storage: `pages` pages, stride_bytes apart, padding between them, and none behind the
// last one, so that reading past it leaves the storage. Error: no data of that name.
Result<std::vector<std::uint8_t>> pool_storage(const oracle::PoolLayout& of, const PageSpec& spec);

// Fills one page of one head, page_bytes long. `number` counts pages, planes and heads through the
// pool.
void fill_page(const oracle::PageLayout& layout, const Contents& contents, std::uint64_t number,
               std::span<std::uint8_t> page);

}  // namespace harness
