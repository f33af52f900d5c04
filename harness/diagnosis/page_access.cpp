#include "harness/diagnosis/page_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/diagnosis/fault_classes.hpp"
#include "harness/diagnosis/page_models.hpp"
#include "harness/diagnosis/page_scene.hpp"

namespace harness {
namespace {

// The widest load of a kernel: one that begins inside a page reaches no further past it.
constexpr std::int64_t wide = 16;

// Addresses from here on are none: an access there ends a call without one.
constexpr std::int64_t no_addresses = std::int64_t{1} << 47;

struct Guess {
  std::string_view fault_class;
  std::string says;
};

class Guesses {
 public:
  void add(std::string_view fault_class, std::string says) {
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const Guess& guess) {
      return guess.fault_class == fault_class;
    });
    if (!known) found_.push_back({fault_class, std::move(says)});
  }
  // A class is named where it is the only one that forms the address.
  std::string text() const {
    if (found_.empty()) return {};
    if (found_.size() > 1) {
      std::vector<std::string> all;
      for (const Guess& guess : found_) {
        all.push_back(guess.says.empty() ? std::string(guess.fault_class)
                                         : fmt::format("{} ({})", guess.fault_class, guess.says));
      }
      return fmt::format("several known faults touch this place: {}", fmt::join(all, "; "));
    }
    const FaultClass* first = fault_class_named(found_.front().fault_class);
    return fmt::format("{}{}: the kernel {}: {}", first->name,
                       first->id.empty() ? "" : fmt::format(" ({})", first->id), first->title,
                       found_.front().says);
  }

 private:
  std::vector<Guess> found_;
};

bool touches(std::int64_t begin, std::int64_t bytes, std::int64_t offset) {
  return offset >= begin && offset < begin + bytes;
}

// Entries of the table that no request uses, and the ids that they hold.
void guess_unused_entries(const PageScene& scene, std::optional<std::int64_t> offset,
                          Guesses& guesses) {
  const Problem& problem = scene.problem();
  const Tensor& table = *problem.find("block_table");
  const std::int64_t page_bytes = scene.layout().page_bytes();
  std::set<std::int64_t> used;
  for (const PageJob& job : scene.jobs()) used.insert(job.page_id);
  std::set<std::int64_t> unused;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(table.storage.size() / 4); ++i) {
    const std::int64_t id = PageScene::entry(problem, "block_table", i).value_or(0);
    if (used.count(id) == 0) unused.insert(id);
  }
  for (const std::int64_t id : unused) {
    const std::int64_t page = id * scene.page_stride();
    if (offset ? touches(page, page_bytes, *offset) : page + page_bytes > no_addresses / 2) {
      guesses.add("padding_entries_dereferenced",
                  fmt::format("{} is an entry of block_table past num_pages", id));
    }
  }
}

void guess_pages(const PageScene& scene, std::int64_t offset, Guesses& guesses) {
  const std::int64_t page_bytes = scene.layout().page_bytes();
  for (const PageModel& model : gather_models(scene)) {
    if (!model.jobs) continue;
    for (const PageJob& job : model.jobs(scene)) {
      if (touches(job.codes_base, page_bytes, offset) ||
          touches(job.scales_base, page_bytes, offset)) {
        guesses.add(model.fault_class, model.variant);
        break;
      }
    }
  }
}

// Faults inside a page reach past it by less than a page.
void guess_bytes(const PageScene& scene, std::int64_t offset, Guesses& guesses) {
  const oracle::PageLayout& layout = scene.layout();
  for (const PageModel& model : layout_models(scene)) {
    for (const PageJob& job : scene.jobs()) {
      if (!touches(job.codes_base - layout.page_bytes(), 3 * layout.page_bytes(), offset)) continue;
      bool found = false;
      for (int at = 0; at < layout.page_elements() && !found; ++at) {
        const ElementSource source =
            model.source(scene, job, at / layout.head_dim, at % layout.head_dim);
        found = source.code_byte == offset || source.scale_byte == offset;
      }
      if (found) {
        guesses.add(model.fault_class, model.variant);
        break;
      }
    }
  }
}

void guess_outputs(const PageScene& scene, std::int64_t offset, Guesses& guesses) {
  const std::int64_t slot_bytes =
      scene.page_elements() * static_cast<std::int64_t>(scene.element_bytes());
  for (const PageModel& model : gather_models(scene)) {
    if (!model.jobs) continue;
    for (const PageJob& job : model.jobs(scene)) {
      if (touches(job.output_slot * slot_bytes, slot_bytes, offset)) {
        guesses.add(model.fault_class, model.variant);
        break;
      }
    }
  }
}

// Bytes from element [0, ..., 0] of the tensor; none inside its storage, where access is allowed.
std::optional<std::int64_t> outside(const Tensor& tensor, std::uint64_t origin,
                                    std::uint64_t address) {
  const auto offset = static_cast<std::int64_t>(address - origin);
  const std::int64_t at = tensor.origin_bytes + offset;
  if (at >= 0 && at < static_cast<std::int64_t>(tensor.storage.size())) return std::nullopt;
  return offset;
}

}  // namespace

std::string explain_page_access(const PageOperation& operation, const Problem& problem,
                                std::span<const std::uint64_t> origins,
                                std::optional<std::uint64_t> address) {
  const oracle::Profile& profile = oracle::profiles::ocp();
  auto plan = plan_pages(operation, problem, profile);
  if (!plan || plan->moves.empty()) return {};
  const PageScene scene(operation, {&problem, 1}, profile, std::move(*plan));
  Guesses guesses;
  if (!address) {
    if (operation.has_table()) guess_unused_entries(scene, std::nullopt, guesses);
    return guesses.text();
  }
  const auto index = [&](const Tensor& tensor) {
    return static_cast<std::size_t>(&tensor - problem.tensors.data());
  };
  const Tensor& pool = scene.pool();
  if (const auto offset = outside(pool, origins[index(pool)], *address)) {
    const std::int64_t behind =
        pool.origin_bytes + *offset - static_cast<std::int64_t>(pool.storage.size());
    if (behind >= 0 && behind < wide) {
      guesses.add("over_read_at_the_end", fmt::format("byte {} behind the last page", behind));
    }
    if (operation.has_table()) guess_unused_entries(scene, *offset, guesses);
    guess_pages(scene, *offset, guesses);
    guess_bytes(scene, *offset, guesses);
  }
  const Tensor& out = scene.out();
  if (const auto offset = outside(out, origins[index(out)], *address)) {
    guess_outputs(scene, *offset, guesses);
  }
  return guesses.text();
}

}  // namespace harness
