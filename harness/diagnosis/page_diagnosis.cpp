#include "diagnosis/page_diagnosis.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "diagnosis/describe_value.hpp"
#include "diagnosis/page_scene.hpp"
#include "operations/page_contract.hpp"

namespace harness {
namespace {

// Which job writes a slot of the output.
std::unordered_map<std::int64_t, const PageJob*> jobs_by_slot(const PageScene& scene) {
  std::unordered_map<std::int64_t, const PageJob*> by_slot;
  for (const PageJob& job : scene.jobs()) by_slot.emplace(job.output_slot, &job);
  return by_slot;
}

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
  if (scene.operation().has_heads) {
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
  const oracle::PageLayout& layout = scene.layout();
  diagnosis.wrong_map = WrongMap("token", static_cast<std::uint32_t>(layout.num_tokens), "element",
                                 static_cast<std::uint32_t>(layout.head_dim));
  const auto jobs = jobs_by_slot(scene);
  const std::size_t width = scene.element_bytes();
  for (std::size_t i = 0; i < scene.output_elements(); ++i) {
    const std::uint32_t right = element_at(expected[0], width, i);
    const std::uint32_t got = element_at(actual[0], width, i);
    if (right == got) continue;
    ++diagnosis.mismatches;
    const auto in_page =
        static_cast<std::uint32_t>(i % static_cast<std::size_t>(scene.page_elements()));
    diagnosis.wrong_map.mark(in_page / static_cast<std::uint32_t>(layout.head_dim),
                             in_page % static_cast<std::uint32_t>(layout.head_dim));
    if (diagnosis.first.size() < Diagnosis::max_listed) {
      const auto job =
          jobs.find(scene.first_slot() + static_cast<std::int64_t>(i) / scene.page_elements());
      diagnosis.first.push_back(
          describe(scene, job == jobs.end() ? nullptr : job->second, i, right, got));
    }
  }
  diagnosis.matching_profile = find_matching_profile(operation, calls.back(), profile, actual);
  return diagnosis;
}

}  // namespace harness
