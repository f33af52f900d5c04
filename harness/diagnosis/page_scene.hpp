// A call of a page operation as the diagnosis reads it: what the right kernel does, and everything
// that a wrong one could have taken for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/diagnosis/arithmetic_models.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/suite/operations/page_contract.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

// One page of one side on its way to the output: a side is a head, or, where a pool has planes, a
// plane's head. A right kernel takes codes and scales from the same page; a wrong one may not.
struct PageJob {
  std::int64_t request = 0;
  std::int64_t logical_page = 0;
  std::int64_t page_id = 0;
  std::int64_t head = 0;         // plane * heads of a plane + head
  std::int64_t output_slot = 0;  // output page * heads() + head
  std::int64_t codes_base = 0;   // bytes from the pool's element [0, ..., 0] to the page's start
  std::int64_t scales_base = 0;
};

class PageScene {
 public:
  // Precondition: the last of `calls` is a legal problem.
  PageScene(const PageOperation& operation, std::span<const Problem> calls,
            const oracle::Profile& profile, PagePlan plan);

  const PageOperation& operation() const { return operation_; }
  // Of the pages of a side; all have the shape and the formats of the first.
  const oracle::PageLayout& layout(std::int64_t head = 0) const {
    return layouts_[static_cast<std::size_t>(head / heads_of_plane_)];
  }
  const std::vector<oracle::PageLayout>& layouts() const { return layouts_; }
  const ArithmeticSetting& setting() const { return setting_; }
  const ResultTable& results() const { return results_; }
  const Tensor& pool() const { return *problem().find(operation_.pool().name); }
  const Tensor& out() const { return *problem().find("out"); }
  const Problem& problem() const { return calls_.back(); }
  // The call before, null for the first.
  const Problem* previous() const {
    return calls_.size() > 1 ? &calls_[calls_.size() - 2] : nullptr;
  }
  // What the right kernel does.
  const std::vector<PageJob>& jobs() const { return jobs_; }

  // Sides of a page: heads of all planes.
  std::int64_t heads() const {
    return static_cast<std::int64_t>(layouts_.size()) * heads_of_plane_;
  }
  std::int64_t heads_of_plane() const { return heads_of_plane_; }
  std::int64_t page_stride() const { return pool().strides[0]; }
  std::int64_t head_offset(std::int64_t head) const {
    const std::int64_t plane = head / heads_of_plane_;
    const std::int64_t within = head % heads_of_plane_;
    return (has_planes() ? plane * pool().strides[1] : 0) +
           (has_head_axis() ? within * pool().strides[has_planes() ? 2 : 1] : 0);
  }
  bool has_planes() const { return layouts_.size() > 1; }
  // A pool may come without it even where the operation has heads: out is [pages, tokens, elements]
  // then.
  bool has_head_axis() const { return out().shape.size() == (has_planes() ? 5U : 4U); }
  std::int64_t page_elements() const { return layout().page_elements(); }
  std::size_t element_bytes() const { return oracle::size_of(setting_.destination); }
  // Elements of the output's storage, and the slot of its first one.
  std::size_t output_elements() const { return out().storage.size() / element_bytes(); }
  std::int64_t first_slot() const { return first_slot_; }

  // A byte of the pool, counted from element [0, ..., 0]; none outside its storage. Around
  // `zero_page` every byte is 0, for models of reads that give nothing.
  static constexpr std::int64_t zero_page = INT64_MIN / 2;
  std::optional<std::uint8_t> pool_byte(std::int64_t offset) const {
    if (offset < zero_page / 2) return 0;
    const std::int64_t at = pool().origin_bytes + offset;
    if (at < 0 || at >= static_cast<std::int64_t>(pool().storage.size())) return std::nullopt;
    return pool().storage[static_cast<std::size_t>(at)];
  }
  // What the output held before the call.
  std::uint32_t fill_at(std::size_t element) const;

  // Entries of the tables of a call; none outside their storage. `index` counts elements from the
  // table's first, so that a wrong row stride can be tried.
  static std::optional<std::int32_t> entry(const Problem& problem, std::string_view table,
                                           std::int64_t index);
  std::int64_t num_requests() const;

 private:
  const PageOperation& operation_;
  std::span<const Problem> calls_;
  std::vector<oracle::PageLayout> layouts_;  // of the planes
  ArithmeticSetting setting_;
  ResultTable results_;
  std::int64_t heads_of_plane_ = 1;
  std::int64_t first_slot_ = 0;
  std::vector<PageJob> jobs_;
};

}  // namespace harness
