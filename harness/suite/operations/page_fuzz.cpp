// Random specs of page operations, and the smaller ones to try in place of one that fails.
#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "harness/suite/operations/page_cases.hpp"
#include "harness/suite/operations/page_spec.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {
namespace {

Contents random_contents(Random& random) {
  Contents contents;
  const std::uint64_t kind = random.below(10);
  contents.seed = random.bits() >> 1;
  if (kind < 6) {
    contents.kind = ContentKind::random;
    contents.distribution = kind < 4 ? Distribution::edges : Distribution::uniform;
  } else if (kind == 6) {
    contents.kind = ContentKind::exhaustive;
    contents.first_number = random.below(16);
  } else {
    contents.kind = ContentKind::layout;
  }
  return contents;
}

// `one_page`: of one page, as three of four cases are. There are many of them in a second, and most
// faults show in one page.
PoolSpec random_pool(const PageOperation& operation, bool one_page, Random& random) {
  const std::int64_t page_bytes = operation.layout().page_bytes();
  constexpr std::array<std::int64_t, 8> extras{0, 0, 0, 8, 16, 64, 256, 512};
  const auto extra = [&] {
    return random.one_in(4) ? 8 * random.between(0, 200) : random.pick(extras);
  };
  PoolSpec pool;
  pool.pages = one_page ? 1 : random.between(1, 12);
  if (operation.has_heads()) {
    pool.has_head_axis = operation.pool().heads == oracle::HeadAxis::required || !random.one_in(4);
    if (pool.has_head_axis && !one_page) {
      pool.heads = random.pick(std::array<std::int64_t, 5>{1, 1, 2, 3, 8});
    }
  }
  pool.head_stride_bytes = page_bytes + (pool.heads > 1 ? extra() : 0);
  pool.plane_stride_bytes = (pool.heads - 1) * pool.head_stride_bytes + page_bytes;
  const bool has_planes = operation.pool().num_planes() > 1;
  if (has_planes && random.one_in(2)) {  // the planes of each head side by side
    pool.plane_stride_bytes = page_bytes + extra();
    pool.head_stride_bytes = 2 * pool.plane_stride_bytes + extra();
  } else if (has_planes) {
    pool.plane_stride_bytes += extra();
  }
  pool.stride_bytes = block_bytes(operation, pool) + extra();
  if (pool.heads > 1 && random.one_in(4)) {  // heads outermost: all pages of one, then the next
    pool.plane_stride_bytes = page_bytes;
    pool.stride_bytes = operation.pool().num_planes() * page_bytes + extra();
    pool.head_stride_bytes = pool.pages * pool.stride_bytes + extra();
  }
  const std::array<std::int64_t, 9> first_ids{
      0,
      0,
      0,
      random.between(1, 100),
      32768 - random.between(0, 4),
      65536 - random.between(0, 4),
      (std::int64_t{1} << 24) - random.between(0, 4),
      (std::int64_t{1} << 31) / pool.stride_bytes - random.between(0, 3),
      (std::int64_t{1} << 32) / pool.stride_bytes - random.between(0, 3)};
  pool.first_id = random.pick(first_ids);
  if (!operation.has_table()) {
    pool.first_id = 0;
    if (random.one_in(30)) pool.pages = 0;
  }
  if (random.one_in(2)) pool.misalignment_bytes = 8 * random.between(0, 31);
  if (random.one_in(4)) pool.padding = random.byte();
  pool.contents = random_contents(random);
  return pool;
}

IdSpec random_ids(std::int64_t pages, Random& random) {
  IdSpec ids;
  ids.pattern =
      random.pick(std::array{IdPattern::scattered, IdPattern::scattered, IdPattern::reversed,
                             IdPattern::repeated, IdPattern::sequential});
  if (ids.pattern == IdPattern::scattered) ids.seed = random.bits() >> 1;
  if (ids.pattern == IdPattern::repeated) ids.period = random.between(1, pages);
  return ids;
}

OutputSpec random_output(const PageOperation& operation, bool one_page, Random& random) {
  constexpr std::array<std::int64_t, 8> first_pages{0, 0, 0, 0, 1, 65535, 131070, 262142};
  OutputSpec output;
  output.dtype = random.pick(operation.dtypes());
  output.first_page = random.pick(first_pages);
  output.lead_pages =
      std::min<std::int64_t>(output.first_page, one_page ? 0 : random.between(0, 2));
  output.spare_pages = one_page ? 0 : random.between(0, 3);
  output.gap_pages = random.one_in(3) ? random.between(1, 2) : 0;
  output.order = random.one_in(4) ? OutputOrder::reversed : OutputOrder::packed;
  if (random.one_in(2)) {
    output.fill = random.pick(std::array<std::uint8_t, 4>{0x00, 0x7f, 0xff, 0x80});
  }
  output.misalignment_bytes = 16 * random.between(0, 15);
  if (!operation.has_table()) {
    output.first_page = output.lead_pages = output.gap_pages = 0;
    output.order = OutputOrder::packed;
  }
  return output;
}

}  // namespace

