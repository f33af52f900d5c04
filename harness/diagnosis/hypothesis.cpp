#include "harness/diagnosis/hypothesis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/diagnosis/fault_classes.hpp"

namespace harness {
namespace {

constexpr std::size_t max_sampled = 1 << 16;  // of the wrong, and of the right elements
constexpr std::size_t enough_to_name = 4;     // wrong elements that a class accounts for
constexpr std::size_t first_look = 256;       // elements that are spread over all

// Every `step`-th of those for which `wanted` holds, so that at most max_sampled remain.
template <class Wanted>
std::vector<std::size_t> spread(std::size_t elements, std::uint64_t count, Wanted wanted) {
  const std::uint64_t step = std::max<std::uint64_t>(1, (count + max_sampled - 1) / max_sampled);
  std::vector<std::size_t> chosen;
  chosen.reserve(static_cast<std::size_t>(count / step + 1));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    if (!wanted(i)) continue;
    if (seen++ % step == 0) chosen.push_back(i);
  }
  return chosen;
}

// "enc_truncates (A04): the kernel rounds toward zero".
std::string title_of(std::string_view name) {
  const FaultClass* known = fault_class_named(name);
  if (known == nullptr) return std::string(name);
  const std::string id = known->id.empty() ? "" : fmt::format(" ({})", known->id);
  return fmt::format("{}{}: the kernel {}", name, id, known->title);
}

// Whether whoever says `name` has said no less than who says `other`: they are one class, `other`
// is the more general one, or both give the same bytes on every input.
bool is_within(std::string_view name, std::string_view other) {
  if (name == other || other == "wrong_page" || other == "captured_table_goes_stale") return true;
  if (other == "stale_bytes") return name == "unwritten_tail";
  constexpr std::array doublings{"element_table_doubled", "e8m0_bias_off_by_one",
                                 "tensor_scale_dropped_or_added"};
  const auto doubles = [&](std::string_view each) {
    return std::find(doublings.begin(), doublings.end(), each) != doublings.end();
  };
  const auto shifts_byte = [](std::string_view each) {
    return each == "e8m0_code_0_flushed" || each == "e8m0_nan_becomes_inf";
  };
  return (doubles(name) && doubles(other)) || (shifts_byte(name) && shifts_byte(other));
}

}  // namespace

std::uint32_t Judged::element_at(std::span<const std::uint8_t> bytes, std::size_t width,
                                 std::size_t i) {
  std::uint32_t element = 0;
  std::memcpy(&element, bytes.data() + i * width, width);
  return element;
}

