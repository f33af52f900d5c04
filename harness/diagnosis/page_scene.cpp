#include "harness/diagnosis/page_scene.hpp"

#include <cstring>

#include "harness/diagnosis/hypothesis.hpp"

namespace harness {

PageScene::PageScene(const PageOperation& operation, std::span<const Problem> calls,
                     const oracle::Profile& profile, PagePlan plan)
    : operation_(operation),
      calls_(calls),
      layouts_(std::move(plan.layouts)),
      setting_{layouts_.front().scale_format, plan.destination, &profile},
      results_(right_results(setting_)) {
  if (has_head_axis()) heads_of_plane_ = out().shape[has_planes() ? 2 : 1];
  const std::int64_t slot_bytes = oracle::decoded_page_bytes(layout(), plan.destination);
  first_slot_ = -out().origin_bytes / slot_bytes;
  jobs_.reserve(plan.moves.size());
  for (const oracle::PageMove& move : plan.moves) {
    const std::int64_t side = move.plane * heads_of_plane_ + move.head;
    jobs_.push_back({move.request, move.logical_page, move.page_id, side,
                     move.output_page * heads() + side, move.source_bytes, move.source_bytes});
  }
}

std::uint32_t PageScene::fill_at(std::size_t element) const {
  return Judged::element_at(out().storage, element_bytes(), element);
}

std::optional<std::int32_t> PageScene::entry(const Problem& problem, std::string_view table,
                                             std::int64_t index) {
  const Tensor* tensor = problem.find(table);
  const std::int64_t at = tensor->origin_bytes + index * 4;
  if (at < 0 || at + 4 > static_cast<std::int64_t>(tensor->storage.size())) return std::nullopt;
  std::int32_t value = 0;
  std::memcpy(&value, tensor->storage.data() + at, sizeof value);
  return value;
}

std::int64_t PageScene::num_requests() const {
  return operation_.has_table() ? problem().find("num_pages")->shape[0] : 1;
}

}  // namespace harness