nlohmann::json random_page_spec(const PageOperation& operation, std::uint64_t seed) {
  Random random(mix64(seed));
  PageSpec spec;
  const bool one_page = !random.one_in(4);
  spec.pool = random_pool(operation, one_page, random);
  spec.output = random_output(operation, one_page, random);
  if (!operation.has_table()) {
    spec.calls.push_back({.num_pages = {spec.pool.pages}, .ids = {}});
    return to_json(operation, spec);
  }
  constexpr std::array<std::int64_t, 8> request_counts{1, 1, 1, 2, 2, 3, 5, 9};
  constexpr std::array<std::int64_t, 8> page_counts{0, 1, 1, 1, 2, 2, 3, 5};
  const std::int64_t requests = one_page ? 1 : random.one_in(50) ? 0 : random.pick(request_counts);
  const int calls = !one_page && random.one_in(6) ? 2 : 1;
  for (int c = 0; c < calls; ++c) {
    CallSpec call;
    for (std::int64_t r = 0; r < requests; ++r) {
      call.num_pages.push_back(one_page ? 1 : random.pick(page_counts));
    }
    call.ids = random_ids(spec.pool.pages, random);
    spec.calls.push_back(std::move(call));
  }
  const std::int64_t widest = std::max<std::int64_t>(largest_num_pages(spec), 1);
  spec.table.width = widest + random.pick(std::array<std::int64_t, 5>{0, 0, 1, 3, 64});
  if (random.one_in(20)) spec.table.width = 8194;
  if (random.one_in(2)) spec.table.stride = spec.table.width + random.between(0, 5);
  spec.table.beyond = random.one_in(4) ? Beyond::valid : Beyond::poison;
  if (random.one_in(3)) spec.max_num_pages = widest + random.between(0, 4);
  return to_json(operation, spec);
}

namespace {

// Every page that a call names, stated.
void state_ids(PageSpec& spec) {
  for (CallSpec& call : spec.calls) {
    call.ids.rows = named_page_numbers(spec, call);
    call.ids.pattern = IdPattern::list;
  }
  if (table_stride(spec) == 0) spec.table.stride.reset();
}

void keep_requests(PageSpec& spec, std::size_t first, std::size_t count) {
  state_ids(spec);
  for (CallSpec& call : spec.calls) {
    const auto from = static_cast<std::ptrdiff_t>(first);
    const auto to = static_cast<std::ptrdiff_t>(first + count);
    call.num_pages = {call.num_pages.begin() + from, call.num_pages.begin() + to};
    call.ids.rows = {call.ids.rows.begin() + from, call.ids.rows.begin() + to};
  }
}

void keep_pages(PageSpec& spec, std::int64_t first, std::int64_t count) {
  state_ids(spec);
  for (CallSpec& call : spec.calls) {
    for (std::size_t r = 0; r < call.num_pages.size(); ++r) {
      std::vector<std::int64_t>& row = call.ids.rows[r];
      const auto size = static_cast<std::int64_t>(row.size());
      const std::int64_t from = std::min(first, size);
      const std::int64_t to = std::min(first + count, size);
      row = {row.begin() + from, row.begin() + to};
      call.num_pages[r] = to - from;
    }
  }
}

// The pool without the pages before and behind those that calls name; ids stay.
void trim_pool(PageSpec& spec, std::int64_t planes) {
  state_ids(spec);
  std::set<std::int64_t> named;
  for (const CallSpec& call : spec.calls) {
    for (const auto& row : call.ids.rows) named.insert(row.begin(), row.end());
  }
  const std::int64_t first = named.empty() ? 0 : *named.begin();
  spec.pool.pages = named.empty() ? 1 : *named.rbegin() - first + 1;
  spec.pool.first_id += first;
  spec.pool.contents.first_number += static_cast<std::uint64_t>(first * planes * spec.pool.heads);
  for (CallSpec& call : spec.calls) {
    for (auto& row : call.ids.rows) {
      for (std::int64_t& page : row) page -= first;
    }
  }
  std::erase_if(spec.pool.contents.pokes, [&](Poke& poke) {
    poke.page -= first;
    return poke.page < 0 || poke.page >= spec.pool.pages;
  });
}

class Shrinker {
 public:
  Shrinker(const PageOperation& operation, const PageSpec& spec)
      : operation_(operation), spec_(spec), start_(to_json(operation, spec)) {
    for (const CallSpec& call : spec.calls) {
      requests_ = std::max(requests_, call.num_pages.size());
    }
  }

  void propose(const std::function<void(PageSpec&)>& change) {
    PageSpec smaller = spec_;
    change(smaller);
    nlohmann::json json = to_json(operation_, smaller);
    if (json == start_ || std::find(found_.begin(), found_.end(), json) != found_.end()) return;
    if (!page_spec_from_json(operation_, json)) return;
    found_.push_back(std::move(json));
  }

