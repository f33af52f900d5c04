#include "harness/diagnosis/page_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "harness/diagnosis/place_rules.hpp"

namespace harness {
namespace {

// An element of the output by the job that writes it and its place in the page.
struct Spot {
  std::size_t job = 0;
  int token = 0;
  int element = 0;
};

// Which code and which scale an element is made from.
struct Source {
  std::size_t code_job, scale_job;
  int code_token, code_element;
  int scale_token, scale_element;
};

using Rule = std::function<std::optional<Source>(const Spot&)>;

// Chance agreements are told from others by asking how often the code (or scale) of some other
// place of the same page would have given the same byte.
constexpr double enough_bits = 28;  // beyond the number of rules that are tried
constexpr std::size_t places_asked = 24;
constexpr std::size_t cells_asked = 512;

enum class Fit { none, maybe_chance, beyond_chance };

class Fitting {
 public:
  Fitting(const PageScene& scene, const Judged& judged, const Sample& sample)
      : scene_(scene), judged_(judged), sample_(sample) {
    const auto slots = scene.output_elements() / static_cast<std::size_t>(scene.page_elements());
    job_of_slot_.assign(slots, SIZE_MAX);
    for (std::size_t j = 0; j < scene.jobs().size(); ++j) {
      job_of_slot_[static_cast<std::size_t>(scene.jobs()[j].output_slot - scene.first_slot())] = j;
    }
    for (const std::size_t i : sample.wrong) {
      const auto spot = spot_of(i);
      decoded_ = decoded_ && spot.has_value();
      if (spot) spots_.push_back(*spot);
    }
    constexpr std::size_t few = 4;
    std::set<std::uint32_t> results;
    for (const std::size_t i : sample.wrong) {
      if (results.size() < few) results.insert(judged.actual_at(i));
    }
    few_results_ = results.size() < few;
  }

  // Whether every wrong element is one that a request writes.
  bool decoded() const { return decoded_ && !spots_.empty(); }

  enum class Part { code, scale, both };
  // Whether the rule accounts for every wrong element, and by more than chance.
  Fit fit(const Rule& rule, Part part) const {
    // In an order that soon meets all kinds of places.
    const std::size_t stride = spots_.size() / 256 + 1;
    for (std::size_t start = 0; start < stride; ++start) {
      for (std::size_t n = start; n < spots_.size(); n += stride) {
        const auto source = rule(spots_[n]);
        if (!source || result_of(*source) != judged_.actual_at(sample_.wrong[n])) {
          return Fit::none;
        }
      }
    }
    if (part == Part::both && !moves_scale(rule)) return Fit::none;
    if (few_results_) return Fit::maybe_chance;
    return bits_of(rule, part) >= enough_bits ? Fit::beyond_chance : Fit::maybe_chance;
  }

  // Of elements with one scale, the result of another one is the code of that one.
  bool moves_scale(const Rule& rule) const {
    const oracle::PageLayout& layout = scene_.layout();
    return std::any_of(spots_.begin(), spots_.end(), [&](const Spot& spot) {
      const Source source = *rule(spot);
      return source.scale_job != spot.job || source.scale_token != spot.token ||
             layout.group_of(source.scale_element) != layout.group_of(spot.element);
    });
  }

  // Right elements that the rule would have made wrong.
  std::uint64_t broken(const Rule& rule) const {
    std::uint64_t count = 0;
    for (const std::size_t i : sample_.right) {
      const auto spot = spot_of(i);
      if (!spot) continue;
      const auto source = rule(*spot);
      if (source && result_of(*source) != judged_.actual_at(i)) ++count;
    }
    return count;
  }

 private:
  std::optional<Spot> spot_of(std::size_t i) const {
    const auto elements = static_cast<std::size_t>(scene_.page_elements());
    const std::size_t job = job_of_slot_[i / elements];
    if (job == SIZE_MAX) return std::nullopt;
    const int in_page = static_cast<int>(i % elements);
    return Spot{job, in_page / scene_.layout().head_dim, in_page % scene_.layout().head_dim};
  }

