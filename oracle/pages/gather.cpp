#include "oracle/pages/gather.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "oracle/pages/contract.hpp"

namespace oracle {
namespace {

std::string indexed(std::string_view argument, std::int64_t index) {
  return std::string(argument) + "[" + std::to_string(index) + "]";
}

std::int64_t i32_at(const ConstTensorView& view, std::int64_t index) {
  return load<std::int32_t>(bytes_at(view, index * 4, 4));
}

// Where pages and heads lie, taken from a view whose shape and strides were checked.
struct PoolShape {
  std::int64_t num_blocks;
  std::int64_t num_heads;
  std::array<std::int64_t, 2> strides_bytes;  // from page to page, from head to head
};

// dtype, shape and strides of what both gathers share.
void check_tables(Contract& contract, const GatherArguments& a) {
  const std::int64_t num_reqs = a.num_pages.rank() == 1 ? a.num_pages.shape[0] : -1;
  contract.dtype("num_pages", a.num_pages.dtype, {Dtype::i32})
      .shape("num_pages", a.num_pages.shape, {-1})
      .strides("num_pages", a.num_pages.strides, {1})
      .dtype("page_offsets", a.page_offsets.dtype, {Dtype::i32})
      .shape("page_offsets", a.page_offsets.shape, {num_reqs})
      .strides("page_offsets", a.page_offsets.strides, {1})
      .dtype("block_table", a.block_table.dtype, {Dtype::i32})
      .shape("block_table", a.block_table.shape, {num_reqs, -1})
      .strides("block_table", a.block_table.strides, {-1, 1})
      .at_least(ErrorCode::invalid_argument, "max_num_pages", a.max_num_pages, 0);
}

// Byte of block_table[request][page], counted from its first element.
std::optional<std::int64_t> table_entry(const ConstTensorView& table, std::int64_t request,
                                        std::int64_t page) {
  std::int64_t row_bytes = 0;
  if (__builtin_mul_overflow(table.strides[0], std::int64_t{4}, &row_bytes)) return std::nullopt;
  return offset_of(std::array{request, page}, std::array{row_bytes, std::int64_t{4}});
}

// Output pages of one request.
struct OutputRange {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t request;
};

void check_overlap(Contract& contract, std::vector<OutputRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const OutputRange& x, const OutputRange& y) { return x.begin < y.begin; });
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const OutputRange& before = ranges[i - 1];
    const OutputRange& after = ranges[i];
    if (after.begin >= before.end) continue;
    contract.require(false, ErrorCode::invalid_argument,
                     indexed("page_offsets", after.request) + " = " + std::to_string(after.begin),
                     "output pages of its own",
                     "pages that request " + std::to_string(before.request) + " writes, [" +
                         std::to_string(before.begin) + ", " + std::to_string(before.end) + ")");
    return;
  }
}

// num_pages and page_offsets of every request: signs, bounds, room in `out`, overlap.
std::vector<OutputRange> check_requests(Contract& contract, const GatherArguments& a) {
  const std::int64_t num_reqs = a.num_pages.shape[0];
  const std::int64_t bytes = element_count({num_reqs, 4});
  contract.stored("num_pages", a.num_pages, 0, bytes)
      .stored("page_offsets", a.page_offsets, 0, bytes);
  std::vector<OutputRange> ranges;
  std::int64_t total = 0;
  for (std::int64_t r = 0; r < num_reqs && contract.holds_so_far(); ++r) {
    const std::int64_t count = i32_at(a.num_pages, r);
    const std::int64_t offset = i32_at(a.page_offsets, r);
    contract.at_least(ErrorCode::invalid_argument, indexed("num_pages", r), count, 0)
        .require(count <= a.max_num_pages, ErrorCode::invalid_argument, indexed("num_pages", r),
                 "at most max_num_pages, " + std::to_string(a.max_num_pages), std::to_string(count))
        .require(count <= a.block_table.shape[1], ErrorCode::out_of_range, indexed("num_pages", r),
                 "at most the width of block_table, " + std::to_string(a.block_table.shape[1]),
                 std::to_string(count))
        .at_least(ErrorCode::out_of_range, indexed("page_offsets", r), offset, 0);
    if (count > 0) ranges.push_back({offset, offset + count, r});
    total += count;
  }
  if (!contract.holds_so_far()) return ranges;
  contract.require(a.out.shape[0] >= total, ErrorCode::too_small, "out shape",
                   "at least " + std::to_string(total) + " pages, the sum of num_pages",
                   std::to_string(a.out.shape[0]));
  for (const OutputRange& range : ranges) {
    if (range.end <= a.out.shape[0]) continue;
    contract.require(false, ErrorCode::too_small, "out shape",
                     "at least " + std::to_string(range.end) + " pages for request " +
                         std::to_string(range.request) + " at page offset " +
                         std::to_string(range.begin),
                     std::to_string(a.out.shape[0]));
  }
  check_overlap(contract, ranges);
  return ranges;
}

