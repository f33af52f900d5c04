#include "harness/diagnosis/page_hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "harness/diagnosis/page_families.hpp"
#include "harness/diagnosis/value_families.hpp"

namespace harness {
namespace {

// The place of an element of the output's storage.
struct Place {
  std::size_t slot;  // from the scene's first one
  int in_page;
};
Place place_of(const PageScene& scene, std::size_t i) {
  const auto elements = static_cast<std::size_t>(scene.page_elements());
  return {i / elements, static_cast<int>(i % elements)};
}

// Up to two jobs that write each slot, the last ones.
class SlotJobs {
 public:
  SlotJobs(const PageScene& scene, std::vector<PageJob> jobs) : jobs_(std::move(jobs)) {
    const std::size_t slots =
        scene.output_elements() / static_cast<std::size_t>(scene.page_elements());
    last_.assign(slots, nullptr);
    before_.assign(slots, nullptr);
    for (const PageJob& job : jobs_) {
      const std::int64_t slot = job.output_slot - scene.first_slot();
      if (slot < 0 || slot >= static_cast<std::int64_t>(slots)) continue;
      before_[static_cast<std::size_t>(slot)] = last_[static_cast<std::size_t>(slot)];
      last_[static_cast<std::size_t>(slot)] = &job;
    }
  }
  const PageJob* last(std::size_t slot) const { return last_[slot]; }
  const PageJob* before(std::size_t slot) const { return before_[slot]; }