  std::uint32_t result_of(const Source& s) const {
    const auto of = [&](std::size_t job) -> const oracle::PageLayout& {
      return scene_.layout(scene_.jobs()[job].head);
    };
    const auto page = [&](std::size_t job) {
      return scene_.pool().storage.data() +
             static_cast<std::size_t>(scene_.pool().origin_bytes + scene_.jobs()[job].codes_base);
    };
    const std::uint8_t code = of(s.code_job).code(page(s.code_job), s.code_token, s.code_element);
    const std::uint8_t scale =
        of(s.scale_job)
            .scale(page(s.scale_job), s.scale_token, of(s.scale_job).group_of(s.scale_element));
    return scene_.results()[pair_index(code, scale)];
  }

  // How surprising the agreement is. Elements of one group that share a scale say it once.
  double bits_of(const Rule& rule, Part part) const {
    std::set<std::uint64_t> cells;
    double bits = 0;
    const std::size_t step = spots_.size() / (4 * cells_asked) + 1;
    std::uint64_t random = 88172645463325252ULL;
    const auto draw = [&](int below) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      return static_cast<int>(random % static_cast<std::uint64_t>(below));
    };
    const oracle::PageLayout& layout = scene_.layout();
    for (std::size_t n = 0; n < spots_.size() && cells.size() < cells_asked; n += step) {
      const Spot& spot = spots_[n];
      const Source source = *rule(spot);
      const auto page = static_cast<std::uint64_t>(
          scene_.jobs()[part == Part::scale ? source.scale_job : source.code_job].codes_base);
      const int token = part == Part::scale ? source.scale_token : source.code_token;
      const int element = part == Part::scale
                              ? layout.group_of(source.scale_element) * layout.scale_block_size
                              : source.code_element;
      const std::uint64_t cell =
          (page << 16) + static_cast<std::uint64_t>(token * layout.head_dim + element);
      if (!cells.insert(cell).second) continue;
      std::size_t same = 0;
      for (std::size_t k = 0; k < places_asked; ++k) {
        Source other = source;
        const int t = draw(layout.num_tokens);
        const int e = draw(layout.head_dim);
        if (part != Part::scale) other.code_token = t, other.code_element = e;
        if (part != Part::code) other.scale_token = t, other.scale_element = e;
        same += result_of(other) == judged_.actual_at(sample_.wrong[n]) ? 1U : 0U;
      }
      bits -= std::log2((static_cast<double>(same) + 0.5) / (places_asked + 1.0));
    }
    return bits - 10;  // some thousand rules are tried
  }

