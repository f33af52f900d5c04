#include "oracle/blocks/quantize.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/numbers/ieee.hpp"
#include "oracle/pages/pool_contract.hpp"

namespace oracle {
namespace {

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

void check_disjoint(Contract& contract, const PoolLayout& layout, const PoolShape& pool) {
  if (!contract.holds_so_far() || pool.num_blocks <= 1 || pool.num_heads <= 1) return;
  const std::array extents{pool.num_blocks, pool.num_planes, pool.num_heads};
  contract.require(pages_are_disjoint(extents, pool.strides_bytes, layout.layout().page_bytes()),
                   ErrorCode::invalid_argument, std::string(layout.name) + " strides",
                   "pages that do not overlap",
                   "strides of " + to_text({pool.strides_bytes[0], pool.strides_bytes[2]}) +
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

// From row to row and from head to head, in bytes.
using RowStrides = std::array<std::int64_t, 2>;

Result<WritePlan> plan_moves(Contract& contract, const WriteArguments& a,
                             std::string_view pages_name, const PoolShape& pool,
                             const RowStrides& row_strides_bytes) {
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  const PageLayout& layout = pool.layouts.front();
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
      const auto source = offset_of(std::array{row, head}, row_strides_bytes);
      const auto page =
          offset_of(std::array{place.page_id, std::int64_t{0}, head}, pool.strides_bytes);
      contract.stored("rows", a.rows, source, row_bytes)
          .stored(pages_name, a.pages, page, layout.page_bytes());
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
    result.scales.push_back(layout.scale_format == e4m3::spec
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

Result<WritePlan> plan_write(const PageWriter& writer, const WriteArguments& a,
                             const Profile& profile) {
  const PoolLayout& pool = *writer.pool;
  const bool has_heads = pool.heads != HeadAxis::none && a.rows.rank() == 3;
  const std::int64_t num_heads = has_heads ? a.rows.shape[1] : 0;
  Contract contract(writer.name);
  check_rows(
      contract, a,
      has_heads ? Extents{-1, -1, pool.layout().head_dim} : Extents{-1, pool.layout().head_dim});
  const PoolShape shape =
      check_pool(contract, pool, a.pages, HeadsAre::as_stated, num_heads, profile);
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  check_disjoint(contract, pool, shape);
  return plan_moves(contract, a, pool.name, shape,
                    {bytes_of_stride(a.rows, 0), has_heads ? bytes_of_stride(a.rows, 1) : 0});
}

Result<void> write(const PageWriter& writer, const WriteArguments& arguments,
                   const Profile& profile) {
  const Result<WritePlan> plan = plan_write(writer, arguments, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  run(*plan, arguments, profile);
  return {};
}

}  // namespace oracle
