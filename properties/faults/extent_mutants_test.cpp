// Right implementations of which one count, stride, id or offset has too narrow a type, a limit or
// a grid that ends: each must die on the cases of level standard that the lattice has for it
// (harness/suite/operations/lattice.hpp). They compute addresses themselves, from the contract of
// docs/design.md, and take the bytes that are right for what they read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "harness/run/judge.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "oracle/pages/fast.hpp"
#include "oracle/pages/product.hpp"
#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Outputs;
using harness::Problem;

// What a kernel computes with; each may be spoiled on its own.
enum class Quantity {
  requests,
  request_pages,
  bound,
  heads,
  blocks,
  table_width,
  table_stride,
  table_byte,
  page_id,
  page_stride,
  head_stride,
  source_byte,
  page_offset,
  output_byte,
  words,
  rows,
  row_stride,
};

using Spoil = std::function<std::int64_t(std::int64_t)>;

struct Kind {
  std::string name;
  Spoil spoil;        // none: as it is
  std::int64_t grid;  // a launch with more fails; 0: none
};

Kind unsigned_bits(int bits) {
  const std::int64_t mask = (std::int64_t{1} << bits) - 1;
  return {fmt::format("unsigned_of_{}_bits", bits), [=](std::int64_t v) { return v & mask; }, 0};
}
Kind signed_bits(int bits) {
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return {fmt::format("signed_of_{}_bits", bits),
          [=](std::int64_t v) { return ((v + half) & (2 * half - 1)) - half; }, 0};
}
Kind at_most(std::int64_t limit) {
  return {fmt::format("at_most_{}", limit), [=](std::int64_t v) { return std::min(v, limit); }, 0};
}
Kind grid_of(std::int64_t limit) { return {fmt::format("grid_of_{}", limit), {}, limit}; }

struct Mutant {
  std::string name;
  std::string_view operation;
  Quantity quantity{};
  Kind kind;
  // Faults that are none of width: of a whole call. True: it shows.
  std::function<bool(const Problem&)> shows;
};

// A mutant at work on one call. False: a launch or an access that fails.
class Work {
 public:
  Work(const Mutant& mutant, const Problem& call, const Outputs& expected)
      : mutant_(mutant), call_(call), expected_(expected) {}

  // Whether the bytes are wrong, or there are none.
  bool is_seen() {
    if (mutant_.shows) return mutant_.shows(call_);
    outputs_.clear();
    for (const harness::Tensor& tensor : call_.tensors) {
      if (tensor.role == harness::Role::output) outputs_.push_back(tensor.storage);
    }
    bool done = false;
    if (call_.find("rows") != nullptr) {
      done = write();
    } else if (call_.find("out") != nullptr) {
      done = decode();
    } else {
      done = words();
    }
    return !done || outputs_ != expected_;
  }

 private:
  std::int64_t of(Quantity quantity, std::int64_t value) {
    if (quantity != mutant_.quantity) return value;
    if (mutant_.kind.grid != 0 && value > mutant_.kind.grid) failed_ = true;
    return mutant_.kind.spoil ? mutant_.kind.spoil(value) : value;
  }
  static bool holds(const harness::Tensor& tensor, std::int64_t byte, std::int64_t count) {
    return byte >= 0 && byte + count <= static_cast<std::int64_t>(tensor.storage.size());
  }

  bool words() {
    const auto count = call_.tensors.front().shape[0];
    const std::int64_t done = of(Quantity::words, count);
    if (failed_ || done < 0 || done > count) return false;
    const auto width = static_cast<std::size_t>(harness::element_bytes(call_.tensors.back().dtype));
    std::copy_n(expected_[0].begin(), static_cast<std::size_t>(done) * width, outputs_[0].begin());
    return true;
  }

