#include "harness/suite/operations/typed_page_cases.hpp"

#include <fmt/format.h>

#include <string>

#include "harness/suite/operations/page_case_parts.hpp"
#include "harness/suite/operations/page_cases.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {
namespace {

using namespace case_parts;
using enum Level;

// "f32", as ids of cases spell it.
std::string_view word_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "f32";
    case DType::bf16:
      return "bf16";
    case DType::f16:
      return "f16";
    default:
      return "e4m3";
  }
}

// Every scale byte in turn over codes of 1.0, and in the second half of the tokens over codes of
// -6: each output is a scale, or what is left of one that overflows. Of a pool with planes, in
// each.
json all_scales_pool(const PageOperation& operation) {
  const oracle::PageLayout& layout = operation.layout();
  std::string bytes;
  for (int slot = 0; slot < layout.scale_section_bytes(); ++slot) {
    bytes += fmt::format("{:02x}", slot % 256);
  }
  const std::string large(static_cast<std::size_t>(layout.code_section_bytes()), 'f');
  json pokes = json::array();
  for (int plane = 0; plane < operation.pool().num_planes(); ++plane) {
    const std::int64_t page = std::int64_t{plane} * layout.page_bytes();
    pokes.push_back(
        {{"page", 0}, {"byte", page + layout.scale_section_offset()}, {"bytes", bytes}});
    pokes.push_back(
        {{"page", 0}, {"byte", page + layout.code_section_bytes() / 2}, {"bytes", large}});
  }
  return {{"pages", 1}, {"contents", {{"kind", "probe"}, {"pokes", std::move(pokes)}}}};
}

struct HeadShape {
  std::string id;
  std::string comment;
  json pool;  // beside pages and contents
};

// Pools with and without heads, of 4 pages at most.
std::vector<HeadShape> head_shapes(const PageOperation& operation) {
  const std::int64_t bytes = operation.layout().page_bytes();
  const std::int64_t planes = operation.pool().num_planes();
  std::vector<HeadShape> shapes;
  if (operation.pool().heads == oracle::HeadAxis::optional) {
    shapes = {{"no_head_axis", fmt::format("a pool [pages, {}]", bytes), {{"heads", 0}}},
              {"no_head_axis_padded",
               fmt::format("a pool [pages, {}] with 24 bytes between pages", bytes),
               {{"heads", 0}, {"stride_bytes", bytes + 24}}}};
  }
  const std::int64_t apart = bytes + 8;
  const std::int64_t row = planes * bytes + 16;
  shapes.insert(
      shapes.end(),
      {{"heads_2", "two heads, dense", {{"heads", 2}}},
       {"heads_3_padded",
        fmt::format("three heads {} bytes apart, and 40 bytes more between pages", apart),
        {{"heads", 3}, {"head_stride_bytes", apart}, {"stride_bytes", 3 * planes * apart + 40}}},
       {"heads_8",
        "eight heads: as many as a page read with its axes confused has tokens",
        {{"heads", 8}}},
       {"heads_outermost",
        "all pages of a head before those of the next one",
        {{"heads", 3}, {"head_stride_bytes", 4 * row + 8}, {"stride_bytes", row}}}});
  if (bytes < 9216) {
    shapes.push_back({"heads_16_in_rows_of_9216",
                      "sixteen heads 9216 bytes apart, as NVFP4 pages are",
                      {{"heads", 16}, {"head_stride_bytes", 9216}}});
  }
  if (planes == 1) return shapes;
  for (HeadShape& shape : shapes) {
    if (shape.id == "heads_outermost") shape.pool["plane_stride_bytes"] = bytes;
  }
  shapes.push_back(
      {"planes_of_each_head",
       fmt::format("a pool [pages, heads, 2, {}]", bytes),
       {{"heads", 3}, {"head_stride_bytes", 2 * bytes}, {"plane_stride_bytes", bytes}}});
  shapes.push_back({"planes_of_each_head_padded",
                    "the same with bytes between planes, heads and pages",
                    {{"heads", 2},
                     {"head_stride_bytes", 2 * apart + 16},
                     {"plane_stride_bytes", apart},
                     {"stride_bytes", 4 * apart + 72}}});
  shapes.push_back({"planes_padded",
                    "three heads, dense, and 64 bytes between the planes",
                    {{"heads", 3}, {"plane_stride_bytes", 3 * bytes + 64}}});
  return shapes;
}

