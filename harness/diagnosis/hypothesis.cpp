#include "harness/diagnosis/hypothesis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "harness/diagnosis/fault_classes.hpp"

namespace harness {
namespace {

constexpr std::size_t max_sampled = 1 << 16;  // of the wrong, and of the right elements
constexpr std::size_t first_look = 256;       // elements after which a hypothesis may be given up

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
  std::size_t seen = 0;
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
      if (++seen == first_look && evidence.contradicted * 2 > seen) return evidence;
    }
  }
  if (!evidence.mostly() && evidence.contradicted > 0) return evidence;
  for (const std::size_t element : sample.right) {
    const Prediction prediction = hypothesis.predict(element);
    if (!prediction.known) {
      ++evidence.unknown_right;
    } else if (!prediction.allows(judged.actual_at(element))) {
      ++evidence.broken;
    }
  }
  return evidence;
}

void Naming::consider(const Hypothesis& hypothesis) {
  Weighed weighed{hypothesis.fault_class, hypothesis.variant, weigh(hypothesis, judged_, sample_)};
  if (weighed.evidence.complete()) {
    complete_.push_back(std::move(weighed));
  } else if (weighed.evidence.by_place()) {
    by_place_.push_back(std::move(weighed));
  } else if (weighed.evidence.mostly()) {
    mostly_.push_back(std::move(weighed));
  }
}

std::string Naming::account(const Weighed& weighed, std::string_view how_much) const {
  const FaultClass* known = fault_class_named(weighed.fault_class);
  const std::string id =
      known == nullptr || known->id.empty() ? "" : fmt::format(" ({})", known->id);
  const std::string_view title = known == nullptr ? "" : known->title;
  return fmt::format("{}{}: the kernel {}. {}: {}", weighed.fault_class, id, title, weighed.variant,
                     how_much);
}

void Naming::name(Diagnosis& diagnosis, const std::string& hint) const {
  const auto of = [&](std::uint64_t explained) {
    return fmt::format("explains {} of {} wrong {}{}", grouped(explained),
                       grouped(sample_.wrong.size()), judged_.width == 1 ? "bytes" : "elements",
                       sample_.whole() ? "" : " that were looked at");
  };
  const auto others = [&](const std::vector<Weighed>& fitting) {
    for (const Weighed& weighed : fitting) {
      if (weighed.fault_class == diagnosis.fault_class) continue;
      const std::string name(weighed.fault_class);
      auto& listed = diagnosis.same_bytes_classes;
      if (std::find(listed.begin(), listed.end(), name) == listed.end()) listed.push_back(name);
    }
    if (diagnosis.same_bytes_classes.empty()) return std::string();
    return fmt::format(" On these inputs {} would give the same bytes.",
                       fmt::join(diagnosis.same_bytes_classes, ", "));
  };
  if (!complete_.empty()) {
    diagnosis.fault_class = complete_.front().fault_class;
    diagnosis.explanation = account(complete_.front(), of(complete_.front().evidence.explained)) +
                            "." + others(complete_);
    return;
  }
  if (!by_place_.empty()) {
    const Weighed& best = by_place_.front();
    diagnosis.fault_class = best.fault_class;
    diagnosis.explanation =
        account(best,
                fmt::format("{} of {} wrong {} are those that such a kernel takes from memory "
                            "outside of the pool, and {}",
                            grouped(best.evidence.unknown_wrong), grouped(sample_.wrong.size()),
                            judged_.width == 1 ? "bytes" : "elements",
                            best.evidence.explained == 0 ? "the right ones stay right"
                                                         : of(best.evidence.explained))) +
        "." + others(by_place_);
    return;
  }
  const auto best =
      std::max_element(mostly_.begin(), mostly_.end(), [](const Weighed& x, const Weighed& y) {
        return x.evidence.explained + y.evidence.broken < y.evidence.explained + x.evidence.broken;
      });
  if (best != mostly_.end()) {
    diagnosis.fault_class = best->fault_class;
    diagnosis.explanation =
        account(*best, fmt::format("mostly; {}, and would break {} of {} right ones",
                                   of(best->evidence.explained), grouped(best->evidence.broken),
                                   grouped(sample_.right.size())));
    diagnosis.explanation += ". " + hint;
    return;
  }
  diagnosis.explanation = hint;
}

}  // namespace harness
