// The members of page specs that cases are put together from.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "oracle/pages/page_layout.hpp"

namespace harness::case_parts {

using nlohmann::json;

inline constexpr std::int64_t two_31 = std::int64_t{1} << 31;
inline constexpr std::int64_t two_32 = std::int64_t{1} << 32;

// Pools. `more` holds further members, or other ones.
inline json layout_pool(std::int64_t pages, const json& more = json::object()) {
  json pool{{"pages", pages}, {"contents", {{"kind", "layout"}}}};
  pool.update(more);
  return pool;
}
inline json exhaustive_pool(std::int64_t pages) {
  return {{"pages", pages}, {"contents", {{"kind", "exhaustive"}}}};
}
inline json random_pool(std::int64_t pages, std::string_view distribution, std::uint64_t seed) {
  return {{"pages", pages},
          {"contents", {{"kind", "random"}, {"distribution", distribution}, {"seed", seed}}}};
}
// Eight pages of 1.0, in each of which one byte differs: codes 0, 1, 16, 64 and scales 0, 1, 4, 8.
json probe_pool(const oracle::PageLayout& layout);
// How many pages hold all pairs at all places of a scale block, the turns of page_contents.cpp
// taken into account.
std::int64_t pages_of_all_places(const oracle::PageLayout& layout);

// Page ids.
inline json ids(std::string_view pattern) { return {{"pattern", pattern}}; }
inline json scattered(std::uint64_t seed) { return {{"pattern", "scattered"}, {"seed", seed}}; }
inline json listed(json rows) { return {{"pattern", "list"}, {"rows", std::move(rows)}}; }

inline json one_call(json num_pages, json page_ids = ids("sequential")) {
  return json::array({{{"num_pages", std::move(num_pages)}, {"ids", std::move(page_ids)}}});
}

}  // namespace harness::case_parts
