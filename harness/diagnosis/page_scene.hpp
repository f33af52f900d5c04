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

// One page of one head on its way to the output. A right kernel takes codes and scales from the
// same page; a wrong one may not.
struct PageJob {
  std::int64_t request = 0;
  std::int64_t logical_page = 0;
  std::int64_t page_id = 0;
  std::int64_t head = 0;
  std::int64_t output_slot = 0;  // output page * heads + head
  std::int64_t codes_base = 0;   // bytes from the pool's element [0, ..., 0] to the page's start
  std::int64_t scales_base = 0;
};

class PageScene {
 public:
  // Precondition: the last of `calls` is a legal problem.
  PageScene(const PageOperation& operation, std::span<const Problem> calls,
            const oracle::Profile& profile, PagePlan plan);

  const PageOperation& operation() const { return operation_; }
  const oracle::PageLayout& layout() const { return layout_; }
  const ArithmeticSetting& setting() const { return setting_; }
  const ResultTable& results() const { return results_; }
  const Tensor& pool() const { return *problem().find(operation_.pool); }
  const Tensor& out() const { return *problem().find("out"); }
  const Problem& problem() const { return calls_.back(); }
  // The call before, null for the first.
  const Problem* previous() const {
    return calls_.size() > 1 ? &calls_[calls_.size() - 2] : nullptr;
  }
  // What the right kernel does.
  const std::vector<PageJob>& jobs() const { return jobs_; }

  std::int64_t heads() const { return heads_; }
  std::int64_t page_stride() const { return pool().strides[0]; }
  std::int64_t head_offset(std::int64_t head) const {
    return has_head_axis() ? head * pool().strides[1] : 0;
  }
  // A pool may come without it even where the operation has heads: out is [pages, tokens, elements]
  // then.
  bool has_head_axis() const { return out().shape.size() == 4; }
  std::int64_t page_elements() const { return layout_.page_elements(); }
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
  oracle::PageLayout layout_;
  ArithmeticSetting setting_;
  ResultTable results_;
  std::int64_t heads_ = 1;
  std::int64_t first_slot_ = 0;
  std::vector<PageJob> jobs_;
};

}  // namespace harness
