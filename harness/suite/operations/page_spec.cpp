#include "harness/suite/operations/page_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "harness/model/zeros_on_demand.hpp"
#include "harness/suite/operations/named_pages.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {

std::int64_t block_bytes(const PageOperation& operation, const PoolSpec& pool) {
  return (operation.pool().num_planes() - 1) * pool.plane_stride_bytes +
         (pool.heads - 1) * pool.head_stride_bytes + operation.layout().page_bytes();
}

std::int64_t largest_num_pages(const PageSpec& spec) {
  std::int64_t largest = 0;
  for (const CallSpec& call : spec.calls) {
    for (const std::int64_t pages : call.num_pages) largest = std::max(largest, pages);
  }
  return largest;
}

std::int64_t table_width(const PageSpec& spec) {
  return spec.table.width != 0 ? spec.table.width
                               : std::max<std::int64_t>(largest_num_pages(spec), 1);
}

std::int64_t table_stride(const PageSpec& spec) {
  return spec.table.stride.value_or(table_width(spec));
}

std::vector<std::int64_t> page_offsets(const PageSpec& spec, const CallSpec& call) {
  const std::size_t requests = call.num_pages.size();
  std::vector<std::int64_t> offsets(requests);
  std::int64_t next = spec.output.first_page;
  for (std::size_t i = 0; i < requests; ++i) {
    const std::size_t r = spec.output.order == OutputOrder::packed ? i : requests - 1 - i;
    offsets[r] = next;
    next += call.num_pages[r] + spec.output.gap_pages;
  }
  return offsets;
}

std::int64_t output_extent_pages(const PageSpec& spec) {
  std::int64_t extent = 0;
  for (const CallSpec& call : spec.calls) {
    const auto requests = static_cast<std::int64_t>(call.num_pages.size());
    const std::int64_t pages =
        std::accumulate(call.num_pages.begin(), call.num_pages.end(), std::int64_t{0});
    extent =
        std::max(extent, pages + std::max<std::int64_t>(requests - 1, 0) * spec.output.gap_pages);
  }
  return extent;
}

namespace {

// Number, in the pool, of the n-th page that a call names by a pattern.
class PageOrder {
 public:
  PageOrder(const IdSpec& ids, std::int64_t pool_pages) : ids_(ids), pages_(pool_pages) {
    if (ids.pattern == IdPattern::scattered) {
      order_ = permutation(static_cast<std::size_t>(pool_pages), ids.seed);
    }
  }
  std::int64_t at(std::int64_t n) const {
    switch (ids_.pattern) {
      case IdPattern::reversed:
        return pages_ - 1 - n % pages_;
      case IdPattern::scattered:
        return order_[static_cast<std::size_t>(n % pages_)];
      case IdPattern::repeated:
        return n % ids_.period;
      case IdPattern::sequential:
      case IdPattern::list:
        break;
    }
    return n % pages_;
  }

 private:
  const IdSpec& ids_;
  std::int64_t pages_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::vector<std::int64_t>> named_page_numbers(const PageSpec& spec,
                                                          const CallSpec& call) {
  if (call.ids.pattern == IdPattern::list) return call.ids.rows;
  const PageOrder order(call.ids, spec.pool.pages);
  std::vector<std::vector<std::int64_t>> rows(call.num_pages.size());
  std::int64_t n = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (table_stride(spec) == 0) n = 0;
    for (std::int64_t p = 0; p < call.num_pages[r]; ++p) rows[r].push_back(order.at(n++));
  }
  return rows;
}

namespace {

std::int64_t pool_bytes(const PageOperation& operation, const PoolSpec& pool) {
  if (pool.pages == 0) return 0;
  return (pool.pages - 1) * pool.stride_bytes + block_bytes(operation, pool);
}

// Pages, planes and heads that do not share bytes, whichever of them lies outermost.
Status check_strides(const PageOperation& operation, const PoolSpec& pool) {
  const std::int64_t page = operation.layout().page_bytes();
  const std::int64_t planes = operation.pool().num_planes();
  const std::array extents{pool.pages, planes, pool.heads};
  const std::array strides{pool.stride_bytes, pool.plane_stride_bytes, pool.head_stride_bytes};
  if (oracle::pages_are_disjoint(extents, strides, page)) return {};
  const std::int64_t all_pages = (pool.pages - 1) * pool.stride_bytes + page;
  return oracle::fail(
      ErrorCode::malformed,
      fmt::format("pool: \"stride_bytes\": expected at least {}, the bytes of a page of all {}, "
                  "or a \"head_stride_bytes\" of at least {}, those of all pages of a head; got {} "
                  "and {}{}",
                  block_bytes(operation, pool), planes > 1 ? "planes and heads" : "heads",
                  all_pages, pool.stride_bytes, pool.head_stride_bytes,
                  planes > 1 ? fmt::format(", planes {} apart", pool.plane_stride_bytes) : ""));
}

// An operation without a table takes the pages from the pool's first to its last.
Status check_whole_pool(const PageSpec& spec) {
  const auto zero = [](const char* member, std::int64_t value) -> Status {
    if (value == 0) return {};
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("{}: expected 0 for an operation without a block table, got {}",
                                    member, value));
  };
  for (const auto& [member, value] : {std::pair{"pool: \"first_id\"", spec.pool.first_id},
                                      {"output: \"first_page\"", spec.output.first_page},
                                      {"output: \"gap_pages\"", spec.output.gap_pages}}) {
    if (Status status = zero(member, value); !status) return status;
  }
  return {};
}

}  // namespace

namespace {

std::uint64_t table_bytes(const PageSpec& spec) {
  const std::uint64_t requests = spec.calls.front().num_pages.size();
  const auto stride = static_cast<std::uint64_t>(table_stride(spec));
  const auto width = static_cast<std::uint64_t>(table_width(spec));
  return requests == 0 ? 0 : ((requests - 1) * stride + width) * sizeof(std::int32_t);
}

}  // namespace