  bool decode() {
    const harness::Tensor& pool = pool_of(call_);
    const harness::Tensor& out = *call_.find("out");
    const harness::Tensor* const table = call_.find("block_table");
    const bool has_heads = pool.shape.size() == 3 && call_.operation.starts_with("mxfp4");
    const std::int64_t all_heads = has_heads ? pool.shape[1] : 1;
    const std::int64_t heads = of(Quantity::heads, all_heads);
    const std::int64_t requests = of(Quantity::requests, table != nullptr ? table->shape[0] : 1);
    const std::int64_t bound =
        of(Quantity::bound, table != nullptr ? call_.scalars.at("max_num_pages") : pool.shape[0]);
    const std::int64_t all_blocks = of(Quantity::blocks, requests * bound * heads);
    const auto page_out = static_cast<std::int64_t>(decoded_bytes(call_));
    std::int64_t last_output = 0;
    if (failed_) return false;
    for (std::int64_t r = 0; r < requests; ++r) {
      const std::int64_t count =
          table != nullptr ? i32_at(*call_.find("num_pages"), r) : pool.shape[0];
      const std::int64_t offset =
          table != nullptr ? of(Quantity::page_offset, i32_at(*call_.find("page_offsets"), r)) : 0;
      const std::int64_t width =
          of(Quantity::table_width, table != nullptr ? table->shape[1] : INT64_MAX);
      const std::int64_t most = std::min({bound, of(Quantity::request_pages, count), width});
      for (std::int64_t p = 0; p < most; ++p) {
        if ((r * bound + p) * heads >= all_blocks) return true;
        std::int64_t id = p;
        if (table != nullptr) {
          const std::int64_t byte =
              of(Quantity::table_byte, 4 * (r * of(Quantity::table_stride, table->strides[0]) + p));
          if (failed_ || !holds(*table, byte, 4)) return false;
          std::int32_t entry = 0;
          std::memcpy(&entry, table->storage.data() + byte, 4);
          id = entry;
        }
        id = of(Quantity::page_id, id);
        for (std::int64_t h = 0; h < heads; ++h) {
          const std::int64_t head_bytes =
              has_heads ? h * of(Quantity::head_stride, pool.strides[1]) : 0;
          const std::int64_t source =
              pool.origin_bytes + of(Quantity::source_byte,
                                     id * of(Quantity::page_stride, pool.strides[0]) + head_bytes);
          last_output = ((offset + p) * all_heads + h) * page_out;
          const std::int64_t output = out.origin_bytes + of(Quantity::output_byte, last_output);
          if (failed_ || !holds(pool, source, layout().page_bytes()) ||
              !holds(out, output, page_out)) {
            return false;
          }
          fast().decode_page(
              layout(),
              std::span(pool.storage)
                  .subspan(static_cast<std::size_t>(source),
                           static_cast<std::size_t>(layout().page_bytes())),
              harness_dtype(),
              std::span(outputs_[0])
                  .subspan(static_cast<std::size_t>(output), static_cast<std::size_t>(page_out)));
        }
      }
    }
    return true;
  }

  // Rows come with the bytes that are right for them, written where the mutant has their page.
  bool write() {
    const harness::Tensor& source = *call_.find("rows");
    const harness::Tensor& slots = *call_.find("slot_mapping");
    const harness::Tensor& pool = call_.tensors.back();
    const bool has_heads = source.shape.size() == 3;
    const std::int64_t all_heads = has_heads ? source.shape[1] : 1;
    const std::int64_t heads = of(Quantity::heads, all_heads);
    const std::int64_t tokens = of(Quantity::rows, source.shape[0]);
    const std::int64_t blocks_of = of(Quantity::blocks, tokens * heads);
    const auto width = static_cast<std::int64_t>(harness::element_bytes(source.dtype));
    if (failed_ || tokens < 0) return false;
    for (std::int64_t row = 0; row < tokens; ++row) {
      std::int64_t slot = 0;
      std::memcpy(&slot, slots.storage.data() + 8 * row, 8);
      if (slot < 0) continue;
      const std::int64_t stated = row * source.strides[0] * width;
      // A row that is read elsewhere has other codes.
      if (row * of(Quantity::row_stride, source.strides[0] * width) != stated) return false;
      for (std::int64_t h = 0; h < heads; ++h) {
        if (row * heads + h >= blocks_of) return true;
        const std::int64_t right_page = slot / 128 * pool.strides[0];
        const std::int64_t right_head = has_heads ? h * pool.strides[1] : 0;
        const std::int64_t from = pool.origin_bytes + right_page + right_head;
        const std::int64_t to =
            pool.origin_bytes +
            of(Quantity::source_byte,
               of(Quantity::page_id, slot / 128) * of(Quantity::page_stride, pool.strides[0]) +
                   (has_heads ? h * of(Quantity::head_stride, pool.strides[1]) : 0));
        if (failed_ || !holds(pool, to, layout().page_bytes())) return false;
        const auto token = static_cast<int>(slot % 128);
        const std::uint8_t* const right = expected_[0].data() + from;
        std::uint8_t* const made = outputs_[0].data() + to;
        for (int e = 0; e < layout().head_dim; ++e) {
          layout().set_code(made, token, e, layout().code(right, token, e));
          const int group = layout().group_of(e);
          layout().set_scale(made, token, group, layout().scale(right, token, group));
        }
      }
    }
    return true;
  }