void add_gather_values(CaseList& list, const PageOperation& operation, DType dtype, bool first) {
  const std::string_view word = word_of(dtype);
  const json output{{"dtype", name_of(dtype)}};
  const std::int64_t block = operation.pool().num_planes() * operation.layout().page_bytes();
  list.add(standard, fmt::format("all_scales_{}", word), {"values"},
           "every scale byte times 1 and times -6",
           {{"pool", all_scales_pool(operation)}, {"calls", one_call({1})}, {"output", output}});
  if (first) return;
  const std::int64_t all_places = pages_of_all_places(operation.layout());
  list.add(smoke, fmt::format("exhaustive_page_{}", word), {"values"},
           "all 16 x 256 pairs of code and scale in one page",
           {{"pool", exhaustive_pool(1)}, {"calls", one_call({1})}, {"output", output}});
  list.add(standard, fmt::format("exhaustive_places_{}", word), {"values"},
           "all 16 x 256 pairs at every place of a scale block",
           {{"pool", exhaustive_pool(all_places)},
            {"calls", one_call({all_places})},
            {"output", output}});
  list.add(standard, fmt::format("edge_values_{}", word), {"values", "random"},
           "random codes under scales that favour the ends of the range",
           {{"pool", random_pool(3, "edges", 200)},
            {"calls", one_call({3}, ids("reversed"))},
            {"output", output}});
  list.add(standard, fmt::format("layout_page_{}", word), {"layout"},
           "one page of which every byte tells where it came from",
           {{"pool", layout_pool(1)}, {"calls", one_call({1})}, {"output", output}});
  list.add(standard, fmt::format("two_requests_{}", word), {"table"},
           "pages out of order, gaps between the requests, output filled with ff",
           {{"pool", layout_pool(4, {{"stride_bytes", block + 8}})},
            {"table", {{"width", 4}, {"stride", 6}}},
            {"calls", one_call({2, 1}, listed({{3, 0}, {2}}))},
            {"output",
             {{"dtype", name_of(dtype)},
              {"fill", "ff"},
              {"gap_pages", 1},
              {"misalignment_bytes", 16}}}});
}

// Where bytes, and elements, of the output pass 2^31 and 2^32.
void add_gather_offsets(CaseList& list, const PageOperation& operation, DType dtype, bool first) {
  const std::string_view word = word_of(dtype);
  const std::int64_t elements = operation.pool().num_planes() * operation.layout().page_elements();
  const std::int64_t bytes = elements * static_cast<std::int64_t>(element_bytes(dtype));
  const auto around = [&](const std::string& id, std::int64_t page, const char* what) {
    list.add(
        standard, id, {"offsets", "output"},
        fmt::format("output pages around {}, where {} begins", page, what),
        {{"pool", layout_pool(4)},
         {"calls", one_call({2, 2}, ids("reversed"))},
         {"output", {{"dtype", name_of(dtype)}, {"first_page", page - 1}, {"lead_pages", 1}}}});
  };
  if (!first) {
    around(fmt::format("output_past_2_31_{}", word), two_31 / bytes, "byte 2^31");
    around(fmt::format("output_past_2_32_{}", word), two_32 / bytes, "byte 2^32");
    around(fmt::format("output_elements_past_2_31_{}", word), two_31 / elements, "element 2^31");
  }
  const std::int64_t all_heads = 3 * bytes;
  list.add(
      standard, fmt::format("heads_output_past_2_31_{}", word), {"offsets", "output", "heads"},
      fmt::format("output pages of three heads around {}, in which byte 2^31 falls",
                  two_31 / all_heads),
      {{"pool", layout_pool(3, {{"heads", 3}})},
       {"calls", one_call({2, 1}, ids("reversed"))},
       {"output",
        {{"dtype", name_of(dtype)}, {"first_page", two_31 / all_heads - 1}, {"lead_pages", 1}}}});
}

void add_gather_heads(CaseList& list, const PageOperation& operation) {
  for (const HeadShape& shape : head_shapes(operation)) {
    list.add(standard, shape.id, {"heads", "strides"}, shape.comment,
             {{"pool", layout_pool(4, shape.pool)},
              {"table", {{"width", 5}}},
              {"calls", one_call({2, 0, 1}, listed({{3, 1}, json::array(), {2}}))},
              {"max_num_pages", 3},
              {"output", {{"gap_pages", 1}}}});
  }
  for (const auto& [name, limit] :
       {std::pair{"heads_pool_past_2_31", two_31}, std::pair{"heads_pool_past_2_32", two_32}}) {
    const std::int64_t apart = operation.layout().page_bytes() + 8;
    const std::int64_t stride = 3 * operation.pool().num_planes() * apart + 8;
    list.add(
        standard, name, {"heads", "offsets"},
        fmt::format("three heads, and ids around {}, in which the limit falls", limit / stride),
        {{"pool", layout_pool(3, {{"heads", 3},
                                  {"head_stride_bytes", apart},
                                  {"stride_bytes", stride},
                                  {"first_id", limit / stride - 1}})},
         {"calls", one_call({2, 1}, ids("reversed"))}});
  }
}

}  // namespace

void add_typed_gather_cases(CaseList& list, const PageOperation& operation) {
  for (const DType dtype : operation.dtypes()) {
    const bool first = dtype == operation.dtypes().front();
    add_gather_values(list, operation, dtype, first);
    add_gather_offsets(list, operation, dtype, first);
  }
  add_gather_heads(list, operation);
}

