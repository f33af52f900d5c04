#include "harness/suite/operations/page_cases.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/named_pages.hpp"
#include "harness/suite/operations/page_case_parts.hpp"
#include "harness/suite/operations/page_extents.hpp"
#include "harness/suite/operations/page_spec.hpp"
#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/typed_page_cases.hpp"

namespace harness {
namespace {

using namespace case_parts;
using enum Level;

// From one block of a pool of one head to the next, without gaps.
std::int64_t dense_block_bytes(const PageOperation& operation) {
  return std::int64_t{operation.pool().num_planes()} * operation.layout().page_bytes();
}

void add_values(CaseList& list, const PageOperation& operation) {
  const oracle::PageLayout& layout = operation.layout();
  const std::int64_t all_places = pages_of_all_places(layout);
  list.add(smoke, "exhaustive_page", {"values"}, "all 16 x 256 pairs of code and scale in one page",
           {{"pool", exhaustive_pool(1)}, {"calls", one_call({1})}});
  list.add(standard, "exhaustive_places", {"values"},
           "all 16 x 256 pairs at every place of a scale block",
           {{"pool", exhaustive_pool(all_places)}, {"calls", one_call({all_places})}});
  for (const std::string_view fill : {"00", "7f", "ff"}) {
    list.add(
        standard, fmt::format("exhaustive_fill_{}", fill), {"values", "memory"},
        fmt::format("all pairs into an output filled with {}: what stays unwritten shows "
                    "under one of the fills",
                    fill),
        {{"pool", exhaustive_pool(1)}, {"calls", one_call({1})}, {"output", {{"fill", fill}}}});
  }
  for (std::uint64_t i = 0; i < 4; ++i) {
    list.add(
        standard, fmt::format("edge_values_{}", i), {"values", "random"},
        "random codes under scales that favour zero, subnormals, the top binade and NaN",
        {{"pool", random_pool(3, "edges", 100 + i)}, {"calls", one_call({3}, ids("reversed"))}});
  }
  // Stored pages have the scales of one layout.
  const bool one_plane = operation.pool().num_planes() == 1;
  for (const std::string_view name :
       one_plane ? named_page_names(layout) : std::vector<std::string_view>{}) {
    const auto pages = static_cast<std::int64_t>(named_pages(layout, name)->size()) /
                       std::int64_t{layout.page_bytes()};
    list.add(smoke, fmt::format("{}_pages", name), {"values"},
             "rows of a real model's weights, quantized by the vllm_m3 rule (vectors/data/real)",
             {{"pool", {{"pages", pages}, {"contents", {{"kind", "named"}, {"name", name}}}}},
              {"calls", one_call({pages}, ids("reversed"))}});
  }
  list.add(standard, "everyday_values", {"values", "random"},
           "random codes under scales as a writer stores them for ordinary values",
           {{"pool", random_pool(4, "everyday", 7)}, {"calls", one_call({4})}});
}

// A probe page is the same everywhere but for one byte, so that an output shows where that byte
// went.
void add_layout(CaseList& list, const PageOperation& operation) {
  list.add(smoke, "layout_page", {"layout"},
           "one page of which every byte tells where it came from, by scales that keep all "
           "magnitudes apart",
           {{"pool", layout_pool(1)}, {"calls", one_call({1})}});
  list.add(standard, "probe_pages", {"layout"},
           "pages of 1.0 in which one byte differs: codes 0, 1, 16, 64 and scales 0, 1, 4, 8",
           {{"pool", probe_pool(operation.layout())}, {"calls", one_call({8})}});
}

void add_strides(CaseList& list, const PageOperation& operation) {
  const std::int64_t bytes = dense_block_bytes(operation);
  for (const std::int64_t more : {8, 16, 64, 128, 256, 512}) {
    list.add(standard, fmt::format("page_stride_{}", bytes + more), {"strides"},
             fmt::format("{} bytes between pages that are not theirs", more),
             {{"pool", layout_pool(5, {{"stride_bytes", bytes + more}})},
              {"calls", one_call({3, 2}, ids("reversed"))}});
  }
  for (const std::int64_t base : {8, 16, 64, 128}) {
    list.add(standard, fmt::format("base_offset_{}", base), {"strides"},
             fmt::format("a pool that begins {} bytes after a multiple of 256", base),
             {{"pool", layout_pool(2, {{"misalignment_bytes", base}})},
              {"calls", one_call({2}, ids("reversed"))},
              {"output", {{"misalignment_bytes", base == 8 ? 16 : base}}}});
  }
  for (const std::int64_t more : {0, 8, 16, 64, 128, 256, 512}) {
    for (const std::int64_t width : {4, 33, 8192, 8194}) {
      list.add(full, fmt::format("page_stride_{}_table_{}", bytes + more, width),
               {"strides", "table"}, "page strides x table widths",
               {{"pool", layout_pool(4, {{"stride_bytes", bytes + more}})},
                {"table", {{"width", width}, {"stride", width + 3}}},
                {"calls", one_call({1, 3, 0, 4}, scattered(5))}});
    }
  }
}

void add_tables(CaseList& list) {
  list.add(smoke, "two_requests", {"table"},
           "pages out of order, rows wider than what is used, poison beyond num_pages, output "
           "filled with 7f",
           {{"pool", layout_pool(3)},
            {"table", {{"width", 4}, {"stride", 6}}},
            {"calls", one_call({2, 1}, listed({{1, 0}, {2}}))},
            {"output", {{"fill", "7f"}}}});
  list.add(standard, "scattered_ids", {"table"}, "33 pages in a random order",
           {{"pool", layout_pool(40)}, {"calls", one_call({33}, scattered(1))}});
  list.add(standard, "reversed_ids", {"table"}, "the last page first",
           {{"pool", layout_pool(9)}, {"calls", one_call({9}, ids("reversed"))}});
  list.add(standard, "repeated_ids", {"table"}, "pages shared by requests and within one",
           {{"pool", layout_pool(3)},
            {"calls", one_call({4, 3, 2}, listed({{2, 2, 0, 2}, {0, 1, 0}, {2, 1}}))}});
  list.add(standard, "num_pages_0_1_2_33", {"table"}, "requests of 0, 1, 2 and 33 pages",
           {{"pool", layout_pool(36)},
            {"table", {{"width", 40}, {"stride", 41}}},
            {"calls", one_call({0, 1, 2, 33, 0}, scattered(2))},
            {"output", {{"fill", "00"}}}});
  list.add(standard, "bound_above_num_pages", {"table"},
           "max_num_pages above every num_pages: what lies between is not gathered",
           {{"pool", layout_pool(6)},
            {"table", {{"width", 12}}},
            {"calls", one_call({1, 0, 3, 2}, scattered(3))},
            {"max_num_pages", 12},
            {"output", {{"spare_pages", 12}}}});
  list.add(standard, "valid_ids_beyond", {"table"},
           "entries beyond num_pages name real pages: one page too many shows in the output",
           {{"pool", layout_pool(8)},
            {"table", {{"width", 6}, {"beyond", "valid"}}},
            {"calls", one_call({2, 3, 1}, scattered(4))},
            {"max_num_pages", 5},
            {"output", {{"gap_pages", 4}, {"spare_pages", 4}}}});
  list.add(standard, "valid_ids_beyond_page_boundary", {"table"},
           "as many pages as max_num_pages, and a real page behind the last",
           {{"pool", layout_pool(6)},
            {"table", {{"width", 4}, {"beyond", "valid"}}},
            {"calls", one_call({2, 2}, ids("reversed"))},
            {"output", {{"gap_pages", 1}}}});
  for (const std::int64_t width : {8192, 8194}) {
    list.add(standard, fmt::format("table_width_{}", width), {"table"},
             "rows as wide as a million tokens need, with and without two spare columns",
             {{"pool", layout_pool(5)},
              {"table", {{"width", width}}},
              {"calls", one_call({3, 2, 4}, scattered(6))}});
  }
  list.add(standard, "table_row_stride", {"table"},
           "rows farther apart than they are wide, as in a table that was sliced",
           {{"pool", layout_pool(4)},
            {"table", {{"width", 4}, {"stride", 8194}}},
            {"calls", one_call({2, 2, 2}, listed({{3, 1}, {2, 0}, {1, 3}}))}});
  list.add(standard, "table_row_stride_0", {"table"}, "one row of the table for all requests",
           {{"pool", layout_pool(3)},
            {"table", {{"width", 3}, {"stride", 0}}},
            {"calls", one_call({3, 3, 3}, ids("reversed"))}});
  list.add(standard, "many_requests", {"table"}, "257 requests of one page or none", [] {
    json num_pages = json::array();
    for (int r = 0; r < 257; ++r) num_pages.push_back(r % 5 == 0 ? 0 : 1);
    return json{{"pool", layout_pool(7)},
                {"table", {{"width", 3}}},
                {"calls", one_call(num_pages, scattered(8))}};
  }());
  list.add(standard, "no_requests", {"table", "empty"}, "num_reqs is 0: returns at once",
           {{"pool", layout_pool(1)}, {"calls", one_call(json::array())}});
  list.add(standard, "no_pages", {"table", "empty"}, "max_num_pages is 0: returns at once",
           {{"pool", layout_pool(1)}, {"calls", one_call({0, 0})}});
  list.add(standard, "no_pages_under_a_bound", {"table", "empty"},
           "no request has pages, and max_num_pages is 5: every table entry is poison",
           {{"pool", layout_pool(1)},
            {"table", {{"width", 5}}},
            {"calls", one_call({0, 0, 0})},
            {"max_num_pages", 5}});
}

// What a kernel may not read, follow or assume.
void add_positions(CaseList& list, const PageOperation& operation) {
  list.add(standard, "single_request_at_an_offset", {"table", "output"},
           "one request whose first output page is not 0",
           {{"pool", layout_pool(3)},
            {"calls", one_call({2}, ids("reversed"))},
            {"output", {{"first_page", 4}, {"lead_pages", 2}}}});
  list.add(standard, "bound_past_table_width", {"table"},
           "max_num_pages above the width of the table: what a row does not have is not read",
           {{"pool", layout_pool(4)},
            {"table", {{"width", 3}}},
            {"calls", one_call({2, 3}, scattered(14))},
            {"max_num_pages", 9},
            {"output", {{"gap_pages", 1}, {"spare_pages", 8}}}});
  list.add(standard, "unstored_ids_beyond", {"table"},
           "entries beyond num_pages name pages that the pool has and nothing stores: following "
           "one is a fault",
           {{"pool", layout_pool(3, {{"first_id", 9}})},
            {"table", {{"width", 5}, {"beyond", "unstored"}}},
            {"calls", one_call({2, 1, 0}, scattered(15))},
            {"max_num_pages", 4}});
  // As many pages as fill memory pages of 4 KiB.
  std::int64_t pages = 1;
  while (pages * operation.layout().page_bytes() % 4096 != 0) pages *= 2;
  list.add(standard, "pool_between_edges", {"memory"},
           "a pool that begins and ends where memory does: a byte read in front of it is a fault",
           {{"pool", layout_pool(pages, {{"misalignment_bytes", 0}})},
            {"calls", one_call({pages, 1}, listed([&] {
                                 json all = json::array();
                                 for (std::int64_t page = pages; page > 0; --page)
                                   all.push_back(page - 1);
                                 return json{std::move(all), {0}};
                               }()))}});
}

void add_outputs(CaseList& list) {
  list.add(standard, "output_reversed", {"output"},
           "the last request's pages first, gaps between requests stay as they were",
           {{"pool", layout_pool(7)},
            {"calls", one_call({2, 0, 3, 1}, scattered(9))},
            {"output", {{"order", "reversed"}, {"gap_pages", 2}, {"spare_pages", 3}}}});
  list.add(standard, "output_offset", {"output"},
           "page_offsets that begin at page 5; the two pages before stay as they were",
           {{"pool", layout_pool(3)},
            {"calls", one_call({1, 2}, ids("reversed"))},
            {"output", {{"first_page", 5}, {"lead_pages", 2}}}});
}

// Large ids and output pages by a biased base: the tensor begins before its storage, so that a
// small buffer holds the pages around one large offset.
void add_offsets(CaseList& list, const PageOperation& operation) {
  const std::int64_t bytes = dense_block_bytes(operation);
  const auto around = [&](const std::string& id, std::int64_t page, std::int64_t stride,
                          const std::string& comment, Level level = standard) {
    list.add(level, id, {"offsets"}, comment,
             {{"pool", layout_pool(4, {{"first_id", page - 1}, {"stride_bytes", stride}})},
              {"calls", one_call({3, 1}, ids("reversed"))}});
  };
  around("id_past_2_15", 32768, bytes, "ids around 32,768");
  around("id_past_2_16", 65536, bytes, "ids around 65,536");
  around("pool_past_2_31", two_31 / bytes, bytes,
         fmt::format("ids around {}, the page that holds byte 2^31", two_31 / bytes));
  around("pool_past_2_32", two_32 / bytes, bytes,
         fmt::format("ids around {}, the page that holds byte 2^32", two_32 / bytes));
  around("pool_past_2_31_padded", two_31 / (bytes + 512), bytes + 512,
         "byte 2^31 in a pool of padded pages");
  around("pool_past_2_33", 2 * two_32 / bytes, bytes, "ids around the page that holds byte 2^33",
         full);
  around("id_past_2_24", 1 << 24, bytes, "ids that an f32 does not hold");
  around("largest_ids", two_31 - (1 << 20) - 4, bytes, "ids near 2^31");

  const std::int64_t output_page =
      std::int64_t{operation.pool().num_planes()} * operation.layout().page_elements() *
      static_cast<std::int64_t>(element_bytes(operation.dtypes().front()));
  for (const auto& [name, limit] :
       {std::pair{"output_past_2_31", two_31}, std::pair{"output_past_2_32", two_32}}) {
    list.add(standard, name, {"offsets", "output"},
             fmt::format("output pages around {}", limit / output_page),
             {{"pool", layout_pool(4)},
              {"calls", one_call({2, 2}, ids("reversed"))},
              {"output", {{"first_page", limit / output_page - 1}, {"lead_pages", 1}}}});
  }
  list.add(standard, "pool_and_output_past_2_32", {"offsets", "output"},
           "ids and output pages past byte 2^32 at once",
           {{"pool", layout_pool(4, {{"first_id", two_32 / bytes + 1}})},
            {"calls", one_call({1, 3}, scattered(11))},
            {"output", {{"first_page", two_32 / output_page + 7}, {"lead_pages", 2}}}});
}

void add_calls(CaseList& list) {
  list.add(standard, "second_call_other_table", {"calls"},
           "a second call on the same buffers with another table",
           {{"pool", layout_pool(6)},
            {"calls",
             {{{"num_pages", {2, 1}}, {"ids", listed({{0, 1}, {2}})}},
              {{"num_pages", {2, 1}}, {"ids", listed({{5, 3}, {4}})}}}}});
  list.add(standard, "second_call_shorter", {"calls"},
           "a second call with fewer pages: what the first one wrote further on is not repeated",
           {{"pool", layout_pool(6)},
            {"calls",
             {{{"num_pages", {3, 2}}, {"ids", listed({{0, 1, 2}, {3, 4}})}},
              {{"num_pages", {1, 0}}, {"ids", listed({{5}, json::array()})}}}}});
  list.add(standard, "second_call_longer", {"calls"}, "a second call with more pages",
           {{"pool", layout_pool(6)},
            {"calls",
             {{{"num_pages", {1, 0}}, {"ids", listed({{5}, json::array()})}},
              {{"num_pages", {3, 2}}, {"ids", listed({{0, 1, 2}, {3, 4}})}}}}});
  const auto same_again = [](int times) {
    json calls = json::array();
    for (int i = 0; i < times; ++i) {
      calls.push_back({{"num_pages", {40, 24}}, {"ids", scattered(12)}});
    }
    return json{{"pool", layout_pool(64)}, {"calls", std::move(calls)}};
  };
  list.add(standard, "same_call_again", {"calls", "races"},
           "64 pages gathered 8 times: a race shows as bytes that differ", same_again(8));
  list.add(full, "same_call_again_50", {"calls", "races"}, "64 pages gathered 50 times",
           same_again(50));
}

void add_volume(CaseList& list, const PageOperation& operation, std::uint64_t seed) {
  const std::int64_t bytes = dense_block_bytes(operation);
  for (std::uint64_t i = 0; i < 24; ++i) {
    list.add(full, fmt::format("random_values_{:02}", i), {"values", "random"},
             "random pages from the run's seed",
             {{"pool", random_pool(8, i % 3 == 0 ? "uniform" : "edges", mix64(seed, i) >> 1)},
              {"calls", one_call({3, 5}, scattered(mix64(seed, i) >> 1))}});
  }
  for (std::uint64_t i = 0; i < 40; ++i) {
    list.add(full, fmt::format("random_call_{:02}", i), {"random"},
             "a random call from the run's seed, as `fuzz` makes them",
             random_page_spec(operation, mix64(seed, 1000 + i) >> 1));
  }
  const Level volume = operation.volume_at_full ? full : exhaustive;
  list.add(volume, "output_volume", {"volume", "output"},
           "131,216 output pages of two requests in real memory: the last ones lie past byte 2^31",
           {{"pool", layout_pool(64)},
            {"calls", one_call({65608, 65608}, {{"pattern", "repeated"}, {"period", 61}})}});
  const std::int64_t pages = two_32 / bytes + 66;
  list.add(volume, "pool_volume", {"volume"},
           "a pool in real memory that ends past byte 2^32, read at its ends and where 2^31 and "
           "2^32 fall",
           {{"pool", {{"pages", pages}, {"contents", {{"kind", "layout"}, {"only_named", true}}}}},
            {"calls", one_call({7}, listed({{pages - 1, two_32 / bytes, two_32 / bytes - 1,
                                             two_31 / bytes + 1, two_31 / bytes, 1, 0}}))}});
  for (std::uint64_t i = 0; i < 256; ++i) {
    list.add(exhaustive, fmt::format("exhaustive_random_call_{:03}", i), {"random"},
             "a random call from the run's seed, as `fuzz` makes them",
             random_page_spec(operation, mix64(seed, 5000 + i) >> 1));
  }
  list.add(exhaustive, "full_width", {"volume", "table"},
           "8192 pages of one request, scattered over as many",
           {{"pool", layout_pool(8192)}, {"calls", one_call({8192}, scattered(13))}});
}

}  // namespace

std::vector<Case> page_cases(const PageOperation& operation, Level level, std::uint64_t seed) {
  CaseList list(operation.name(), level, [&](const json& spec) {
    const Result<PageSpec> read = page_spec_from_json(operation, spec);
    return read ? problem_bytes(operation, *read) : 0;
  });
  if (!operation.has_table()) {
    add_decode_cases(list, operation, seed);
    add_page_extents(list, operation);
    return list.take();
  }
  add_values(list, operation);
  add_layout(list, operation);
  add_tables(list);
  add_strides(list, operation);
  add_outputs(list);
  add_positions(list, operation);
  add_offsets(list, operation);
  add_calls(list);
  add_volume(list, operation, seed);
  if (operation.has_heads()) add_typed_gather_cases(list, operation);
  add_page_extents(list, operation);
  return list.take();
}

}  // namespace harness
