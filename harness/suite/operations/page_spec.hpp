// What a case of a page operation is made from: pool, tables, calls and outputs, as JSON and as a
// struct. The same spec serves the case list, fuzzing and saved failures.
//
//     {"pool": {"pages": 2, "first_id": 0, "heads": 1, "head_stride_bytes": 9216,
//               "plane_stride_bytes": 9216, "stride_bytes": 9216, "misalignment_bytes": 0,
//               "padding": "5a",
//               "contents": {"kind": "layout", "seed": 1}},
//      "table": {"width": 4, "stride": 4, "beyond": "poison"},
//      "calls": [{"num_pages": [2, 1], "ids": {"pattern": "reversed"}}],
//      "max_num_pages": 2,
//      "output": {"dtype": "F8_E4M3", "first_page": 0, "lead_pages": 0, "spare_pages": 1,
//                 "order": "packed", "fill": "a5", "misalignment_bytes": 0}}
//
// Only pool.pages, pool.contents and calls are required. Many num_pages are stated as runs of equal
// ones: {"runs": [[65535, 0], [1, 2]]} is 65,535 requests without pages and one of two. Heads and
// planes are for operations that have them; 0 heads is a pool without that axis, where it may lack
// it. An operation without a block table takes every page in order: it has neither table, calls nor
// max_num_pages, and of the output dtype, spare_pages, fill and misalignment_bytes.
// docs/conformance.md says what each member means; reading is strict: an unknown member, a wrong
// type or a number out of range is an error that names the member, what was expected and what it
// is.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/dtype.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/page_format.hpp"
#include "harness/suite/operations/scale_bytes.hpp"

namespace harness {

// Bytes that replace those of one stored page from `byte` on.
struct Poke {
  std::int64_t page = 0;  // of the pool, 0 the first stored one
  std::int64_t byte = 0;
  std::vector<std::uint8_t> bytes;
};

// The part of every page that keeps its contents; the rest becomes code 2 (1.0) and scale 1.0. What
// shrinking narrows.
struct Keep {
  std::int64_t first_token = 0;
  std::int64_t tokens = 0;
  std::int64_t first_element = 0;
  std::int64_t elements = 0;
};

enum class ContentKind {
  exhaustive,  // all 16 x 256 (code, scale) pairs, at other places of the group from page to page
  layout,      // every byte a hash of its place; scales that keep all eight magnitudes apart
  probe,       // one byte of codes and one scale everywhere
  random,      // from a seed
  named,       // pages from a data file in the box
};

struct Contents {
  ContentKind kind = ContentKind::layout;
  std::uint64_t seed = 1;                           // layout, random
  Distribution distribution = Distribution::edges;  // random
  std::uint8_t codes = 0x22;                        // probe: two codes
  std::optional<std::uint8_t> scale;                // probe; none: 1.0
  std::string name;                                 // named
  std::vector<Poke> pokes;                          // of any kind, applied last
  std::optional<Keep> keep;                         // of any kind
  std::uint64_t first_number = 0;  // which page of the rule or file the first stored one is
  bool only_named = false;         // what no call names is zeros: pools of gigabytes
};

struct PoolSpec {
  std::int64_t pages = 1;
  std::int64_t first_id =
      0;  // physical id of the first stored page: what lies before is not stored
  std::int64_t heads = 1;
  bool has_head_axis = true;            // of operations with heads; else heads is 1
  std::int64_t head_stride_bytes = 0;   // 0: the bytes of one page of one head
  std::int64_t plane_stride_bytes = 0;  // of pools with planes; 0: all heads of one
  std::int64_t stride_bytes = 0;        // 0: the bytes of a page of all planes and heads
  // Of the storage's first byte, modulo 256; none: such that the last byte ends at a multiple of
  // 256, where a device can let memory end, so that reading on is an error.
  std::optional<std::int64_t> misalignment_bytes;
  std::uint8_t padding = 0x5a;  // between pages
  Contents contents;
};

// What the entries of a table row past num_pages hold.
enum class Beyond {
  poison,    // -1 and 2^31-1 in turn
  valid,     // ids of stored pages, so that following them is seen in the output
  unstored,  // ids that the pool has, of pages that are not stored: following them is a fault
};

struct TableSpec {
  std::int64_t width = 0;              // 0: the largest num_pages
  std::optional<std::int64_t> stride;  // none: width. 0: all requests share one row
  Beyond beyond = Beyond::poison;
};

enum class IdPattern {
  sequential,  // stored pages in turn, over all requests
  reversed,    // from the last one back
  scattered,   // in an order made from a seed
  repeated,    // the first `period` ones again and again
  list,        // stated, a row for each request
};

struct IdSpec {
  IdPattern pattern = IdPattern::sequential;
  std::uint64_t seed = 1;                       // scattered
  std::int64_t period = 1;                      // repeated
  std::vector<std::vector<std::int64_t>> rows;  // list: 0 is the first stored page
};

struct CallSpec {
  std::vector<std::int64_t> num_pages;  // one for each request
  IdSpec ids;
};

enum class OutputOrder { packed, reversed };

struct OutputSpec {
  DType dtype = DType::e4m3;
  std::int64_t first_page = 0;              // smallest of page_offsets
  std::int64_t lead_pages = 0;              // stored before it, not to be written
  std::int64_t spare_pages = 1;             // stored behind the last one, not to be written
  std::int64_t gap_pages = 0;               // between the pages of two requests, not to be written
  OutputOrder order = OutputOrder::packed;  // of requests
  std::uint8_t fill = 0xa5;
  std::int64_t misalignment_bytes = 0;
};

struct PageSpec {
  PoolSpec pool;
  TableSpec table;
  std::vector<CallSpec> calls;
  std::optional<std::int64_t> max_num_pages;  // none: the largest num_pages
  OutputSpec output;
};

// Error: malformed, names the member; or a combination that no legal call has.
Result<PageSpec> page_spec_from_json(const PageOperation& operation, const nlohmann::json& json);
// The members that differ from their defaults; reading it back gives the same spec.
nlohmann::json to_json(const PageOperation& operation, const PageSpec& spec);

// What a single member cannot say: that the calls fit the pool, the table and each other. Error:
// malformed, names the member, expected and actual. Part of page_spec_from_json.
Status check_page_spec(const PageOperation& operation, const PageSpec& spec);

// What follows from a spec. Bytes from the first of a block of the pool to one behind its last
// page.
std::int64_t block_bytes(const PageOperation& operation, const PoolSpec& pool);
std::int64_t largest_num_pages(const PageSpec& spec);
std::int64_t table_width(const PageSpec& spec);
std::int64_t table_stride(const PageSpec& spec);
// First output page of every request of a call.
std::vector<std::int64_t> page_offsets(const PageSpec& spec, const CallSpec& call);
// Pages from the first that any call writes to one behind the last.
std::int64_t output_extent_pages(const PageSpec& spec);
// Numbers, in the pool, of the pages that a call names: a row for each request.
std::vector<std::vector<std::int64_t>> named_page_numbers(const PageSpec& spec,
                                                          const CallSpec& call);
// Bytes of all tensors of one call.
std::uint64_t problem_bytes(const PageOperation& operation, const PageSpec& spec);
// Whether the table is so large that only what is read is made; the rest is zeros.
bool sparse_table(const PageSpec& spec);
// Of these, zeros that nothing is made from: what no call names of a pool where only_named is set,
// and of a sparse table.
std::uint64_t untouched_bytes(const PageOperation& operation, const PageSpec& spec);

}  // namespace harness
