// What a case of a writer is made from.
//
//     {"dtype": "BF16", "tokens": 17, "heads": 2, "num_blocks": 3,
//      "contents": {"kind": "random", "seed": 1, "distribution": "edges"},
//      "slots": {"kind": "scattered", "seed": 1}, "first": 0,
//      "page_stride": 9216, "head_stride": 9216, "row_stride": 128, "fill": "a5"}
//
// Row i of the problem is row `first` + i of `contents`, so that a failure narrows without other
// rows. Kinds of contents: recipes (write_rows.hpp: the blocks at which rules differ, one after the
// other), random, values (`values`, the bits of whole rows in hex, repeated). Kinds of slots:
// ordered, reversed, scattered (`seed`), padded (every third row is skipped), skipped (all of
// them), ends (the first two rows, the last six and those around powers of two), and a list of
// numbers. Rows that `ends` skips are not made. Strides are dense unless stated; a pool of more
// pages than the slots name is stored only around those.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/scale_bytes.hpp"
#include "oracle/blocks/quantize.hpp"

namespace harness {

// What a writer writes and where: all that its operation is made from.
struct WriteForm {
  const oracle::PageWriter* writer = nullptr;
  std::string_view summary;

  std::string_view name() const { return writer->name; }
  const oracle::PoolLayout& pool() const { return *writer->pool; }
  const oracle::PageLayout& layout() const { return pool().layout(); }
  bool has_heads() const { return pool().heads != oracle::HeadAxis::none; }
};

enum class RowContent { recipes, random, values };
enum class SlotKind { list, ordered, reversed, scattered, padded, skipped, ends };

struct WriteSpec {
  DType dtype = DType::f32;
  RowContent contents = RowContent::recipes;
  std::uint64_t seed = 1;                           // random
  Distribution distribution = Distribution::edges;  // random
  std::vector<std::uint32_t> values;                // values: element bits, whole rows
  std::int64_t first = 0;
  std::int64_t tokens = 0;
  std::int64_t heads = 0;  // 0: no axis of heads
  std::int64_t num_blocks = 1;
  SlotKind slot_kind = SlotKind::ordered;
  std::uint64_t slot_seed = 1;
  std::vector<std::int64_t> slots;       // list
  std::int64_t page_stride_bytes = 0;    // 0: dense
  std::int64_t head_stride_bytes = 0;    // 0: dense
  std::int64_t row_stride_elements = 0;  // 0: dense
  std::uint8_t fill = 0xa5;

  std::int64_t heads_or_one() const { return heads == 0 ? 1 : heads; }
};

// Error: malformed, names the member, expected and actual.
Result<WriteSpec> write_spec_from_json(const WriteForm& form, const nlohmann::json& json);
nlohmann::json to_json(const WriteSpec& spec);

// The slot of every row, -1 where it is skipped.
std::vector<std::int64_t> slots_of(const WriteForm& form, const WriteSpec& spec);

// Bytes of all tensors that a spec asks for.
std::uint64_t write_bytes(const WriteForm& form, const WriteSpec& spec);
// Of these, what lies between rows that are gigabytes apart: zeros that nothing is made from.
std::uint64_t untouched_bytes(const WriteForm& form, const WriteSpec& spec);

// rows, slot_mapping and the pool. Precondition: the spec was read for this form.
Problem write_problem(const WriteForm& form, const WriteSpec& spec);

}  // namespace harness
