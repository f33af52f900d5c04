#include "oracle/pages/gather.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "oracle/pages/pool_contract.hpp"

namespace oracle {
namespace {

std::string indexed(std::string_view argument, std::int64_t index) {
  return std::string(argument) + "[" + std::to_string(index) + "]";
}

std::int64_t i32_at(const ConstTensorView& view, std::int64_t index) {
  return load<std::int32_t>(bytes_at(view, index * 4, 4));
}

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
Result<PagePlan> plan_moves(Contract& contract, const GatherArguments& a,
                            std::string_view pages_name, PoolShape pool) {
  PagePlan plan{std::move(pool.layouts), a.out.dtype, {}};
  const bool empty = a.num_pages.shape[0] == 0 || a.max_num_pages == 0;
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  if (empty) return plan;

  const std::vector<OutputRange> ranges = check_requests(contract, a);
  const std::int64_t page_bytes = plan.layout().page_bytes();
  const std::int64_t out_bytes = decoded_page_bytes(plan.layout(), plan.destination);
  const std::int64_t out_plane_bytes = element_count({pool.num_heads, out_bytes});
  const std::array out_strides{element_count({pool.num_planes, out_plane_bytes}), out_plane_bytes,
                               out_bytes};
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
      for (std::int64_t side = 0; side < pool.num_planes * pool.num_heads; ++side) {
        const std::int64_t plane = side / pool.num_heads;
        const std::int64_t head = side % pool.num_heads;
        const std::int64_t output_page = range.begin + p;
        const auto source = offset_of(std::array{id, plane, head}, pool.strides_bytes);
        const auto destination = offset_of(std::array{output_page, plane, head}, out_strides);
        contract.stored(pages_name, a.pages, source, page_bytes)
            .stored("out", a.out, destination, out_bytes);
        if (!contract.holds_so_far()) break;
        plan.moves.push_back(
            {range.request, p, id, plane, head, output_page, *source, *destination});
      }
    }
  }
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  return plan;
}

}  // namespace

Result<PagePlan> plan_gather(const PageReader& reader, const GatherArguments& a,
                             const Profile& profile) {
  const PoolLayout& pool = *reader.pool;
  const PageLayout& layout = pool.layout();
  Contract contract(reader.name);
  PoolShape shape = check_pool(contract, pool, a.pages, HeadsAre::as_the_pool_has, 0, profile);
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  check_tables(contract, a);
  Extents out{-1};
  if (pool.num_planes() > 1) out.push_back(shape.num_planes);
  if (shape.has_head_axis) out.push_back(shape.num_heads);
  out.insert(out.end(), {layout.num_tokens, layout.head_dim});
  contract.dtype("out", a.out.dtype, reader.destinations)
      .shape("out", a.out.shape, out)
      .contiguous("out", a.out.shape, a.out.strides);
  return plan_moves(contract, a, pool.name, std::move(shape));
}

Result<void> gather(const PageReader& reader, const GatherArguments& arguments,
                    const Profile& profile) {
  const Result<PagePlan> plan = plan_gather(reader, arguments, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  const std::int64_t page_bytes = plan->layout().page_bytes();
  const std::int64_t out_bytes = decoded_page_bytes(plan->layout(), plan->destination);
  for (const PageMove& move : plan->moves) {
    decode_page(plan->layout(move.plane), bytes_at(arguments.pages, move.source_bytes, page_bytes),
                plan->destination, bytes_at(arguments.out, move.destination_bytes, out_bytes),
                profile);
  }
  return {};
}

}  // namespace oracle
