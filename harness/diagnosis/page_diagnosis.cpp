#include "harness/diagnosis/page_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/diagnosis/describe_value.hpp"
#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/page_families.hpp"
#include "harness/diagnosis/page_hypotheses.hpp"
#include "harness/diagnosis/page_scene.hpp"
#include "harness/diagnosis/value_families.hpp"
#include "harness/diagnosis/wrong_elements.hpp"
#include "harness/suite/operations/page_contract.hpp"

namespace harness {
namespace {

Mismatch describe(const PageScene& scene, const PageJob* job, std::size_t element,
                  std::uint32_t expected, std::uint32_t actual) {
  const oracle::PageLayout& layout = scene.layout(job == nullptr ? 0 : job->head);
  const auto in_storage = static_cast<std::int64_t>(element);
  const std::int64_t slot = scene.first_slot() + in_storage / scene.page_elements();
  const auto in_page = static_cast<int>(in_storage % scene.page_elements());
  const int token = in_page / layout.head_dim;
  const int column = in_page % layout.head_dim;

  Mismatch mismatch;
  mismatch.tensor = "out";
  mismatch.byte = element * scene.element_bytes();
  mismatch.expected = expected;
  mismatch.actual = actual;
  mismatch.site["output_page"] = slot / scene.heads();
  std::string where = fmt::format("out page {}", slot / scene.heads());
  const std::int64_t side = slot % scene.heads();
  if (scene.has_planes()) {
    mismatch.site["plane"] = side / scene.heads_of_plane();
    where += fmt::format(" plane {}", side / scene.heads_of_plane());
  }
  if (scene.has_head_axis()) {
    mismatch.site["head"] = side % scene.heads_of_plane();
    where += fmt::format(" head {}", side % scene.heads_of_plane());
  }
  if (job == nullptr) {
    mismatch.site["token"] = token;
    mismatch.site["element"] = column;
    mismatch.text =
        fmt::format("{}, token {}, element {}: no request writes this page, so it keeps {}, got {}",
                    where, token, column, describe_result(scene.setting(), expected),
                    describe_result(scene.setting(), actual));
    return mismatch;
  }
  const int group = layout.group_of(column);
  if (scene.operation().has_table()) {
    mismatch.site["request"] = job->request;
    mismatch.site["logical_page"] = job->logical_page;
    where += fmt::format(" (request {}, logical page {}, page id {})", job->request,
                         job->logical_page, job->page_id);
  }
  mismatch.site["page_id"] = job->page_id;
  mismatch.site["token"] = token;
  mismatch.site["element"] = column;
  mismatch.site["group"] = group;
  const std::uint8_t* page = scene.pool().storage.data() +
                             static_cast<std::size_t>(scene.pool().origin_bytes + job->codes_base);
  mismatch.text =
      fmt::format("{}, token {}, element {} (group {}): {}", where, token, column, group,
                  describe_product(scene.setting(), layout.code(page, token, column),
                                   layout.scale(page, token, group), mismatch));
  return mismatch;
}

bool agrees(const PageScene& scene, const PagePairs& pairs, const oracle::Profile& profile,
            const Judged& judged, const Sample& sample, const Outputs& actual) {
  const ArithmeticSetting& setting = scene.setting();
  // Most profiles are out by what they make of a few wrong elements, which is quickly seen.
  const ResultTable results = right_results({setting.format, setting.destination, &profile});
  const bool may_be = std::all_of(sample.wrong.begin(), sample.wrong.end(), [&](std::size_t i) {
    const PagePairs::Pair pair = pairs.at(i);
    return !pair.written || results[pair_index(pair.code, pair.scale)] == judged.actual_at(i);
  });
  if (!may_be) return false;
  const auto outputs =
      expected_pages(scene.operation(), scene.problem(), profile, PageOracles::both);
  return outputs && *outputs == actual;
}

void list_mismatches(const PageScene& scene, const Judged& judged, const PagePairs& pairs,
                     Diagnosis& diagnosis) {
  const auto rows = static_cast<std::uint32_t>(scene.layout().num_tokens);
  const auto columns = static_cast<std::uint32_t>(scene.layout().head_dim);
  const auto page = static_cast<std::size_t>(scene.page_elements());
  diagnosis.wrong_map = WrongMap("token", rows, "element", columns);
  list_mismatches(
      judged, diagnosis,
      [&](std::size_t i) {
        return describe(scene, pairs.job_of(i), i, judged.expected_at(i), judged.actual_at(i));
      },
      [&](std::size_t i) {
        const auto in_page = static_cast<std::uint32_t>(i % page);
        diagnosis.wrong_map.mark(in_page / columns, in_page % columns);
      });
}

std::vector<HintAxis> axes_of(const PageScene& scene) {
  const auto page = static_cast<std::size_t>(scene.page_elements());
  const auto head_dim = static_cast<std::size_t>(scene.layout().head_dim);
  const auto block = static_cast<std::size_t>(scene.layout().scale_block_size);
  const auto first = static_cast<std::size_t>(scene.first_slot());
  const std::size_t pages = scene.jobs().size();
  return {
      {"output page", pages, [=](std::size_t i) { return first + i / page; }},
      {"token", page / head_dim, [=](std::size_t i) { return i % page / head_dim; }},
      {"group", head_dim / block, [=](std::size_t i) { return i % head_dim / block; }},
      {"place of a group", block, [=](std::size_t i) { return i % block; }},
  };
}

// The class that accounts for the wrong elements, or what they have in common.
void name_fault(const PageScene& scene, const PagePairs& pairs, const Judged& judged,
                const Sample& sample, Diagnosis& diagnosis) {
  const std::vector<HintAxis> axes = axes_of(scene);
  const PairOf pair_of =
      [&](std::size_t i) -> std::optional<std::pair<std::uint8_t, std::uint8_t>> {
    const PagePairs::Pair pair = pairs.at(i);
    if (!pair.written) return std::nullopt;
    return std::pair{pair.code, pair.scale};
  };
  const PairsSay say = what_pairs_say(judged, sample, pair_of, axes);
  Naming naming(judged, sample);
  consider_page_faults(scene, judged, sample, say, naming);
  consider_zeros(judged, sample, pair_of, axes, naming);
  if (naming.complete()) return naming.name(diagnosis, {});
  if (say == PairsSay::one_result) {
    consider_value_families(scene.setting(), judged, sample, pair_of, naming);
  } else if (say == PairsSay::unequal_results) {
    consider_address_families(scene, judged, sample, naming);
  }
  const std::string values = value_hint(scene.setting(), judged, sample, pair_of, say);
  const std::string places = place_hint(axes, sample);
  naming.name(diagnosis, values + (values.empty() || places.empty() ? "" : " ") + places);
}

}  // namespace

Diagnosis diagnose_pages(const PageOperation& operation, std::span<const Problem> calls,
                         const oracle::Profile& profile, const Outputs& expected,
                         const Outputs& actual) {
  Diagnosis diagnosis;
  auto plan = plan_pages(operation, calls.back(), profile);
  if (!plan) {
    diagnosis.explanation = plan.error().message;
    return diagnosis;
  }
  const PageScene scene(operation, calls, profile, std::move(*plan));
  const Judged judged{expected[0], actual[0], scene.element_bytes()};
  const Sample sample = sample_of(judged);
  const PagePairs pairs(scene);
  list_mismatches(scene, judged, pairs, diagnosis);
  name_fault(scene, pairs, judged, sample, diagnosis);
  diagnosis.matching_profile = matching_profile(profile, [&](const oracle::Profile& other) {
    return agrees(scene, pairs, other, judged, sample, actual);
  });
  return diagnosis;
}

}  // namespace harness