// The moves of every request. Page ids are read here, the first num_pages[r] of each row alone.
Result<GatherPlan> plan_moves(Contract& contract, const GatherArguments& a,
                              std::string_view pages_name, const PoolShape& pool,
                              const PageLayout& layout) {
  GatherPlan plan{layout, a.out.dtype, {}};
  const bool empty = a.num_pages.shape[0] == 0 || a.max_num_pages == 0;
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  if (empty) return plan;

  const std::vector<OutputRange> ranges = check_requests(contract, a);
  const std::int64_t out_bytes = decoded_page_bytes(layout, plan.destination);
  const std::array out_strides{element_count({pool.num_heads, out_bytes}), out_bytes};
  // Room for what an ordinary call makes; a count is not trusted with memory before its pages are.
  std::int64_t expected_moves = 0;
  for (const OutputRange& range : ranges) expected_moves += range.end - range.begin;
  plan.moves.reserve(static_cast<std::size_t>(std::min(expected_moves, std::int64_t{1} << 18)));
  for (const OutputRange& range : ranges) {
    for (std::int64_t p = 0; p < range.end - range.begin && contract.holds_so_far(); ++p) {
      const std::optional<std::int64_t> entry = table_entry(a.block_table, range.request, p);
      contract.stored("block_table", a.block_table, entry, 4);
      if (!contract.holds_so_far()) break;
      const std::int64_t id = load<std::int32_t>(bytes_at(a.block_table, *entry, 4));
      if (id < 0 || id >= pool.num_blocks) {
        contract.require(
            false, ErrorCode::out_of_range, indexed(indexed("block_table", range.request), p),
            "a page id from 0 to " + std::to_string(pool.num_blocks - 1), std::to_string(id));
        break;
      }
      for (std::int64_t head = 0; head < pool.num_heads; ++head) {
        const std::int64_t output_page = range.begin + p;
        const auto source = offset_of(std::array{id, head}, pool.strides_bytes);
        const auto destination = offset_of(std::array{output_page, head}, out_strides);
        contract.stored(pages_name, a.pages, source, layout.page_bytes())
            .stored("out", a.out, destination, out_bytes);
        if (!contract.holds_so_far()) break;
        plan.moves.push_back({range.request, p, id, head, output_page, *source, *destination});
      }
    }
  }
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  return plan;
}

void run(const GatherPlan& plan, const GatherArguments& a, const Profile& profile) {
  const std::int64_t out_bytes = decoded_page_bytes(plan.layout, plan.destination);
  for (const PageMove& move : plan.moves) {
    decode_page(plan.layout, bytes_at(a.pages, move.source_bytes, plan.layout.page_bytes()),
                plan.destination, bytes_at(a.out, move.destination_bytes, out_bytes), profile);
  }
}

}  // namespace

Result<GatherPlan> plan_nvfp4_gather_index_k(const GatherArguments& a, const Profile& profile) {
  constexpr const PageLayout& layout = nvfp4_index_k;
  Contract contract("nvfp4_gather_index_k");
  contract.dtype("kv_cache", a.pages.dtype, {Dtype::u8})
      .shape("kv_cache", a.pages.shape, {-1, layout.num_tokens, layout.bytes_per_token()})
      .strides("kv_cache", a.pages.strides, {-1, layout.bytes_per_token(), 1});
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.at_least(ErrorCode::wrong_stride, "kv_cache page stride in bytes", a.pages.strides[0],
                    layout.page_bytes());
  check_tables(contract, a);
  contract.dtype("out", a.out.dtype, {Dtype::e4m3})
      .shape("out", a.out.shape, {-1, layout.num_tokens, layout.head_dim})
      .contiguous("out", a.out.shape, a.out.strides);
  const bool dense = profile.page_stride == PageStride::dense;
  const PoolShape pool{
      a.pages.shape[0], 1, {dense ? layout.page_bytes() : a.pages.strides[0], layout.page_bytes()}};
  return plan_moves(contract, a, "kv_cache", pool, with_scale_order(layout, profile.scale_order));
}

Result<GatherPlan> plan_mxfp4_gather_pages(const GatherArguments& a, const Profile& profile) {
  constexpr const PageLayout& layout = mxfp4;
  const bool has_heads = a.pages.rank() == 3;
  Contract contract("mxfp4_gather_pages");
  contract.dtype("pages", a.pages.dtype, {Dtype::u8})
      .shape("pages", a.pages.shape,
             has_heads ? Extents{-1, -1, layout.page_bytes()} : Extents{-1, layout.page_bytes()})
      .strides("pages", a.pages.strides, has_heads ? Extents{-1, -1, 1} : Extents{-1, 1});
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.at_least(ErrorCode::wrong_stride, "pages page stride in bytes", a.pages.strides[0],
                    layout.page_bytes());
  if (has_heads) {
    contract.at_least(ErrorCode::wrong_stride, "pages head stride in bytes", a.pages.strides[1],
                      layout.page_bytes());
  }
  check_tables(contract, a);
  const std::int64_t num_heads = has_heads ? a.pages.shape[1] : 1;
  contract.dtype("out", a.out.dtype, {Dtype::e4m3, Dtype::f32, Dtype::bf16, Dtype::f16})
      .shape("out", a.out.shape,
             has_heads ? Extents{-1, num_heads, layout.num_tokens, layout.head_dim}
                       : Extents{-1, layout.num_tokens, layout.head_dim})
      .contiguous("out", a.out.shape, a.out.strides);
  const bool dense = profile.page_stride == PageStride::dense;
  const PoolShape pool{
      a.pages.shape[0],
      num_heads,
      {dense ? element_count({num_heads, layout.page_bytes()}) : a.pages.strides[0],
       has_heads && !dense ? a.pages.strides[1] : layout.page_bytes()}};
  return plan_moves(contract, a, "pages", pool, with_scale_order(layout, profile.scale_order));
}

Result<void> nvfp4_gather_index_k(const GatherArguments& arguments, const Profile& profile) {
  const Result<GatherPlan> plan = plan_nvfp4_gather_index_k(arguments, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  run(*plan, arguments, profile);
  return {};
}

Result<void> mxfp4_gather_pages(const GatherArguments& arguments, const Profile& profile) {
  const Result<GatherPlan> plan = plan_mxfp4_gather_pages(arguments, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  run(*plan, arguments, profile);
  return {};
}

}  // namespace oracle
