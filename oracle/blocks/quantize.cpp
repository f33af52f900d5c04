#include "oracle/blocks/quantize.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/numbers/ieee.hpp"
#include "oracle/pages/contract.hpp"
#include "oracle/pages/decode_pages.hpp"

namespace oracle {
namespace {

// Where pages and heads lie, taken from views whose shapes and strides were checked.
struct Pool {
  std::string_view name;
  std::int64_t num_blocks;
  std::int64_t num_heads;
  std::array<std::int64_t, 2> strides_bytes;      // of pages: page to page, head to head
  std::array<std::int64_t, 2> row_strides_bytes;  // of rows: token to token, head to head
};

void check_rows(Contract& contract, const WriteArguments& a, const Extents& shape) {
  Extents strides(shape.size(), -1);
  strides.back() = 1;
  contract.dtype("rows", a.rows.dtype, {Dtype::f32, Dtype::f16, Dtype::bf16})
      .shape("rows", a.rows.shape, shape)
      .strides("rows", a.rows.strides, strides)
      .dtype("slot_mapping", a.slot_mapping.dtype, {Dtype::i64})
      .shape("slot_mapping", a.slot_mapping.shape, {a.rows.rank() == 0 ? -1 : a.rows.shape[0]})
      .strides("slot_mapping", a.slot_mapping.strides, {1});
}

// Two strided axes name disjoint pages where the longer stride steps over all of the shorter axis.
void check_disjoint(Contract& contract, const Pool& pool, std::int64_t page_bytes) {
  if (!contract.holds_so_far() || pool.num_blocks <= 1 || pool.num_heads <= 1) return;
  const bool heads_inside = pool.strides_bytes[1] <= pool.strides_bytes[0];
  const std::int64_t inner = pool.strides_bytes[heads_inside ? 1 : 0];
  const std::int64_t outer = pool.strides_bytes[heads_inside ? 0 : 1];
  const std::int64_t count = heads_inside ? pool.num_heads : pool.num_blocks;
  const auto reach =
      offset_of(std::array{count - 1, std::int64_t{1}}, std::array{inner, page_bytes});
  contract.require(reach && outer >= *reach, ErrorCode::invalid_argument,
                   std::string(pool.name) + " strides", "pages that do not overlap",
                   "strides of " + to_text({pool.strides_bytes[0], pool.strides_bytes[1]}) +
                       " bytes for " + to_text({pool.num_blocks, pool.num_heads}) + " pages");
}

void check_unique_slots(Contract& contract, std::vector<std::array<std::int64_t, 2>> slots) {
  std::sort(slots.begin(), slots.end());
  for (std::size_t i = 1; i < slots.size(); ++i) {
    if (slots[i][0] != slots[i - 1][0]) continue;
    contract.require(
        false, ErrorCode::invalid_argument, "slot_mapping[" + std::to_string(slots[i][1]) + "]",
        "a slot of its own",
        std::to_string(slots[i][0]) + ", which row " + std::to_string(slots[i - 1][1]) + " writes");
    return;
  }
}

Result<WritePlan> plan_moves(Contract& contract, const WriteArguments& a, const Pool& pool,
                             const PageLayout& layout) {
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  WritePlan plan{layout, a.rows.dtype, {}};
  const std::int64_t num_rows = a.rows.shape[0];
  const std::int64_t row_bytes = layout.head_dim * static_cast<std::int64_t>(size_of(a.rows.dtype));
  const std::int64_t num_slots = element_count({pool.num_blocks, layout.num_tokens});
  contract.stored("slot_mapping", a.slot_mapping, 0, element_count({num_rows, 8}));
  std::vector<std::array<std::int64_t, 2>> slots;
  for (std::int64_t row = 0; row < num_rows && contract.holds_so_far(); ++row) {
    const auto slot = load<std::int64_t>(bytes_at(a.slot_mapping, row * 8, 8));
    if (slot == -1) continue;
    if (slot < 0 || slot >= num_slots) {
      contract.require(false, ErrorCode::out_of_range, "slot_mapping[" + std::to_string(row) + "]",
                       "-1 or a slot from 0 to " + std::to_string(num_slots - 1),
                       std::to_string(slot));
      break;
    }
    slots.push_back({slot, row});
    const Slot place = slot_at(slot, layout);
    for (std::int64_t head = 0; head < pool.num_heads && contract.holds_so_far(); ++head) {
      const auto source = offset_of(std::array{row, head}, pool.row_strides_bytes);
      const auto page = offset_of(std::array{place.page_id, head}, pool.strides_bytes);
      contract.stored("rows", a.rows, source, row_bytes)
          .stored(pool.name, a.pages, page, layout.page_bytes());
      if (contract.holds_so_far()) plan.moves.push_back({row, head, place, *source, *page});
    }
  }
  if (contract.holds_so_far()) check_unique_slots(contract, std::move(slots));
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  return plan;
}

void run(const WritePlan& plan, const WriteArguments& a, const Profile& profile) {
  const auto width = static_cast<std::int64_t>(size_of(plan.source));
  std::vector<std::uint32_t> row(static_cast<std::size_t>(plan.layout.head_dim));
  for (const RowMove& move : plan.moves) {
    for (std::size_t e = 0; e < row.size(); ++e) {
      const auto at = move.source_bytes + static_cast<std::int64_t>(e) * width;
      std::uint32_t code = 0;
      std::memcpy(&code, bytes_at(a.rows, at, width).data(), static_cast<std::size_t>(width));
      row[e] = ieee::widen(code, plan.source);
    }
    write_token(plan.layout, bytes_at(a.pages, move.page_bytes, plan.layout.page_bytes()),
                move.slot.token, quantize_row(plan.layout, row, profile));
  }
}

std::int64_t bytes_of_stride(const ConstTensorView& view, std::size_t axis) {
  return element_count({view.strides[axis], static_cast<std::int64_t>(size_of(view.dtype))});
}

}  // namespace

QuantizedRow quantize_row(const PageLayout& layout, std::span<const std::uint32_t> row,
                          const Profile& profile) {
  assert(row.size() == static_cast<std::size_t>(layout.head_dim));
  QuantizedRow result{std::vector<std::uint8_t>(row.size()), {}};
  const auto block = static_cast<std::size_t>(layout.scale_block_size);
  for (std::size_t begin = 0; begin < row.size(); begin += block) {
    const auto elements = row.subspan(begin, block);
    const auto codes = std::span(result.codes).subspan(begin, block);
    result.scales.push_back(layout.scale_format == ScaleFormat::e4m3
                                ? quantize_block(elements, profile.nvfp4_writer, codes)
                                : quantize_block(elements, profile.mxfp4_writer, codes));
  }
  return result;
}

void write_token(const PageLayout& layout, std::span<std::uint8_t> page, int token,
                 const QuantizedRow& row) {
  assert(static_cast<int>(page.size()) == layout.page_bytes());
  for (int element = 0; element < layout.head_dim; ++element) {
    layout.set_code(page.data(), token, element, row.codes[static_cast<std::size_t>(element)]);
  }
  for (int group = 0; group < layout.groups_per_token(); ++group) {
    layout.set_scale(page.data(), token, group, row.scales[static_cast<std::size_t>(group)]);
  }
}

Result<WritePlan> plan_nvfp4_write_index_k(const WriteArguments& a, const Profile& profile) {
  constexpr const PageLayout& layout = nvfp4_index_k;
  Contract contract("nvfp4_write_index_k");
  check_rows(contract, a, {-1, layout.head_dim});
  contract.dtype("kv_cache", a.pages.dtype, {Dtype::u8})
      .shape("kv_cache", a.pages.shape, {-1, layout.num_tokens, layout.bytes_per_token()})
      .strides("kv_cache", a.pages.strides, {-1, layout.bytes_per_token(), 1});
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.at_least(ErrorCode::wrong_stride, "kv_cache page stride in bytes", a.pages.strides[0],
                    layout.page_bytes());
  const bool dense = profile.page_stride == PageStride::dense;
  const Pool pool{"kv_cache",
                  a.pages.shape[0],
                  1,
                  {dense ? layout.page_bytes() : a.pages.strides[0], layout.page_bytes()},
                  {bytes_of_stride(a.rows, 0), 0}};
  return plan_moves(contract, a, pool, with_scale_order(layout, profile.scale_order));
}

Result<WritePlan> plan_mxfp4_write_pages(const WriteArguments& a, const Profile& profile) {
  constexpr const PageLayout& layout = mxfp4;
  const bool has_heads = a.rows.rank() == 3;
  const std::int64_t num_heads = has_heads ? a.rows.shape[1] : 1;
  Contract contract("mxfp4_write_pages");
  check_rows(contract, a,
             has_heads ? Extents{-1, -1, layout.head_dim} : Extents{-1, layout.head_dim});
  contract.dtype("pages", a.pages.dtype, {Dtype::u8})
      .shape("pages", a.pages.shape,
             has_heads ? Extents{-1, num_heads, layout.page_bytes()}
                       : Extents{-1, layout.page_bytes()})
      .strides("pages", a.pages.strides, has_heads ? Extents{-1, -1, 1} : Extents{-1, 1});
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.at_least(ErrorCode::wrong_stride, "pages page stride in bytes", a.pages.strides[0],
                    layout.page_bytes());
  if (has_heads) {
    contract.at_least(ErrorCode::wrong_stride, "pages head stride in bytes", a.pages.strides[1],
                      layout.page_bytes());
  }
  const bool dense = profile.page_stride == PageStride::dense;
  const Pool pool{"pages",
                  a.pages.shape[0],
                  num_heads,
                  {dense ? element_count({num_heads, layout.page_bytes()}) : a.pages.strides[0],
                   has_heads && !dense ? a.pages.strides[1] : layout.page_bytes()},
                  {bytes_of_stride(a.rows, 0), has_heads ? bytes_of_stride(a.rows, 1) : 0}};
  check_disjoint(contract, pool, layout.page_bytes());
  return plan_moves(contract, a, pool, with_scale_order(layout, profile.scale_order));
}

Result<void> nvfp4_write_index_k(const WriteArguments& arguments, const Profile& profile) {
  const Result<WritePlan> plan = plan_nvfp4_write_index_k(arguments, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  run(*plan, arguments, profile);
  return {};
}

Result<void> mxfp4_write_pages(const WriteArguments& arguments, const Profile& profile) {
  const Result<WritePlan> plan = plan_mxfp4_write_pages(arguments, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  run(*plan, arguments, profile);
  return {};
}

}  // namespace oracle
