#include "harness/suite/operations/page_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/oracle_views.hpp"
#include "harness/suite/operations/page_contract.hpp"
#include "harness/suite/operations/value_bins.hpp"

namespace harness {
namespace {

constexpr std::int64_t two_31 = std::int64_t{1} << 31;
constexpr std::int64_t two_32 = std::int64_t{1} << 32;

std::string numbered(std::string_view name, int number) {
  return std::string(name) + std::to_string(number);
}

// What value bins of a destination begin with: nothing where there is one.
std::string bins_into(const PageOperation& operation, oracle::Dtype destination) {
  return operation.dtypes().size() == 1 ? ""
                                        : fmt::format("into/{}/", oracle::name_of(destination));
}

// Elements of the pages that are decoded, each page once however often it is named.
void cover_elements(const PageOperation& operation, const Problem& problem, const PagePlan& plan,
                    Coverage& coverage) {
  const Tensor& pool = *problem.find(operation.pool().name);
  std::set<std::int64_t> sources;
  PairCounts counts{};
  for (const oracle::PageMove& move : plan.moves) {
    if (!sources.insert(move.source_bytes).second) continue;
    const oracle::PageLayout& layout = plan.layout(move.plane);
    const std::uint8_t* page =
        pool.storage.data() + static_cast<std::size_t>(pool.origin_bytes + move.source_bytes);
    for (int token = 0; token < layout.num_tokens; ++token) {
      for (int group = 0; group < layout.groups_per_token(); ++group) {
        const std::uint8_t scale = layout.scale(page, token, group);
        for (int place = 0; place < layout.scale_block_size; ++place) {
          const std::uint8_t code =
              layout.code(page, token, group * layout.scale_block_size + place);
          coverage.add_element(code, scale, static_cast<unsigned>(place));
          ++counts[std::size_t{scale} * 16 + code];
        }
      }
    }
  }
  const oracle::PageLayout& layout = plan.layout();
  const std::string into = bins_into(operation, plan.destination);
  cover_values(counts, layout.scale_format, plan.destination, into, coverage);
  const bool all = std::all_of(counts.begin(), counts.end(), [](auto count) { return count != 0; });
  if (all && !into.empty()) {
    coverage.add(into + "all_pairs_in_a_call");
  }
  // Every page has every token and every group.
  const std::uint64_t pages = sources.size();
  for (int token = 0; token < layout.num_tokens; ++token) {
    coverage.add(numbered("token/", token), pages);
  }
  for (int group = 0; group < layout.groups_per_token(); ++group) {
    coverage.add(numbered("group/", group), pages);
  }
}

// How the call is made: what its table, strides, offsets and outputs are like.
void cover_call(const PageOperation& operation, const Problem& problem, const PagePlan& plan,
                Coverage& coverage) {
  const auto note = [&](bool holds, const char* bin) {
    if (holds) coverage.add(bin);
  };
  const Tensor& pool = *problem.find(operation.pool().name);
  const Tensor& out = *problem.find("out");
  const std::int64_t page_bytes = plan.layout().page_bytes();
  const std::int64_t decoded_bytes = oracle::decoded_page_bytes(plan.layout(), plan.destination);
  std::map<std::int64_t, int> uses;
  bool unordered = false;
  std::int64_t last_id = -1;
  std::int64_t source_end = 0;
  std::int64_t written_end = 0;
  for (const oracle::PageMove& move : plan.moves) {
    if (move.plane == 0 && move.head == 0) {
      ++uses[move.page_id];
      unordered = unordered || move.page_id < last_id;
      last_id = move.page_id;
    }
    source_end = std::max(source_end, move.source_bytes + page_bytes);
    written_end = std::max(written_end, move.destination_bytes + decoded_bytes);
  }
  note(std::any_of(uses.begin(), uses.end(), [](const auto& use) { return use.second > 1; }),
       "table/repeated_id");
  note(unordered, "table/unordered_ids");
  note(source_end > two_31, "pool/past_2_31");
  note(source_end > two_32, "pool/past_2_32");
  note(written_end > two_31, "output/past_2_31");
  note(written_end > two_32, "output/past_2_32");
  const std::int64_t planes = operation.pool().num_planes();
  const bool has_head_axis = operation.has_heads() && out.shape.size() == (planes > 1 ? 5U : 4U);
  const std::size_t head_axis = planes > 1 ? 2 : 1;
  const std::int64_t heads = has_head_axis ? pool.shape[head_axis] : 1;
  note(pool.strides[0] > page_bytes * planes * heads, "pool/padded_stride");
  if (operation.has_heads()) {
    note(!has_head_axis, "heads/no_axis");
    note(has_head_axis && heads == 1, "heads/one");
    note(heads > 1, "heads/several");
    note(heads > 1 && pool.strides[head_axis] > page_bytes, "heads/padded_stride");
    note(heads > 1 && pool.strides[head_axis] > pool.strides[0], "heads/outermost");
    if (planes > 1) {
      note(heads > 1 && pool.strides[1] > pool.strides[2], "planes/of_all_heads");
      note(heads > 1 && pool.strides[1] < pool.strides[2], "planes/of_each_head");
    }
  }
  note(static_cast<std::int64_t>(out.storage.size()) >
           static_cast<std::int64_t>(plan.moves.size()) * decoded_bytes,
       "output/untouched_pages");
  note(plan.moves.empty(), "call/nothing_to_do");
  note(pool.misalignment_bytes == 0 && !pool.storage.empty() && pool.storage.size() % 4096 == 0,
       "pool/between_edges");
}

// The extents of the lattice that a call has.
void cover_extents_of(const PageOperation& operation, const Problem& problem, const PagePlan& plan,
                      Coverage& coverage) {
  if (plan.moves.empty()) return;
  const Tensor& pool = *problem.find(operation.pool().name);
  // Behind the axis of pages come those of planes and of heads, where a pool has them.
  const std::int64_t planes = operation.pool().num_planes();
  const std::size_t outer =
      pool.shape.size() - static_cast<std::size_t>(operation.pool().num_inner_axes());
  const bool has_head_axis = outer == (planes > 1 ? 3U : 2U);
  const std::int64_t heads = has_head_axis ? pool.shape[outer - 1] : 1;
  const std::int64_t moved = static_cast<std::int64_t>(plan.moves.size()) / planes;
  std::vector<Measured> values{{Measure::heads, heads},
                               {Measure::pages, moved / heads},
                               {Measure::pairs, heads > 1 ? moved : 0}};
  std::int64_t source_end = 0;
  std::int64_t written_end = 0;
  std::int64_t largest_id = 0;
  for (const oracle::PageMove& move : plan.moves) {
    largest_id = std::max(largest_id, move.page_id);
    source_end = std::max(source_end, move.source_bytes + plan.layout().page_bytes());
    written_end =
        std::max(written_end, move.destination_bytes +
                                  oracle::decoded_page_bytes(plan.layout(), plan.destination));
  }
  values.push_back({Measure::pool_bytes, source_end});
  values.push_back({Measure::output_bytes, written_end});
  // A stride is one that takes a page other than the first.
  if (largest_id > 0) values.push_back({Measure::page_stride, pool.strides[0]});
  if (planes > 1) values.push_back({Measure::plane_stride, pool.strides[1]});
  if (heads > 1) values.push_back({Measure::head_stride, pool.strides[outer - 1]});
  if (operation.has_table()) {
    const Tensor& table = *problem.find("block_table");
    std::int64_t last_row = 0;
    std::int64_t most_pages = 0;
    std::int64_t last_offset = 0;
    for (const oracle::PageMove& move : plan.moves) {
      last_row = std::max(last_row, move.request);
      most_pages = std::max(most_pages, move.logical_page + 1);
      last_offset = std::max(last_offset, move.output_page - move.logical_page);
    }
    const std::int64_t bound = problem.scalars.at("max_num_pages");
    values.insert(values.end(), {{Measure::requests, last_row + 1},
                                 {Measure::request_pages, most_pages},
                                 {Measure::table_width, table.shape[1]},
                                 {Measure::table_stride, last_row > 0 ? table.strides[0] : 0},
                                 {Measure::table_bytes, last_row * table.strides[0] * 4},
                                 {Measure::bound, bound},
                                 {Measure::blocks, table.shape[0] > 1 ? table.shape[0] * bound : 0},
                                 {Measure::page_id, largest_id},
                                 {Measure::output_page, last_offset}});
  }
  cover_extents(operation.name(), values, coverage);
}

void cover_table(const Problem& problem, const PagePlan& plan, Coverage& coverage) {
  const Tensor& table = *problem.find("block_table");
  const Tensor& num_pages = *problem.find("num_pages");
  const std::int64_t bound = problem.scalars.at("max_num_pages");
  const auto entry = [](const Tensor& tensor, std::int64_t index) {
    std::int32_t value = 0;
    std::memcpy(&value, tensor.storage.data() + index * 4, 4);
    return value;
  };
  const Tensor& pool = problem.tensors.front();
  const std::int64_t first_stored = -pool.origin_bytes / pool.strides[0];
  if (table.shape[0] == 0) coverage.add("requests/none");
  if (bound > table.shape[1]) coverage.add("requests/bound_past_table_width");
  if (table.shape[0] == 1 && !plan.moves.empty() && plan.moves.front().output_page > 0) {
    coverage.add("requests/one_at_an_offset");
  }
  if (table.shape[0] > 1) coverage.add("requests/several");
  if (table.shape[0] > 1 && table.strides[0] > table.shape[1]) coverage.add("table/padded_rows");
  for (std::int64_t r = 0; r < table.shape[0]; ++r) {
    const std::int32_t pages = entry(num_pages, r);
    if (pages == 0) coverage.add("requests/no_pages");
    if (pages < bound) coverage.add("requests/fewer_than_bound");
    for (std::int64_t p = pages; p < table.shape[1]; ++p) {
      const std::int32_t id = entry(table, r * table.strides[0] + p);
      if (id < 0) coverage.add("table/negative_beyond");
      if (id == INT32_MAX) coverage.add("table/huge_beyond");
      if (id >= 0 && id != INT32_MAX) coverage.add("table/page_beyond");
      if (id >= 0 && id < first_stored) coverage.add("table/unstored_beyond");
      if (p > pages + 2) break;  // poison goes on as it began
    }
  }
  for (const oracle::PageMove& move : plan.moves) {
    if (move.page_id != move.logical_page) {
      coverage.add("table/id_is_not_logical_page");
      break;
    }
  }
}

}  // namespace

void cover_pages(const PageOperation& operation, const Problem& problem, Coverage& coverage) {
  const auto plan = plan_pages(operation, problem, oracle::profiles::ocp());
  if (!plan) return;  // an illegal problem exercises nothing
  cover_elements(operation, problem, *plan, coverage);
  cover_call(operation, problem, *plan, coverage);
  cover_extents_of(operation, problem, *plan, coverage);
  if (operation.has_table()) cover_table(problem, *plan, coverage);
}

std::vector<std::string> required_page_bins(const PageOperation& operation) {
  const oracle::PageLayout& layout = operation.layout();
  std::vector<std::string> bins{"pairs"};
  for (int place = 0; place < layout.scale_block_size; ++place) {
    bins.push_back(fmt::format("pairs/place{}", place));
  }
  for (int token = 0; token < layout.num_tokens; ++token) {
    bins.push_back(fmt::format("token/{}", token));
  }
  for (int group = 0; group < layout.groups_per_token(); ++group) {
    bins.push_back(fmt::format("group/{}", group));
  }
  std::set<std::string> values;
  for (const DType dtype : operation.dtypes()) {
    const std::string into = bins_into(operation, dtype);
    for (const std::string& bin : value_bins(layout.scale_format, dtype)) {
      values.insert(into + bin);
    }
    if (!into.empty()) values.insert(into + "all_pairs_in_a_call");
  }
  bins.insert(bins.end(), values.begin(), values.end());
  for (const char* bin : {"pool/padded_stride", "output/untouched_pages", "call/nothing_to_do"}) {
    bins.emplace_back(bin);
  }
  if (operation.has_heads()) {
    for (const char* bin :
         {"heads/one", "heads/several", "heads/padded_stride", "heads/outermost"}) {
      bins.emplace_back(bin);
    }
    if (operation.pool().heads == oracle::HeadAxis::optional) bins.emplace_back("heads/no_axis");
  }
  if (operation.pool().num_planes() > 1) {
    bins.emplace_back("planes/of_all_heads");
    bins.emplace_back("planes/of_each_head");
  }
  if (operation.has_table()) {
    // Without a table a large offset takes as much memory; what has less skips those cases.
    for (const char* bin :
         {"pool/past_2_31", "pool/past_2_32", "output/past_2_31", "output/past_2_32"}) {
      bins.emplace_back(bin);
    }
    for (const char* bin :
         {"requests/none", "requests/several", "requests/no_pages", "requests/fewer_than_bound",
          "table/repeated_id", "table/unordered_ids", "table/id_is_not_logical_page",
          "table/padded_rows", "table/negative_beyond", "table/huge_beyond", "table/page_beyond",
          "table/unstored_beyond", "requests/bound_past_table_width", "requests/one_at_an_offset",
          "pool/between_edges"}) {
      bins.emplace_back(bin);
    }
  }
  for (std::string& bin : extent_bins(operation.name())) bins.push_back(std::move(bin));
  return bins;
}

}  // namespace harness