  const oracle::PageLayout& layout() const { return layout_of(call_.operation); }
  oracle::Dtype harness_dtype() const {
    switch (call_.find("out")->dtype) {
      case harness::DType::f32:
        return oracle::Dtype::f32;
      case harness::DType::bf16:
        return oracle::Dtype::bf16;
      case harness::DType::f16:
        return oracle::Dtype::f16;
      default:
        return oracle::Dtype::e4m3;
    }
  }
  static const oracle::FastOracle& fast() {
    static const oracle::FastOracle oracle(oracle::profiles::ocp());
    return oracle;
  }

  const Mutant& mutant_;
  const Problem& call_;
  const Outputs& expected_;
  Outputs outputs_;
  bool failed_ = false;
};

constexpr std::array page_operations{std::string_view("nvfp4_gather_index_k"),
                                     std::string_view("mxfp4_gather_pages"),
                                     std::string_view("mxfp4_decode_pages")};
constexpr std::array write_operations{std::string_view("nvfp4_write_index_k"),
                                      std::string_view("mxfp4_write_pages")};
constexpr std::array word_operations{std::string_view("qmul4"), std::string_view("encode_e4m3"),
                                     std::string_view("convert")};

std::vector<Kind> narrow_counts() {
  return {unsigned_bits(8), signed_bits(8), unsigned_bits(16), signed_bits(16), grid_of(65535)};
}
std::vector<Kind> limits(std::initializer_list<std::int64_t> of) {
  std::vector<Kind> kinds;
  for (const std::int64_t limit : of) kinds.push_back(at_most(limit));
  return kinds;
}

class Collector {
 public:
  void add(std::string_view operation, std::string_view what, Quantity quantity,
           const std::vector<Kind>& kinds) {
    for (const Kind& kind : kinds) {
      all_.push_back(
          {fmt::format("{}_{}_{}", operation, what, kind.name), operation, quantity, kind, {}});
    }
  }
  void add(std::string_view operation, const std::string& what,
           std::function<bool(const Problem&)> shows) {
    all_.push_back({fmt::format("{}_{}", operation, what), operation, {}, {}, std::move(shows)});
  }
  std::vector<Mutant> take() { return std::move(all_); }

 private:
  std::vector<Mutant> all_;
};