 private:
  std::vector<PageJob> jobs_;
  std::vector<const PageJob*> last_;
  std::vector<const PageJob*> before_;
};

// What a job with the model's sources writes into one element; none where it reads foreign memory.
std::optional<std::uint32_t> written_by(const PageScene& scene, const PageModel& model,
                                        const PageJob& job, int in_page) {
  const int token = in_page / scene.layout().head_dim;
  const int element = in_page % scene.layout().head_dim;
  const ElementSource source = model.source ? model.source(scene, job, token, element)
                                            : right_source(scene, job, token, element);
  const auto read = [&](std::int64_t offset) -> std::optional<std::uint8_t> {
    if (offset >= model.zero_from) return 0;
    return scene.pool_byte(offset);
  };
  const auto scale = read(source.scale_byte);
  const auto codes = source.zero_code ? std::optional<std::uint8_t>(0) : read(source.code_byte);
  if (!scale || !codes) return std::nullopt;
  const auto code = static_cast<std::uint8_t>(*codes >> source.code_shift & 0xf);
  return scene.results()[pair_index(code, *scale)];
}

// `convincing` as in Hypothesis.
Hypothesis hypothesis_of(const PageScene& scene, const PageModel& model,
                         std::function<bool()> convincing) {
  auto jobs = std::make_shared<SlotJobs>(scene, model.jobs ? model.jobs(scene) : scene.jobs());
  return {model.fault_class, model.variant,
          [&scene, &model, jobs](std::size_t i) {
            const Place place = place_of(scene, i);
            const PageJob* last = jobs->last(place.slot);
            if (last == nullptr) return Prediction::of(scene.fill_at(i));
            const auto value = written_by(scene, model, *last, place.in_page);
            if (!value) return Prediction::unknown();
            const PageJob* before = jobs->before(place.slot);
            const auto other =
                before == nullptr ? value : written_by(scene, model, *before, place.in_page);
            return Prediction{true, *value, other.value_or(*value)};
          },
          std::move(convincing), true};
}

// Convincing where inputs meet half of the pairs that show the fault.
Hypothesis hypothesis_of(const PageScene& scene, const PagePairs& pairs, const Sample& sample,
                         const ArithmeticModel& model, const ResultTable& table) {
  return {model.fault_class, std::string(model.variant),
          [&scene, &pairs, &table](std::size_t i) {
            const PagePairs::Pair pair = pairs.at(i);
            return Prediction::of(pair.written ? table[pair_index(pair.code, pair.scale)]
                                               : scene.fill_at(i));
          },
          [&scene, &pairs, &sample, &table] {
            return meets_half(scene.results(), table, sample, [&](std::size_t i) {
              const PagePairs::Pair pair = pairs.at(i);
              return pair.written ? pair_index(pair.code, pair.scale) : ResultTable{}.size();
            });
          }};
}

// What is left as it was: all wrong elements have the value that the output held before. Whether
// they are the end of something decides the class.
void consider_unwritten(const PageScene& scene, const PagePairs& pairs, const Judged& judged,
                        const Sample& sample, Naming& naming) {
  const auto stale = [&](std::size_t i) { return judged.actual_at(i) == scene.fill_at(i); };
  if (sample.wrong.empty() || !std::all_of(sample.wrong.begin(), sample.wrong.end(), stale)) return;
  const auto head_dim = static_cast<std::size_t>(scene.layout().head_dim);
  const auto page = static_cast<std::size_t>(scene.page_elements());
  struct Axis {
    const char* says;
    std::size_t (*key)(std::size_t i, std::size_t page, std::size_t head_dim);
  };
  constexpr Axis axes[] = {
      {"the last pages of the output",
       [](std::size_t i, std::size_t p, std::size_t) { return i / p; }},
      {"the last tokens of every page",
       [](std::size_t i, std::size_t p, std::size_t d) { return i % p / d; }},
      {"the last elements of every token",
       [](std::size_t i, std::size_t, std::size_t d) { return i % d; }},
      {"the end of every page", [](std::size_t i, std::size_t p, std::size_t) { return i % p; }},
      {"the end of the output", [](std::size_t i, std::size_t, std::size_t) { return i; }},
  };
  const auto unwritten = [&](std::string_view fault_class, std::string variant) {
    naming.consider({fault_class, std::move(variant), [&](std::size_t i) {
                       return Prediction::of(judged.wrong_at(i) ? scene.fill_at(i)
                                                                : judged.expected_at(i));
                     }});
  };
  bool all = true;  // nothing at all was written
  for (const std::size_t i : sample.right) {
    all = all && (!pairs.at(i).written || judged.expected_at(i) == scene.fill_at(i));
  }
  if (all) return unwritten("stale_bytes", "nothing is written");
  for (const Axis& axis : axes) {
    std::set<std::size_t> keys;
    for (const std::size_t i : sample.wrong) keys.insert(axis.key(i, page, head_dim));
    const std::size_t first = *keys.begin();
    const bool tail = std::all_of(sample.right.begin(), sample.right.end(), [&](std::size_t i) {
      return !pairs.at(i).written || judged.expected_at(i) == scene.fill_at(i) ||
             axis.key(i, page, head_dim) < first;
    });
    // What is the end of something larger may be something else of it.
    if (tail && !is_end(keys.size(), first)) break;
    if (tail) return unwritten("unwritten_tail", fmt::format("{} are not written", axis.says));
  }
  unwritten("stale_bytes", "the wrong bytes are not written");
}

// Every wrong page is the right decoding of some page of the pool.
void consider_other_pages(const PageScene& scene, const Judged& judged, const Sample& sample,
                          const std::function<bool()>& pairs_differ, Naming& naming) {
  constexpr std::size_t max_slots = 256;
  constexpr std::int64_t max_pages = 256;
  std::set<std::size_t> slots;
  for (const std::size_t i : sample.wrong) slots.insert(place_of(scene, i).slot);
  const std::int64_t stride = scene.page_stride();
  const auto stored = static_cast<std::int64_t>(scene.pool().storage.size());
  const std::int64_t pages = (stored + stride - 1) / stride;
  if (slots.empty() || slots.size() > max_slots || pages > max_pages) return;

  PageModel model{"wrong_page", "", {}, {}};
  std::vector<PageJob> jobs = scene.jobs();
  for (const std::size_t slot : slots) {
    const std::int64_t output_slot = scene.first_slot() + static_cast<std::int64_t>(slot);
    bool found = false;
    for (std::int64_t number = 0; number < pages && !found; ++number) {
      PageJob job;
      job.output_slot = output_slot;
      job.head = output_slot % scene.heads();
      job.codes_base = job.scales_base =
          number * stride - scene.pool().origin_bytes + scene.head_offset(job.head);
      found = true;
      for (std::int64_t e = 0; e < scene.page_elements() && found; ++e) {
        const std::size_t i =
            slot * static_cast<std::size_t>(scene.page_elements()) + static_cast<std::size_t>(e);
        found = written_by(scene, model, job, static_cast<int>(e)) == judged.actual_at(i);
      }
      if (!found) continue;
      if (model.variant.size() < 120) {
        model.variant += fmt::format("{}output page {} is page {} of the pool",
                                     model.variant.empty() ? "" : ", ", output_slot / scene.heads(),
                                     (job.codes_base - scene.head_offset(job.head)) / stride);
      }
      std::erase_if(jobs, [&](const PageJob& each) { return each.output_slot == output_slot; });
      jobs.push_back(job);
    }
    if (!found) return;
  }
  model.jobs = [jobs](const PageScene&) { return jobs; };
  naming.consider(hypothesis_of(scene, model, pairs_differ));
  // So it looks where a kernel kept a table of a call that is not part of this case.
  PageModel kept = model;
  kept.fault_class = "captured_table_goes_stale";
  naming.consider(hypothesis_of(scene, kept, pairs_differ));
}

// Whether the model takes codes, or scales, from other places of a page in which they repeat: then
// other maps give the same bytes.
bool repeats_where_it_moves(const PageScene& scene, const PageModel& model) {
  const oracle::PageLayout& layout = scene.layout();
  if (scene.jobs().empty()) return false;
  bool codes = false;
  bool scales = false;
  for (int at = 0; at < layout.page_elements(); at += 7) {
    const int token = at / layout.head_dim;
    const int element = at % layout.head_dim;
    const PageJob& job = scene.jobs().front();
    const ElementSource source = model.source(scene, job, token, element);
    const ElementSource right = right_source(scene, job, token, element);
    codes = codes || source.code_byte != right.code_byte || source.code_shift != right.code_shift;
    scales = scales || source.scale_byte != right.scale_byte;
  }
  return (codes && codes_repeat(scene)) || (scales && scales_repeat(scene));
}

}  // namespace

PagePairs::PagePairs(const PageScene& scene) : scene_(scene) {
  by_slot_.assign(scene.output_elements() / static_cast<std::size_t>(scene.page_elements()),
                  nullptr);
  for (const PageJob& job : scene.jobs()) {
    by_slot_[static_cast<std::size_t>(job.output_slot - scene.first_slot())] = &job;
  }
}

const PageJob* PagePairs::job_of(std::size_t i) const { return by_slot_[place_of(scene_, i).slot]; }

PagePairs::Pair PagePairs::at(std::size_t i) const {
  const PageJob* job = job_of(i);
  if (job == nullptr) return {};
  const int in_page = place_of(scene_, i).in_page;
  const int token = in_page / scene_.layout().head_dim;
  const int element = in_page % scene_.layout().head_dim;
  const std::uint8_t* page = scene_.pool().storage.data() +
                             static_cast<std::size_t>(scene_.pool().origin_bytes + job->codes_base);
  const oracle::PageLayout& layout = scene_.layout(job->head);
  return {true, layout.code(page, token, element),
          layout.scale(page, token, layout.group_of(element))};
}

void consider_page_faults(const PageScene& scene, const Judged& judged, const Sample& sample,
                          PairsSay pairs_say, Naming& naming) {
  const PagePairs pairs(scene);
  const std::vector<ResultTable>& tables = model_results(scene.setting());
  for (std::size_t m = 0; m < tables.size(); ++m) {
    const ArithmeticModel& model = arithmetic_models()[m];
    if (!model.applies(scene.setting())) continue;
    naming.consider(hypothesis_of(scene, pairs, sample, model, tables[m]));
  }
  // Where pairs give one result each, it may be their values that are wrong.
  const auto pairs_differ = [=] { return pairs_say == PairsSay::unequal_results; };
  const auto no_other_page = [&] {
    return pairs_differ() && !other_page_fits(scene, judged, sample);
  };
  for (const PageModel& model : layout_models(scene)) {
    naming.consider(hypothesis_of(
        scene, model, [&] { return pairs_differ() && !repeats_where_it_moves(scene, model); }));
  }
  for (const PageModel& model : gather_models(scene)) {
    naming.consider(hypothesis_of(
        scene, model, [&] { return no_other_page() && (!model.told || model.told(scene)); }));
  }
  consider_unwritten(scene, pairs, judged, sample, naming);
  consider_other_pages(scene, judged, sample, pairs_differ, naming);
  if (naming.complete()) return;
  for (const PageModel& model : offset_models(scene.layout())) {
    naming.consider(hypothesis_of(scene, model, pairs_differ));
  }
}

}  // namespace harness
