// The quantities of each operation and how each is spoiled.
#include "properties/faults/extent_mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Problem;

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
           const std::vector<Kind>& kinds, harness::Level dies_at = harness::Level::standard) {
    for (const Kind& kind : kinds) {
      all_.push_back({fmt::format("{}_{}_{}", operation, what, kind.name), operation, quantity,
                      kind, nullptr, dies_at});
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

}  // namespace

std::vector<Mutant> extent_mutants() {
  using enum Quantity;
  using enum harness::Level;
  Collector all;
  for (const std::string_view operation : page_operations()) {
    const bool has_table = operation != "mxfp4_decode_pages";
    const bool has_heads = operation != "nvfp4_gather_index_k";
    if (has_table) add_tables(all, operation);
    all.add(operation, "bound", bound,
            has_table ? std::vector{unsigned_bits(8), unsigned_bits(16), grid_of(65535)}
                      : std::vector{unsigned_bits(8)});
    const Quantity pages = has_table ? request_pages : bound;
    all.add(operation, "pages", pages, limits({32, 64, 128, 255, 256}));
    all.add(operation, "pages", pages, limits({512, 1024}), has_heads ? full : standard);
    if (!has_heads) continue;
    all.add(operation, "heads", heads, {unsigned_bits(8), signed_bits(8)});
    all.add(operation, "heads", heads, limits({32, 64, 128, 255, 256}));
    all.add(operation, "heads", heads, limits({512, 1024}), full);
    all.add(operation, "pages_x_heads", blocks, limits({1024}), full);
    all.add(operation, "head_stride", head_stride, {unsigned_bits(16)});
    all.add(operation, "head_stride", head_stride, {unsigned_bits(24)}, full);
    if (reader_of(operation).pool->num_planes() > 1) {
      all.add(operation, "plane_stride", plane_stride, {unsigned_bits(16)});
      all.add(operation, "plane_stride", plane_stride, {unsigned_bits(24)}, full);
    }
    if (!has_table) {
      all.add(operation, "page_stride", page_stride, {unsigned_bits(16)});
    }
  }
  for (const std::string_view operation : write_operations) {
    all.add(operation, "rows", rows, narrow_counts());
    all.add(operation, "rows", rows, limits({32, 64, 128, 256, 512, 1024, 65535, 65536}));
    all.add(operation, "page_id", page_id, narrow_counts());
    all.add(operation, "page_id", page_id, {unsigned_bits(20), unsigned_bits(24)});
    all.add(operation, "page_stride", page_stride,
            {unsigned_bits(16), unsigned_bits(24), signed_bits(32), unsigned_bits(32)});
    all.add(operation, "row_stride", row_stride, {unsigned_bits(16)});
    all.add(operation, "page_byte", source_byte, {signed_bits(32), unsigned_bits(32)});
    if (operation == "nvfp4_write_index_k") continue;
    all.add(operation, "heads", heads, {unsigned_bits(8), signed_bits(8)});
    all.add(operation, "heads", heads, limits({32, 64, 128, 255, 256}));
    all.add(operation, "heads", heads, limits({512, 1024}), full);
    all.add(operation, "head_stride", head_stride, {unsigned_bits(16)});
    all.add(operation, "head_stride", head_stride, {unsigned_bits(24)}, full);
    all.add(operation, "rows_x_heads", blocks, limits({1024}), full);
  }
  for (const std::string_view operation : word_operations) {
    all.add(operation, "words", words, narrow_counts());
    all.add(operation, "words", words, limits({32, 64, 128, 256, 512, 1024, 8192, 65535, 65536}));
    all.add(operation, "words", words, {unsigned_bits(20)}, full);
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

}  // namespace properties
