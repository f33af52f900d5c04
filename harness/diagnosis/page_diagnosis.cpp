#include "harness/diagnosis/page_diagnosis.hpp"

#include <fmt/format.h>

#include "harness/diagnosis/describe_value.hpp"
#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/page_hypotheses.hpp"
#include "harness/diagnosis/page_scene.hpp"
#include "harness/suite/operations/page_contract.hpp"

namespace harness {
namespace {

Mismatch describe(const PageScene& scene, const PageJob* job, std::size_t element,
                  std::uint32_t expected, std::uint32_t actual) {
  const oracle::PageLayout& layout = scene.layout();
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
  if (scene.has_head_axis()) {
    mismatch.site["head"] = slot % scene.heads();
    where += fmt::format(" head {}", slot % scene.heads());
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
  if (scene.operation().has_table) {
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

// The first shipped profile other than the declared one that all bytes agree with.
std::string find_matching_profile(const PageOperation& operation, const Problem& problem,
                                  const oracle::Profile& declared, const Outputs& actual) {
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile == declared) continue;
    const auto outputs = expected_pages(operation, problem, *profile);
    if (outputs && *outputs == actual) return profile->name;
  }
  return {};
}

void list_mismatches(const PageScene& scene, const Judged& judged, const PagePairs& pairs,
                     Diagnosis& diagnosis) {
  const auto rows = static_cast<std::uint32_t>(scene.layout().num_tokens);
  const auto columns = static_cast<std::uint32_t>(scene.layout().head_dim);
  diagnosis.wrong_map = WrongMap("token", rows, "element", columns);
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    if (!judged.wrong_at(i)) continue;
    ++diagnosis.mismatches;
    const auto in_page =
        static_cast<std::uint32_t>(i % static_cast<std::size_t>(scene.page_elements()));
    diagnosis.wrong_map.mark(in_page / columns, in_page % columns);
    if (diagnosis.first.size() < Diagnosis::max_listed) {
      diagnosis.first.push_back(
          describe(scene, pairs.job_of(i), i, judged.expected_at(i), judged.actual_at(i)));
    }
  }
}

std::string hint(const PageScene& scene, const Judged& judged, const Sample& sample,
                 const PagePairs& pairs) {
  const auto page = static_cast<std::size_t>(scene.page_elements());
  const auto head_dim = static_cast<std::size_t>(scene.layout().head_dim);
  const auto block = static_cast<std::size_t>(scene.layout().scale_block_size);
  const std::vector<HintAxis> axes{
      {"output page", scene.jobs().size(),
       [&](std::size_t i) { return static_cast<std::size_t>(scene.first_slot()) + i / page; }},
      {"token", page / head_dim, [=](std::size_t i) { return i % page / head_dim; }},
      {"group", head_dim / block, [=](std::size_t i) { return i % head_dim / block; }},
      {"place of a group", block, [=](std::size_t i) { return i % block; }},
  };
  const std::string values =
      value_hint(scene.setting(), judged, sample,
                 [&](std::size_t i) -> std::optional<std::pair<std::uint8_t, std::uint8_t>> {
                   const PagePairs::Pair pair = pairs.at(i);
                   if (!pair.written) return std::nullopt;
                   return std::pair{pair.code, pair.scale};
                 });
  const std::string places = place_hint(axes, sample);
  return values + (values.empty() || places.empty() ? "" : " ") + places;
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
  Naming naming(judged, sample);
  consider_page_faults(scene, judged, sample, naming);
  naming.name(diagnosis, hint(scene, judged, sample, pairs));
  diagnosis.matching_profile = find_matching_profile(operation, calls.back(), profile, actual);
  return diagnosis;
}

}  // namespace harness