void add_tables(Collector& all, std::string_view operation) {
  using enum Quantity;
  all.add(operation, "requests", requests, narrow_counts());
  all.add(operation, "requests", requests, limits({32, 64, 128, 256, 512, 1024, 65535, 65536}));
  all.add(operation, "table_width", table_width, {unsigned_bits(8), unsigned_bits(16)});
  all.add(operation, "table_stride", table_stride, narrow_counts());
  all.add(operation, "table_byte", table_byte, {unsigned_bits(16), signed_bits(16)});
  all.add(operation, "page_id", page_id, narrow_counts());
  all.add(operation, "page_id", page_id, {unsigned_bits(20), unsigned_bits(24)});
  all.add(operation, "page_offsets", page_offset, narrow_counts());
  all.add(operation, "page_offsets", page_offset, {unsigned_bits(20), unsigned_bits(24)});
  all.add(operation, "page_stride", page_stride,
          {unsigned_bits(16), unsigned_bits(24), signed_bits(32), unsigned_bits(32)});
  all.add(operation, "source_byte", source_byte, {signed_bits(32), unsigned_bits(32)});
  all.add(operation, "output_byte", output_byte, {signed_bits(32), unsigned_bits(32)});
  all.add(operation, "ignores_the_offset_of_one_request", [](const Problem& call) {
    return call.find("num_pages")->shape[0] == 1 && i32_at(*call.find("num_pages"), 0) > 0 &&
           i32_at(*call.find("page_offsets"), 0) != 0;
  });
  all.add(operation, "does_nothing_where_the_bound_is_past_the_table", [](const Problem& call) {
    const std::int64_t width = call.find("block_table")->shape[1];
    return call.scalars.at("max_num_pages") > width && !pages_of(call).empty();
  });
  // Fetches ahead what the entry behind the last names, if the pool has it.
  all.add(operation, "follows_an_id_in_range_past_num_pages", [](const Problem& call) {
    const harness::Tensor& pool = pool_of(call);
    const harness::Tensor& table = *call.find("block_table");
    for (std::int64_t r = 0; r < table.shape[0]; ++r) {
      const std::int32_t count = i32_at(*call.find("num_pages"), r);
      if (count >= table.shape[1]) continue;
      const std::int32_t id = i32_at(table, r * table.strides[0] + count);
      if (id >= 0 && id < pool.shape[0] && pool.origin_bytes + id * pool.strides[0] < 0) {
        return true;
      }
    }
    return false;
  });
}

std::vector<Mutant> mutants() {
  using enum Quantity;
  Collector all;
  for (const std::string_view operation : page_operations) {
    const bool has_table = operation != "mxfp4_decode_pages";
    const bool has_heads = operation.starts_with("mxfp4");
    if (has_table) add_tables(all, operation);
    all.add(operation, "bound", bound,
            has_table && !has_heads
                ? std::vector{unsigned_bits(8), unsigned_bits(16), grid_of(65535)}
                : std::vector{unsigned_bits(8)});
    all.add(operation, "pages", has_table ? request_pages : bound, limits({32, 64, 128, 256, 512}));
    if (operation == "nvfp4_gather_index_k") {
      all.add(operation, "pages", request_pages, limits({1024}));
    }
    if (!has_heads) continue;
    all.add(operation, "heads", heads, {unsigned_bits(8), signed_bits(8)});
    all.add(operation, "heads", heads, limits({32, 64, 128, 255, 256, 512}));
    all.add(operation, "head_stride", head_stride, {unsigned_bits(16), unsigned_bits(24)});
    if (!has_table) {
      all.add(operation, "page_stride", page_stride, {unsigned_bits(16), unsigned_bits(24)});
    }
  }
  for (const std::string_view operation : write_operations) {
    all.add(operation, "rows", rows, narrow_counts());
    all.add(operation, "rows", rows, limits({32, 64, 128, 256, 512, 1024, 65535, 65536}));
    all.add(operation, "page_id", page_id, narrow_counts());
    all.add(operation, "page_id", page_id, {unsigned_bits(20), unsigned_bits(24)});
    all.add(operation, "page_stride", page_stride,
            {unsigned_bits(16), unsigned_bits(24), signed_bits(32), unsigned_bits(32)});
    all.add(operation, "row_stride", row_stride, {unsigned_bits(16), unsigned_bits(24)});
    all.add(operation, "page_byte", source_byte, {signed_bits(32), unsigned_bits(32)});
    if (operation == "nvfp4_write_index_k") continue;
    all.add(operation, "heads", heads, {unsigned_bits(8), signed_bits(8)});
    all.add(operation, "heads", heads, limits({32, 64, 128, 255, 256, 512}));
    all.add(operation, "head_stride", head_stride, {unsigned_bits(16)});
    all.add(operation, "rows_x_heads", blocks, limits({1024}));
  }
  for (const std::string_view operation : word_operations) {
    all.add(operation, "words", words, narrow_counts());
    all.add(operation, "words", words, limits({32, 64, 128, 256, 512, 1024, 8192, 65535, 65536}));
    for (std::int64_t remainder = 1; remainder < 8; ++remainder) {
      all.add(operation, fmt::format("spoils_a_tail_of_{}_after_8192", remainder),
              [=](const Problem& call) {
                const std::int64_t count = call.tensors.front().shape[0];
                return count > 8192 && count % 8 == remainder;
              });
      all.add(operation, fmt::format("spoils_a_tail_of_{}", remainder),
              [=](const Problem& call) { return call.tensors.front().shape[0] % 8 == remainder; });
    }
  }
  return all.take();
}