bool sparse_table(const PageSpec& spec) { return table_bytes(spec) >= sparse_bytes; }

std::uint64_t problem_bytes(const PageOperation& operation, const PageSpec& spec) {
  const auto u = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t requests = spec.calls.front().num_pages.size();
  const std::uint64_t output_page = u(operation.layout().page_elements()) *
                                    u(operation.pool().num_planes() * spec.pool.heads) *
                                    element_bytes(spec.output.dtype);
  const std::uint64_t output_pages =
      u(output_extent_pages(spec) + spec.output.lead_pages + spec.output.spare_pages);
  const std::uint64_t arguments =
      operation.has_table() ? table_bytes(spec) + requests * (4 + 4) : 0;
  return u(pool_bytes(operation, spec.pool)) + output_pages * output_page + arguments;
}

std::uint64_t untouched_bytes(const PageOperation& operation, const PageSpec& spec) {
  constexpr std::uint64_t machine_pages = 8192;  // at both ends of what is written
  const auto u = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  std::uint64_t untouched = 0;
  if (spec.pool.contents.only_named) {
    std::uint64_t named = 0;
    for (const CallSpec& call : spec.calls) {
      for (const std::int64_t pages : call.num_pages) named += u(pages);
    }
    const std::uint64_t pool = u(pool_bytes(operation, spec.pool));
    const std::uint64_t touched = named * u(spec.pool.heads) * u(operation.pool().num_planes()) *
                                  (u(operation.layout().page_bytes()) + machine_pages);
    untouched += pool - std::min(pool, touched);
  }
  if (operation.has_table() && sparse_table(spec)) {
    const std::uint64_t table = table_bytes(spec);
    const std::uint64_t rows =
        spec.calls.front().num_pages.size() * (u(table_width(spec)) * 4 + machine_pages);
    untouched += table - std::min(table, rows);
  }
  return untouched;
}

Status check_page_spec(const PageOperation& operation, const PageSpec& spec) {
  const auto refuse = [](std::string message) {
    return oracle::fail(ErrorCode::malformed, std::move(message));
  };
  // Addresses are of 63 bits.
  constexpr std::int64_t farthest = std::int64_t{1} << 60;
  const std::int64_t last_id = spec.pool.first_id + spec.pool.pages;
  if (last_id > farthest / spec.pool.stride_bytes) {
    return refuse(
        fmt::format("pool: \"first_id\": expected pages below byte {}, got page {} of {} bytes",
                    farthest, last_id, spec.pool.stride_bytes));
  }
  if (Status strides = check_strides(operation, spec.pool); !strides) return strides;
  if (!operation.has_table()) {
    if (Status whole = check_whole_pool(spec); !whole) return whole;
  }
  const std::int64_t widest = largest_num_pages(spec);
  for (const CallSpec& call : spec.calls) {
    if (call.num_pages.size() != spec.calls.front().num_pages.size()) {
      return refuse(fmt::format("calls: expected {} requests in every call, got {}",
                                spec.calls.front().num_pages.size(), call.num_pages.size()));
    }
  }
  if (widest > 0 && spec.pool.pages == 0) {
    return refuse(fmt::format("pool: \"pages\": expected at least 1 for calls that gather, got 0"));
  }
  if (spec.table.width != 0 && spec.table.width < widest) {
    return refuse(
        fmt::format("table: \"width\": expected at least {}, the largest num_pages, got {}", widest,
                    spec.table.width));
  }
  const std::int64_t stride = table_stride(spec);
  if (stride != 0 && stride < table_width(spec)) {
    return refuse(fmt::format("table: \"stride\": expected 0 or at least the width {}, got {}",
                              table_width(spec), stride));
  }
  if (spec.table.beyond == Beyond::unstored && spec.pool.first_id == 0) {
    return refuse(
        "table: \"beyond\": expected a pool whose \"first_id\" is not 0 for ids that are not "
        "stored, got 0");
  }
  if (stride == 0) {
    for (const CallSpec& call : spec.calls) {
      for (const std::int64_t pages : call.num_pages) {
        if (pages != widest || call.ids.pattern == IdPattern::list) {
          return refuse(
              "table: \"stride\": 0 needs equal num_pages and a pattern of ids, for all requests "
              "share one row");
        }
      }
    }
  }
  if (spec.max_num_pages && *spec.max_num_pages < widest) {
    return refuse(
        fmt::format("\"max_num_pages\": expected at least {}, the largest num_pages, got {}",
                    widest, *spec.max_num_pages));
  }
  if (spec.pool.contents.kind == ContentKind::named) {
    const auto pages = named_pages(operation.layout(), spec.pool.contents.name);
    if (!pages) return tl::make_unexpected(pages.error());
  }
  for (const Poke& poke : spec.pool.contents.pokes) {
    const std::int64_t end = poke.byte + static_cast<std::int64_t>(poke.bytes.size());
    const std::int64_t bytes = block_bytes(operation, spec.pool);
    if (poke.page >= spec.pool.pages || end > bytes) {
      return refuse(
          fmt::format("pool.contents.pokes: expected a place in {} pages of {} bytes, got "
                      "page {} bytes {} to {}",
                      spec.pool.pages, bytes, poke.page, poke.byte, end - 1));
    }
  }
  const std::uint64_t bytes = problem_bytes(operation, spec);
  if (bytes > max_case_bytes / spec.calls.size()) {
    return refuse(fmt::format("expected a case of at most {} bytes, got {} calls of {}",
                              max_case_bytes, spec.calls.size(), bytes));
  }
  return {};
}

}  // namespace harness
