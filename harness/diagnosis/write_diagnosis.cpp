#include "harness/diagnosis/write_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/write_models.hpp"
#include "harness/suite/operations/write_operation.hpp"
#include "oracle/numbers/describe.hpp"

namespace harness {
namespace {

// Whose byte a byte of the pool's storage is: the token and head that a move writes.
struct Owner {
  const oracle::RowMove* move = nullptr;
  oracle::PagePlace place;
};

Owner owner_of(const WriteScene& scene, std::size_t byte) {
  const Tensor& pool = *scene.problem.find(scene.form.pool().name);
  for (const oracle::RowMove& move : scene.plan.moves) {
    const std::int64_t in_page =
        static_cast<std::int64_t>(byte) - pool.origin_bytes - move.page_bytes;
    if (in_page < 0 || in_page >= scene.plan.layout.page_bytes()) continue;
    const oracle::PagePlace place = scene.plan.layout.place(static_cast<int>(in_page));
    if (place.token == move.slot.token) return {&move, place};
  }
  return {};
}

Mismatch describe(const WriteScene& scene, const Judged& judged, std::size_t byte) {
  Mismatch mismatch;
  mismatch.tensor = scene.form.pool().name;
  mismatch.byte = byte;
  mismatch.expected = judged.expected_at(byte);
  mismatch.actual = judged.actual_at(byte);
  const auto [move, place] = owner_of(scene, byte);
  if (move == nullptr) {
    mismatch.text = fmt::format(
        "byte {} of {}, which no row owns: expected {:#04x} as it was, got "
        "{:#04x}",
        byte, scene.form.pool().name, mismatch.expected, mismatch.actual);
    return mismatch;
  }
  mismatch.site["row"] = move->row;
  mismatch.site["head"] = move->head;
  mismatch.site["page"] = move->slot.page_id;
  mismatch.site["token"] = move->slot.token;
  mismatch.site["group"] = place.group;
  const std::string where = fmt::format("row {} (head {}), page {}, token {}", move->row,
                                        move->head, move->slot.page_id, move->slot.token);
  const std::vector<std::uint32_t> row = row_of(scene.problem, scene.plan, *move);
  if (place.section == oracle::PageSection::scales) {
    const auto size = static_cast<std::size_t>(scene.plan.layout.scale_block_size);
    const std::uint32_t amax = oracle::block_amax(
        std::span(row).subspan(static_cast<std::size_t>(place.group) * size, size),
        oracle::NanInAmax::ignored);
    const std::string value = oracle::readable(oracle::decode<oracle::f32>(amax));
    mismatch.site["amax"] = fmt::format("{:#010x} ({})", amax, value);
    mismatch.text = fmt::format(
        "{}, scale of group {}: amax {:#010x} ({}): expected {:#04x}, got "
        "{:#04x}",
        where, place.group, amax, value, mismatch.expected, mismatch.actual);
    return mismatch;
  }
  const auto element = static_cast<std::size_t>(place.first_element);
  const std::uint8_t scale =
      judged.expected[byte -
                      static_cast<std::size_t>(
                          scene.plan.layout.code_offset(place.token, place.first_element)) +
                      static_cast<std::size_t>(
                          scene.plan.layout.scale_offset(place.token, place.group))];
  mismatch.site["element"] = element;
  mismatch.site["scale"] = fmt::format("{:#04x}", scale);
  mismatch.text = fmt::format(
      "{}, elements {} and {} (group {}): x {:#010x} ({}) and {:#010x} ({}) under scale {:#04x}: "
      "expected codes {:#04x}, got {:#04x}",
      where, element, element + 1, place.group, row[element],
      oracle::readable(oracle::decode<oracle::f32>(row[element])), row[element + 1],
      oracle::readable(oracle::decode<oracle::f32>(row[element + 1])), scale, mismatch.expected,
      mismatch.actual);
  return mismatch;
}

void consider_unwritten(const WriteScene& scene, const Judged& judged, const Sample& sample,
                        Naming& naming) {
  const std::vector<std::uint8_t>& before = scene.problem.find(scene.form.pool().name)->storage;
  const bool kept = std::all_of(sample.wrong.begin(), sample.wrong.end(),
                                [&](std::size_t i) { return judged.actual_at(i) == before[i]; });
  if (!kept || sample.wrong.empty()) return;
  naming.consider({"stale_bytes", "the wrong bytes are not written", [&](std::size_t i) {
                     return Prediction::of(judged.wrong_at(i) ? before[i] : judged.expected_at(i));
                   }});
}

std::string matching_profile(const Operation& operation, const Problem& problem,
                             const oracle::Profile& declared, const Outputs& actual) {
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (*profile == declared) continue;
    const auto expected = operation.expected(problem, *profile);
    if (expected && *expected == actual) return profile->name;
  }
  return {};
}

}  // namespace

Diagnosis diagnose_write(const Operation& operation, const WriteForm& form, const Problem& problem,
                         const oracle::Profile& profile, const Outputs& expected,
                         const Outputs& actual) {
  Diagnosis diagnosis;
  const Judged judged{expected[0], actual[0], 1};
  const Sample sample = sample_of(judged);
  diagnosis.mismatches = sample.all_wrong;
  const auto plan = plan_write(form, problem, profile);
  if (!plan) return diagnosis;
  const WriteScene scene{form, problem, profile, *plan};
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    if (!judged.wrong_at(i)) continue;
    if (diagnosis.first.size() == Diagnosis::max_listed) break;
    diagnosis.first.push_back(describe(scene, judged, i));
  }
  Naming naming(judged, sample);
  for (const WriteModel& model : write_models(scene)) {
    const std::vector<std::uint8_t> pool = model.pool();
    naming.consider(
        {model.fault_class, model.variant, [&](std::size_t i) { return Prediction::of(pool[i]); }});
  }
  consider_unwritten(scene, judged, sample, naming);
  naming.name(diagnosis, "No fault that is known accounts for them.");
  diagnosis.matching_profile = matching_profile(operation, problem, profile, actual);
  return diagnosis;
}

}  // namespace harness