  const PageScene& scene_;
  const Judged& judged_;
  const Sample& sample_;
  std::vector<std::size_t> job_of_slot_;
  std::vector<Spot> spots_;
  bool decoded_ = true;
  bool few_results_ = false;  // so that any rule that meets them fits
};

struct JobRule {
  std::string says;
  std::function<std::optional<std::size_t>(std::size_t job)> of;
};

std::vector<JobRule> job_rules(const PageScene& scene) {
  const auto heads = static_cast<std::size_t>(scene.heads());
  const std::vector<PageJob>& jobs = scene.jobs();
  std::vector<JobRule> rules;
  const auto add = [&](std::string says, auto of) { rules.push_back({std::move(says), of}); };
  const auto moved = [&jobs](std::size_t job, std::int64_t by) -> std::optional<std::size_t> {
    const auto at = static_cast<std::int64_t>(job) + by;
    if (at < 0 || at >= static_cast<std::int64_t>(jobs.size())) return std::nullopt;
    return static_cast<std::size_t>(at);
  };
  for (const int by : {-1, 1, -2, 2}) {
    add(fmt::format("the page that is gathered {} {}", std::abs(by) == 1 ? "just" : "two",
                    by < 0 ? "before" : "after it"),
        [=](std::size_t j) { return moved(j, by * static_cast<std::int64_t>(heads)); });
  }
  add("the first page that is gathered", [=](std::size_t j) { return std::optional(j % heads); });
  add("the last page that is gathered",
      [=, &jobs](std::size_t j) { return std::optional(jobs.size() - heads + j % heads); });
  add("the first page of its request", [=, &jobs](std::size_t j) {
    return moved(j, -jobs[j].logical_page * static_cast<std::int64_t>(heads));
  });
  add("the same page of the request before", [=, &jobs](std::size_t j) {
    for (std::size_t k = j; k-- > 0;) {
      if (jobs[k].request < jobs[j].request && jobs[k].head == jobs[j].head &&
          jobs[k].logical_page == jobs[j].logical_page) {
        return std::optional(k);
      }
    }
    return std::optional<std::size_t>();
  });
  add("the other page of a pair", [=](std::size_t j) {
    return moved(j, (j / heads % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(heads));
  });
  if (heads > 1) {
    add("the first head", [=](std::size_t j) { return std::optional(j - j % heads); });
    add("the head before",
        [=](std::size_t j) { return j % heads == 0 ? std::nullopt : std::optional(j - 1); });
    add("the head behind", [=](std::size_t j) {
      return j % heads + 1 == heads ? std::nullopt : std::optional(j + 1);
    });
    add("the heads in reverse",
        [=](std::size_t j) { return std::optional(j - j % heads + (heads - 1 - j % heads)); });
  }
  return rules;
}

}  // namespace

bool other_page_fits(const PageScene& scene, const Judged& judged, const Sample& sample) {
  const Fitting fitting(scene, judged, sample);
  if (!fitting.decoded()) return false;
  const std::vector<JobRule> rules = job_rules(scene);
  return std::any_of(rules.begin(), rules.end(), [&](const JobRule& rule) {
    const Rule whole_page = [&](const Spot& s) -> std::optional<Source> {
      const auto job = rule.of(s.job);
      if (!job) return std::nullopt;
      return Source{*job, *job, s.token, s.element, s.token, s.element};
    };
    return fitting.fit(whole_page, Fitting::Part::both) != Fit::none;
  });
}

void consider_address_families(const PageScene& scene, const Judged& judged, const Sample& sample,
                               Naming& naming) {
  using Part = Fitting::Part;
  const Fitting fitting(scene, judged, sample);
  if (!fitting.decoded()) return;
  const oracle::PageLayout& layout = scene.layout();
  const int block = layout.scale_block_size;
  const auto here = [](const Spot& s) {
    return Source{s.job, s.job, s.token, s.element, s.token, s.element};
  };
  const auto consider = [&](std::string_view name, Part part, const std::string& says,
                            const Rule& rule) {
    const Fit fit = fitting.fit(rule, part);
    if (fit == Fit::none) return false;
    const bool found = fit == Fit::beyond_chance;
    const std::uint64_t broken = found ? fitting.broken(rule) : 0;
    const std::string but =
        broken == 0 ? "" : fmt::format(", but {} right ones do not", grouped(broken));
    naming.add({name, says + but + ".", found});
    return found;
  };
  const std::string every = fmt::format("Every wrong {}", judged.width == 1 ? "byte" : "element");
  const auto as_if = [&](std::string_view name, Part part, const std::string& what) {
    bool found = false;
    const auto try_rule = [&](const std::string& where, auto change) {
      if (found) return;
      found = consider(name, part, fmt::format("{} has {} of {}", every, what, where),
                       [=](const Spot& s) -> std::optional<Source> {
                         Source source = here(s);
                         Spot from = s;
                         if (!change(from)) return std::nullopt;
                         if (part != Part::scale) {
                           source.code_job = from.job;
                           source.code_token = from.token;
                           source.code_element = from.element;
                         }
                         if (part != Part::code) {
                           source.scale_job = from.job;
                           source.scale_token = from.token;
                           source.scale_element = from.element;
                         }
                         return source;
                       });
    };
    for (const PlaceRule& rule : place_rules("token", 't', layout.num_tokens)) {
      try_rule(rule.says, [rule](Spot& s) { return s.token = rule(s.token), true; });
    }
    if (part == Part::scale) {
      for (const PlaceRule& rule : place_rules("group", 'g', layout.groups_per_token())) {
        try_rule(rule.says, [rule, block](Spot& s) {
          return s.element = rule(s.element / block) * block, true;
        });
      }
    } else {
      for (const PlaceRule& rule : place_rules("element", 'e', layout.head_dim)) {
        try_rule(rule.says, [rule](Spot& s) { return s.element = rule(s.element), true; });
      }
      if (layout.head_dim == layout.num_tokens) {
        try_rule("the transposed place",
                 [](Spot& s) { return std::swap(s.token, s.element), true; });
      }
    }
    // Some places on in the order of the page, across the ends of tokens.
    const int unit = part == Part::scale ? block : 1;
    const int places = layout.page_elements() / unit;
    for (int by = 1; by <= 2 * layout.head_dim / unit; by = by < 4 ? by + 1 : 2 * by) {
      for (const int sign : {-1, 1}) {
        try_rule(fmt::format("the place {} {}", by, sign < 0 ? "before" : "behind"), [=](Spot& s) {
          const int at = (s.token * layout.head_dim + s.element) / unit + sign * by;
          if (at < 0 || at >= places) return false;
          s.token = at * unit / layout.head_dim;
          s.element = at * unit % layout.head_dim;
          return true;
        });
      }
    }
    if (part == Part::both) return;
    for (const JobRule& rule : job_rules(scene)) {
      try_rule(rule.says, [rule](Spot& s) {
        const auto job = rule.of(s.job);
        if (job) s.job = *job;
        return job.has_value();
      });
    }
  };
  as_if("scale_from_elsewhere", Part::scale, "the scale");
  as_if("code_from_elsewhere", Part::code, "the code");
  as_if("stored_elsewhere", Part::both, "the result");
  for (const JobRule& rule : job_rules(scene)) {
    const bool found =
        consider("wrong_page", Part::both, fmt::format("{} is that of {}", every, rule.says),
                 [&](const Spot& s) -> std::optional<Source> {
                   const auto job = rule.of(s.job);
                   if (!job) return std::nullopt;
                   return Source{*job, *job, s.token, s.element, s.token, s.element};
                 });
    if (found) break;
  }
}

void consider_zeros(const Judged& judged, const Sample& sample, const PairOf& pair_of,
                    const std::vector<HintAxis>& axes, Naming& naming) {
  constexpr std::size_t enough_values = 8;
  std::set<std::uint32_t> values;
  for (const std::size_t i : sample.wrong) {
    if (judged.actual_at(i) != 0) return;
    values.insert(judged.expected_at(i));
  }
  if (values.size() < enough_values) return;
  for (const HintAxis& axis : axes) {
    std::set<std::size_t> zeroed;
    for (const std::size_t i : sample.wrong) zeroed.insert(axis.of(i));
    bool others = false;
    const bool whole = std::all_of(sample.right.begin(), sample.right.end(), [&](std::size_t i) {
      if (!pair_of(i)) return true;  // not written
      if (zeroed.count(axis.of(i)) != 0) return judged.actual_at(i) == 0;
      others = others || judged.expected_at(i) != 0;
      return true;
    });
    // All of one page may be all, or what is done to one page id.
    if (!whole || (!others && axis.extent > 1)) continue;
    naming.consider({"zeros_written",
                     fmt::format("{} of {} {}s hold nothing but zeros", grouped(zeroed.size()),
                                 grouped(axis.extent), axis.name),
                     [&](std::size_t i) {
                       return Prediction::of(judged.wrong_at(i) ? 0 : judged.expected_at(i));
                     }});
    return;
  }
}

}  // namespace harness