// The cases that are about extents and positions, prepared once.
std::vector<std::pair<std::string, harness::PreparedCase>>& cases_of(std::string_view operation) {
  static std::map<std::string_view, std::vector<std::pair<std::string, harness::PreparedCase>>> all;
  auto& cases = all[operation];
  if (!cases.empty()) return cases;
  const harness::Operation& made = *harness::operation_named(operation);
  for (const harness::Case& each : made.cases(harness::Level::standard, 1)) {
    const auto has = [&](std::string_view tag) {
      return std::find(each.tags.begin(), each.tags.end(), tag) != each.tags.end();
    };
    if (!has("extents") && !has("offsets") && !has("table") && !has("tail")) continue;
    auto prepared = harness::PreparedCase::make(made, each, oracle::profiles::ocp());
    EXPECT_TRUE(prepared) << prepared.error().message;
    if (prepared) cases.emplace_back(each.id, std::move(*prepared));
  }
  return cases;
}

// The case that sees it, if there is one.
std::optional<std::string> seen_by(const Mutant& mutant) {
  for (const auto& [id, prepared] : cases_of(mutant.operation)) {
    for (std::size_t call = 0; call < prepared.calls().size(); ++call) {
      if (Work(mutant, prepared.calls()[call], prepared.expected(call)).is_seen()) return id;
    }
  }
  return std::nullopt;
}

TEST(ExtentMutantsTest, EachDiesAtLevelStandard) {
  const std::vector<Mutant> all = mutants();
  EXPECT_GE(all.size(), 250U);
  for (const Mutant& mutant : all) EXPECT_TRUE(seen_by(mutant)) << mutant.name << " survives";
}

// What computes everything as it is survives: it is the fault that is seen.
TEST(ExtentMutantsTest, WithoutAFaultNothingIsSeen) {
  const Kind none{"none", [](std::int64_t value) { return value; }, 0};
  for (const auto& operations : {std::vector(page_operations.begin(), page_operations.end()),
                                 std::vector(write_operations.begin(), write_operations.end()),
                                 std::vector(word_operations.begin(), word_operations.end())}) {
    for (const std::string_view operation : operations) {
      const Mutant right{std::string(operation), operation, Quantity::heads, none, {}};
      EXPECT_EQ(seen_by(right), std::nullopt) << operation;
    }
  }
}

// Each boundary of the lattice that takes volume has its case at level full.
TEST(ExtentMutantsTest, WhatTakesVolumeIsSeenAtLevelFull) {
  for (const harness::Operation* operation : harness::all_operations()) {
    std::map<std::string, harness::Level> levels;
    for (const harness::Case& each : operation->cases(harness::Level::full, 1)) {
      levels[each.id] = each.level;
    }
    for (const harness::LatticeAxis& axis : harness::lattice_of(operation->name())) {
      using harness::Measure;
      const bool follows = axis.measure == Measure::pool_bytes ||
                           axis.measure == Measure::output_bytes ||
                           axis.measure == Measure::source_bytes;
      if (follows || operation->name() == "convert") continue;
      for (const harness::Boundary& boundary : axis.boundaries) {
        const std::string id =
            fmt::format("{}/{}", operation->name(), harness::extent_case(axis, boundary));
        ASSERT_TRUE(levels.contains(id)) << id;
        EXPECT_EQ(levels[id], boundary.level) << id;
      }
    }
  }
}

}  // namespace
}  // namespace properties