namespace {

void add_decode_values(CaseList& list, const PageOperation& operation, DType dtype) {
  const std::int64_t apart = operation.layout().page_bytes() + 8;
  const std::string_view word = word_of(dtype);
  const json output{{"dtype", name_of(dtype)}};
  list.add(smoke, fmt::format("exhaustive_page_{}", word), {"values"},
           "all 16 x 256 pairs of code and scale in one page",
           {{"pool", exhaustive_pool(1)}, {"output", output}});
  list.add(
      standard, fmt::format("exhaustive_places_{}", word), {"values"},
      "all 16 x 256 pairs at every place of a scale block",
      {{"pool", exhaustive_pool(pages_of_all_places(operation.layout()))}, {"output", output}});
  list.add(standard, fmt::format("all_scales_{}", word), {"values"},
           "every scale byte times 1 and times -6",
           {{"pool", all_scales_pool(operation)}, {"output", output}});
  list.add(standard, fmt::format("edge_values_{}", word), {"values", "random"},
           "random codes under scales that favour the ends of the range",
           {{"pool", random_pool(3, "edges", 300)}, {"output", output}});
  list.add(standard, fmt::format("layout_page_{}", word), {"layout"},
           "one page of which every byte tells where it came from, by scales that keep all "
           "magnitudes apart",
           {{"pool", layout_pool(1)}, {"output", output}});
  for (const std::string_view fill : {"00", "7f", "ff"}) {
    list.add(
        standard, fmt::format("exhaustive_fill_{}_{}", fill, word), {"values", "memory"},
        fmt::format("all pairs into an output filled with {}", fill),
        {{"pool", exhaustive_pool(1)}, {"output", {{"dtype", name_of(dtype)}, {"fill", fill}}}});
  }
  list.add(standard, fmt::format("heads_{}", word), {"heads", "strides"},
           "three heads and three pages, with bytes between both",
           {{"pool", layout_pool(3, {{"heads", 3},
                                     {"head_stride_bytes", apart},
                                     {"stride_bytes", 3 * apart + 48}})},
            {"output", {{"dtype", name_of(dtype)}, {"misalignment_bytes", 16}}}});
}

void add_decode_strides(CaseList& list, const PageOperation& operation) {
  const std::int64_t page_bytes = operation.layout().page_bytes();
  for (const HeadShape& shape : head_shapes(operation)) {
    list.add(standard, shape.id, {"heads", "strides"}, shape.comment,
             {{"pool", layout_pool(4, shape.pool)}});
  }
  for (const std::int64_t more : {8, 16, 128, 512}) {
    list.add(standard, fmt::format("page_stride_{}", page_bytes + more), {"strides"},
             fmt::format("{} bytes between pages that are not theirs", more),
             {{"pool", layout_pool(5, {{"stride_bytes", page_bytes + more}})}});
  }
  for (const std::int64_t base : {8, 16, 64, 128}) {
    list.add(standard, fmt::format("base_offset_{}", base), {"strides"},
             fmt::format("a pool that begins {} bytes after a multiple of 256", base),
             {{"pool", layout_pool(2, {{"misalignment_bytes", base}})},
              {"output", {{"misalignment_bytes", base == 8 ? 16 : base}}}});
  }
}

}  // namespace

void add_decode_cases(CaseList& list, const PageOperation& operation, std::uint64_t seed) {
  for (const DType dtype : operation.dtypes()) add_decode_values(list, operation, dtype);
  list.add(smoke, "probe_pages", {"layout"},
           "pages of 1.0 in which one byte differs: codes 0, 1, 16, 64 and scales 0, 1, 4, 8",
           {{"pool", probe_pool(operation.layout())}});
  list.add(standard, "everyday_values", {"values", "random"},
           "random codes under scales as a writer stores them for ordinary values",
           {{"pool", random_pool(4, "everyday", 7)}});
  add_decode_strides(list, operation);
  list.add(standard, "many_pages", {"volume"}, "300 pages", {{"pool", layout_pool(300)}});
  list.add(standard, "no_pages", {"empty"}, "a pool without pages: nothing to do",
           {{"pool", layout_pool(0)}});
  for (std::uint64_t i = 0; i < 40; ++i) {
    list.add(full, fmt::format("random_call_{:02}", i), {"random"},
             "a random call from the run's seed, as `fuzz` makes them",
             random_page_spec(operation, mix64(seed, 1000 + i) >> 1));
  }
  constexpr std::int64_t far_apart = (std::int64_t{1} << 24) - 8;
  list.add(exhaustive, "pool_volume", {"volume", "strides"},
           "258 pages almost 16 MiB apart: the last ones lie past byte 2^32",
           {{"pool", layout_pool(258, {{"stride_bytes", far_apart}})}});
  list.add(full, "output_volume", {"volume", "output"},
           "32,800 pages into f32: the last ones lie past byte 2^31 of the output",
           {{"pool", layout_pool(32'800)}, {"output", {{"dtype", "F32"}}}});
  for (std::uint64_t i = 0; i < 256; ++i) {
    list.add(exhaustive, fmt::format("exhaustive_random_call_{:03}", i), {"random"},
             "a random call from the run's seed, as `fuzz` makes them",
             random_page_spec(operation, mix64(seed, 5000 + i) >> 1));
  }
}

}  // namespace harness
