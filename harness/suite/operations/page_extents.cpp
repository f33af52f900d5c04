#include "harness/suite/operations/page_extents.hpp"

#include <algorithm>
#include <map>

#include "harness/suite/operations/page_case_parts.hpp"

namespace harness {
namespace {

using namespace case_parts;

// Which requests have pages; the rest has none.
using PagesOf = std::map<std::int64_t, std::int64_t>;

// {"runs": [[times, num_pages], ...]} of so many requests.
json runs_of(std::int64_t requests, const PagesOf& pages) {
  json runs = json::array();
  std::int64_t next = 0;
  for (const auto& [request, count] : pages) {
    if (request < next || request >= requests) continue;
    if (request > next) runs.push_back({request - next, 0});
    runs.push_back({1, count});
    next = request + 1;
  }
  if (next < requests) runs.push_back({requests - next, 0});
  return {{"runs", std::move(runs)}};
}

std::int64_t multiple_of_8(std::int64_t value, std::int64_t least) {
  return std::max((value + 7) / 8 * 8, least);
}

// Of many requests the first and the last have pages, and those around the power of two below.
json many_requests(std::int64_t requests) {
  std::int64_t below = 1;
  while (below * 2 < requests) below *= 2;
  const PagesOf pages{{0, 1}, {below / 2, 1}, {below - 1, 1}, {below, 1}, {requests - 1, 1}};
  return {{"pool", layout_pool(7)},
          {"table", {{"width", 3}}},
          {"calls", one_call(runs_of(requests, pages), scattered(21))}};
}

// One request, so that its page offset is of use to nobody else.
json pages_of_one_request(std::int64_t pages) {
  return {{"pool", layout_pool(5)},
          {"calls", one_call({pages}, {{"pattern", "repeated"}, {"period", 5}})},
          {"output", {{"first_page", 3}, {"lead_pages", 1}}}};
}

json heads_and_pages(const PageOperation& operation, std::int64_t heads, std::int64_t pages) {
  if (!operation.has_table()) return {{"pool", layout_pool(pages, {{"heads", heads}})}};
  const std::int64_t stored = std::min<std::int64_t>(pages, 3);
  return {{"pool", layout_pool(stored, {{"heads", heads}})},
          {"calls", one_call({pages}, {{"pattern", "repeated"}, {"period", stored}})}};
}

json strides(const PageOperation& operation, std::int64_t stride) {
  if (operation.has_table()) {
    // One page is stored, wherever it lies.
    return {{"pool", layout_pool(1, {{"first_id", 3}, {"stride_bytes", stride}})},
            {"calls", one_call({1})}};
  }
  return {{"pool",
           {{"pages", 2},
            {"stride_bytes", stride},
            {"contents", {{"kind", "layout"}, {"only_named", true}}}}}};
}

// Two pages, of heads or of planes, that far apart.
json strides_inside(const PageOperation& operation, json pool) {
  pool.update({{"pages", 1}, {"contents", {{"kind", "layout"}, {"only_named", true}}}});
  json spec{{"pool", std::move(pool)}};
  if (operation.has_table()) spec["calls"] = one_call({1});
  return spec;
}

json head_strides(const PageOperation& operation, std::int64_t stride) {
  json pool{{"heads", 2}, {"head_stride_bytes", stride}};
  // The planes of a head side by side.
  const std::int64_t page = operation.layout().page_bytes();
  if (operation.pool().num_planes() > 1) pool["plane_stride_bytes"] = page;
  return strides_inside(operation, std::move(pool));
}

}  // namespace

json page_extent_spec(const PageOperation& operation, Measure measure, std::int64_t value) {
  const std::int64_t page = operation.layout().page_bytes();
  const std::int64_t planes = operation.pool().num_planes();
  switch (measure) {
    case Measure::requests:
      return many_requests(value);
    case Measure::request_pages:
      return pages_of_one_request(value);
    case Measure::pages:
      return {{"pool", layout_pool(value)}};
    case Measure::heads:
      return heads_and_pages(operation, value, 1);
    case Measure::pairs: {
      const auto [heads, pages] = factors_of(value);
      return heads_and_pages(operation, heads, pages);
    }
    case Measure::table_width:
      return {{"pool", layout_pool(6)},
              {"table", {{"width", value}}},
              {"calls", one_call(value > 8 ? json{8, 0, 3} : json{1, 0, 1}, scattered(22))}};
    case Measure::table_stride:
      return {{"pool", layout_pool(6)},
              {"table", {{"width", std::min<std::int64_t>(value, 3)}, {"stride", value}}},
              {"calls", one_call(value > 2 ? json{2, 1, 3} : json{1, 0, 1}, scattered(23))}};
    case Measure::table_bytes: {
      // The third row begins there.
      const std::int64_t stride = std::max<std::int64_t>((value + 7) / 8, 3);
      return {{"pool", layout_pool(6)},
              {"table", {{"width", 3}, {"stride", stride}}},
              {"calls", one_call({2, 1, 3}, scattered(24))}};
    }
    case Measure::bound:
      // More pages than what is left of the bound in 8 or 16 bits.
      return {{"pool", layout_pool(4)},
              {"table", {{"width", 8}}},
              {"calls", one_call({std::min<std::int64_t>(value, 8)}, scattered(25))},
              {"max_num_pages", value},
              {"output", {{"first_page", 2}, {"lead_pages", 1}, {"spare_pages", 2}}}};
    case Measure::blocks: {
      const auto [requests, bound] = factors_of(value);
      json spec = many_requests(requests);
      spec["max_num_pages"] = bound;
      return spec;
    }
    case Measure::page_stride:
      return strides(operation, multiple_of_8(value, planes * page));
    case Measure::plane_stride:
      return strides_inside(operation, {{"plane_stride_bytes", multiple_of_8(value, page)}});
    case Measure::head_stride:
      return head_strides(operation, multiple_of_8(value, planes * page));
    case Measure::page_id:
      return {{"pool", layout_pool(5, {{"first_id", std::max<std::int64_t>(value - 4, 0)}})},
              {"calls", one_call({3, 2}, ids("reversed"))}};
    case Measure::output_page:
      return {
          {"pool", layout_pool(5)},
          {"calls", one_call({2, 3}, ids("reversed"))},
          {"output", {{"first_page", value}, {"lead_pages", std::min<std::int64_t>(value, 1)}}}};
    default:
      return nullptr;
  }
}

void add_page_extents(CaseList& list, const PageOperation& operation) {
  for (const LatticeAxis& axis : lattice_of(operation.name())) {
    for (const Boundary& boundary : boundaries_with_cases(axis)) {
      json spec = page_extent_spec(operation, axis.measure, boundary.past);
      if (spec.is_null()) continue;
      list.add(boundary.level, extent_case(axis, boundary), {"extents"},
               extent_comment(axis, boundary), std::move(spec));
    }
  }
}

}  // namespace harness