  void calls_and_requests() {
    if (spec_.calls.size() > 1) {
      propose([](PageSpec& s) { s.calls.erase(s.calls.begin(), s.calls.end() - 1); });
      propose([](PageSpec& s) { s.calls.resize(1); });
      propose([](PageSpec& s) { s.calls.resize(2); });
    }
    if (!operation_.has_table()) {
      for (std::int64_t pages = 1; pages < spec_.pool.pages; pages *= 2) {
        propose([&](PageSpec& s) { s.pool.pages = s.calls.front().num_pages.front() = pages; });
      }
      return;
    }
    for (std::size_t count = requests_ / 2; count >= 1; count /= 2) {
      for (std::size_t first = 0; first + count <= requests_; first += count) {
        propose([&](PageSpec& s) { keep_requests(s, first, count); });
      }
      if (requests_ > 64) break;
    }
    const std::int64_t widest = largest_num_pages(spec_);
    for (std::int64_t count = widest / 2; count >= 1; count /= 2) {
      for (std::int64_t first = 0; first < widest && first < 64 * count; first += count) {
        propose([&](PageSpec& s) { keep_pages(s, first, count); });
      }
    }
    propose([&](PageSpec& s) { trim_pool(s, operation_.pool().num_planes()); });
  }

  void surroundings() {
    propose([](PageSpec& s) {
      s.table = {};
      s.max_num_pages.reset();
    });
    propose([](PageSpec& s) { s.table.stride.reset(); });
    propose([](PageSpec& s) { s.table.width = 0, s.table.stride.reset(); });
    propose([](PageSpec& s) { s.table.beyond = Beyond::poison; });
    propose([](PageSpec& s) { s.max_num_pages.reset(); });
    propose([](PageSpec& s) { s.output = {.dtype = s.output.dtype}; });
    propose([](PageSpec& s) { s.output.first_page = s.output.lead_pages = 0; });
    propose([](PageSpec& s) { s.output.gap_pages = 0; });
    propose([](PageSpec& s) { s.output.order = OutputOrder::packed; });
    propose([](PageSpec& s) { s.output.fill = OutputSpec{}.fill; });
    propose([](PageSpec& s) { s.output.misalignment_bytes = 0; });
    propose([](PageSpec& s) { s.pool.first_id = 0; });
    propose([&](PageSpec& s) {
      s.pool.heads = 1;
      s.pool.has_head_axis = true;
      lay_densely(s.pool);
    });
    propose([&](PageSpec& s) { lay_densely(s.pool); });
    propose([](PageSpec& s) { s.pool.misalignment_bytes.reset(); });
    propose([](PageSpec& s) { s.pool.padding = PoolSpec{}.padding; });
    propose([](PageSpec& s) { s.pool.contents.pokes.clear(); });
    for (CallSpec& call : spec_.calls) {
      if (call.ids.pattern == IdPattern::list) continue;
      propose([](PageSpec& s) {
        for (CallSpec& each : s.calls) each.ids = {};
      });
    }
  }

  // The part of every page that keeps its contents, halved: to one token, one group, one element.
  void contents() {
    const Keep all{0, operation_.layout().num_tokens, 0, operation_.layout().head_dim};
    const Keep kept = spec_.pool.contents.keep.value_or(all);
    const auto halves = [&](std::int64_t Keep::*first, std::int64_t Keep::*count) {
      if (kept.*count < 2) return;
      const std::int64_t half = kept.*count / 2;
      for (const std::int64_t skip : {std::int64_t{0}, half}) {
        propose([&](PageSpec& s) {
          Keep narrower = kept;
          narrower.*first += skip;
          narrower.*count = skip == 0 ? half : kept.*count - half;
          s.pool.contents.keep = narrower;
        });
      }
    };
    halves(&Keep::first_token, &Keep::tokens);
    halves(&Keep::first_element, &Keep::elements);
  }

  std::vector<nlohmann::json> take() { return std::move(found_); }

 private:
  void lay_densely(PoolSpec& pool) const {
    pool.head_stride_bytes = operation_.layout().page_bytes();
    pool.plane_stride_bytes = pool.heads * pool.head_stride_bytes;
    pool.stride_bytes = operation_.pool().num_planes() * pool.plane_stride_bytes;
  }

  const PageOperation& operation_;
  PageSpec spec_;
  nlohmann::json start_;
  std::size_t requests_ = 0;
  std::vector<nlohmann::json> found_;
};

}  // namespace

std::vector<nlohmann::json> smaller_page_specs(const PageOperation& operation,
                                               const nlohmann::json& spec) {
  const Result<PageSpec> read = page_spec_from_json(operation, spec);
  if (!read) return {};
  Shrinker shrinker(operation, *read);
  shrinker.calls_and_requests();
  shrinker.surroundings();
  shrinker.contents();
  return shrinker.take();
}

}  // namespace harness