std::string grouped(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

Sample sample_of(const Judged& judged) {
  Sample sample;
  for (std::size_t i = 0; i < judged.elements(); ++i) {
    ++(judged.wrong_at(i) ? sample.all_wrong : sample.all_right);
  }
  sample.wrong = spread(judged.elements(), sample.all_wrong,
                        [&](std::size_t i) { return judged.wrong_at(i); });
  sample.right = spread(judged.elements(), sample.all_right,
                        [&](std::size_t i) { return !judged.wrong_at(i); });
  return sample;
}

Evidence weigh(const Hypothesis& hypothesis, const Judged& judged, const Sample& sample) {
  Evidence evidence;
  // In an order that spreads over the whole sample, so that a first look is representative.
  const std::size_t stride = sample.wrong.size() / first_look + 1;
  for (std::size_t start = 0; start < stride; ++start) {
    for (std::size_t i = start; i < sample.wrong.size(); i += stride) {
      const std::size_t element = sample.wrong[i];
      const Prediction prediction = hypothesis.predict(element);
      if (!prediction.known) {
        ++evidence.unknown_wrong;
      } else if (prediction.allows(judged.actual_at(element))) {
        ++evidence.explained;
      } else {
        ++evidence.contradicted;
      }
      if (evidence.contradicted > 0) return evidence;
    }
  }
  if (evidence.contradicted > 0) return evidence;
  for (const std::size_t element : sample.right) {
    const Prediction prediction = hypothesis.predict(element);
    if (!prediction.known) {
      ++evidence.unknown_right;
    } else if (!prediction.allows(judged.actual_at(element))) {
      ++evidence.broken;
      return evidence;
    }
  }
  return evidence;
}

void Naming::consider(const Hypothesis& hypothesis) {
  const Evidence evidence = weigh(hypothesis, judged_, sample_);
  if (!evidence.complete()) return;
  // What equals the fill is hardly there by chance, and the second run refutes it (judge.hpp).
  const bool enough = evidence.explained >= enough_to_name ||
                      hypothesis.fault_class == "stale_bytes" ||
                      hypothesis.fault_class == "unwritten_tail";
  const bool convincing = enough && (!hypothesis.convincing || hypothesis.convincing());
  complete_.push_back(
      {hypothesis.fault_class, hypothesis.variant, evidence, convincing, hypothesis.of_addresses});
}

void Naming::add(Family family) { families_.push_back(std::move(family)); }

std::string Naming::account(const Weighed& weighed) const {
  return fmt::format("{}. {}: explains {} of {} wrong {}{}.", title_of(weighed.fault_class),
                     weighed.variant, grouped(weighed.evidence.explained),
                     grouped(sample_.wrong.size()), judged_.width == 1 ? "bytes" : "elements",
                     sample_.whole() ? "" : " that were looked at");
}

void Naming::name(Diagnosis& diagnosis, const std::string& hint) const {
  if (complete_.empty()) return name_family(diagnosis, hint);
  std::vector<std::string> classes;
  const Weighed* best = nullptr;
  for (const Weighed& weighed : complete_) {
    const std::string name(weighed.fault_class);
    if (std::find(classes.begin(), classes.end(), name) == classes.end()) classes.push_back(name);
    if (best == nullptr && weighed.convincing) best = &weighed;
  }
  const bool alone =
      best != nullptr && std::all_of(complete_.begin(), complete_.end(), [&](const Weighed& each) {
        return (each.of_addresses && !each.convincing) ||
               is_within(best->fault_class, each.fault_class);
      });
  if (!alone) {
    diagnosis.explanation = fmt::format(
        "{} would give these bytes, but these inputs do not tell {} other faults.",
        fmt::join(classes, ", "), classes.size() == 1 ? "it from" : "them from each other or from");
    diagnosis.same_bytes_classes = std::move(classes);
    return;
  }
  diagnosis.fault_class = best->fault_class;
  diagnosis.explanation = account(*best);
  std::erase(classes, diagnosis.fault_class);
  diagnosis.same_bytes_classes = std::move(classes);
  if (diagnosis.same_bytes_classes.empty()) return;
  diagnosis.explanation += fmt::format(" On these inputs {} would give the same bytes.",
                                       fmt::join(diagnosis.same_bytes_classes, ", "));
}

void Naming::name_family(Diagnosis& diagnosis, const std::string& hint) const {
  // What may fit by chance is no name, but a rival of one.
  std::vector<const Family*> kinds;  // the best of each class
  for (const Family& family : families_) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Family* each) {
      return each->fault_class == family.fault_class;
    });
    if (same == kinds.end()) {
      kinds.push_back(&family);
    } else if (!(*same)->beyond_chance && family.beyond_chance) {
      *same = &family;
    }
  }
  const bool any = std::any_of(kinds.begin(), kinds.end(),
                               [](const Family* each) { return each->beyond_chance; });
  if (any && kinds.size() == 1) {
    diagnosis.fault_class = kinds.front()->fault_class;
    diagnosis.explanation = title_of(diagnosis.fault_class) + ". " + kinds.front()->statement;
  } else if (any) {
    for (const Family* each : kinds) {
      diagnosis.explanation += (diagnosis.explanation.empty() ? "" : " Or: ") + each->statement;
    }
  }
  if (!diagnosis.explanation.empty() && !hint.empty()) diagnosis.explanation += " ";
  diagnosis.explanation += hint;
}

}  // namespace harness
