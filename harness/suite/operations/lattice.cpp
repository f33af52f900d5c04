#include "harness/suite/operations/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "harness/suite/operations/random.hpp"

namespace harness {
namespace lattice {

using enum Level;

// Counts, and what is counted by them. 256 passes 255 too, and 65,536 the 65,535 of a grid.
constexpr std::array<Boundary, 7> cheap_counts{{{32, 33, standard},
                                                {64, 66, standard},
                                                {128, 131, standard},
                                                {256, 260, standard},
                                                {512, 517, standard},
                                                {1024, 1030, standard},
                                                {65536, 65543, standard}}};
// Of pages, which take 25 KiB or more each: a gigabyte at last.
constexpr std::array<Boundary, 7> page_counts{{{32, 33, standard},
                                               {64, 66, standard},
                                               {128, 131, standard},
                                               {256, 260, standard},
                                               {512, 517, standard},
                                               {1024, 1030, standard},
                                               {65536, 65608, full, "output_volume"}}};
// Where each is read in several ways, or has heads and planes.
constexpr std::array<Boundary, 7> many_page_counts{{{32, 33, standard},
                                                    {64, 66, standard},
                                                    {128, 131, standard},
                                                    {256, 260, standard},
                                                    {512, 517, full},
                                                    {1024, 1030, full},
                                                    {65536, 65543, exhaustive}}};
constexpr std::array<Boundary, 8> word_counts{{{32, 33, standard},
                                               {64, 66, standard},
                                               {128, 131, standard},
                                               {256, 260, standard},
                                               {512, 517, standard},
                                               {1024, 1030, standard},
                                               {65536, 65543, standard},
                                               {1048576, 1048581, full}}};
// Page ids and output pages: a biased base stores just the pages around one.
constexpr std::array<Boundary, 10> ids{{{32, 33, standard},
                                        {64, 66, standard},
                                        {128, 131, standard},
                                        {256, 260, standard},
                                        {512, 517, standard},
                                        {1024, 1030, standard},
                                        {32768, 32771, standard},
                                        {65536, 65543, standard},
                                        {1048576, 1048581, standard},
                                        {16777216, 16777219, standard}}};

constexpr std::int64_t kib_64 = std::int64_t{1} << 16;
constexpr std::int64_t mib_16 = std::int64_t{1} << 24;
constexpr std::int64_t gib_2 = std::int64_t{1} << 31;
constexpr std::int64_t gib_4 = std::int64_t{1} << 32;

// Bytes, multiples of 8 as strides are. With one stored page any stride is cheap.
constexpr std::array<Boundary, 4> cheap_strides{{{kib_64, kib_64 + 8, standard},
                                                 {mib_16, mib_16 + 24, standard},
                                                 {gib_2, gib_2 + 40, standard},
                                                 {gib_4, gib_4 + 56, standard}}};
// What lies between is stored: zeros that take no memory of the host, and gigabytes of a device.
constexpr std::array<Boundary, 4> stored_strides{{{kib_64, kib_64 + 8, standard},
                                                  {mib_16, mib_16 + 24, full},
                                                  {gib_2, gib_2 + 40, exhaustive},
                                                  {gib_4, gib_4 + 56, exhaustive}}};
// The same where nothing else takes an operation past 2^31.
constexpr std::array<Boundary, 4> only_strides{{{kib_64, kib_64 + 8, standard},
                                                {mib_16, mib_16 + 24, full},
                                                {gib_2, gib_2 + 40, full},
                                                {gib_4, gib_4 + 56, exhaustive}}};
constexpr std::array<Boundary, 2> cheap_bytes{
    {{gib_2, gib_2 + 8, standard}, {gib_4, gib_4 + 8, standard}}};
constexpr std::array<Boundary, 2> stored_bytes{
    {{gib_2, gib_2 + 8, exhaustive}, {gib_4, gib_4 + 8, exhaustive}}};
constexpr std::array<Boundary, 2> only_bytes{
    {{gib_2, gib_2 + 8, full}, {gib_4, gib_4 + 8, exhaustive}}};
constexpr std::array<Boundary, 1> output_volume{{{gib_2, gib_2 + 8, exhaustive}}};
// Outputs that lie apart are stored with what is between, on the host too.
constexpr std::array<Boundary, 3> written_strides{
    {{kib_64, kib_64 + 8, standard}, {mib_16, mib_16 + 24, full}, {gib_2, gib_2 + 40, exhaustive}}};
// Products: 35 x 31, 257 x 257, 260 x 260.
constexpr std::array<Boundary, 2> pairs_of_counts{{{1024, 1085, full}, {65536, 66049, exhaustive}}};
constexpr std::array<Boundary, 1> pairs_of_blocks{{{65536, 67600, full}}};

constexpr LatticeAxis requests{Measure::requests, "requests", cheap_counts};
constexpr LatticeAxis heads{Measure::heads, "heads", many_page_counts};
constexpr LatticeAxis pairs{Measure::pairs, "heads_x_pages", pairs_of_counts};
constexpr LatticeAxis table_width{Measure::table_width, "table_width", cheap_counts};
constexpr LatticeAxis table_stride{Measure::table_stride, "table_stride", cheap_counts};
constexpr LatticeAxis table_bytes{Measure::table_bytes, "table_bytes", stored_bytes};
constexpr LatticeAxis bound{Measure::bound, "max_num_pages", cheap_counts};
constexpr LatticeAxis blocks{Measure::blocks, "requests_x_max_num_pages", pairs_of_blocks};
constexpr LatticeAxis page_id{Measure::page_id, "page_id", ids};
constexpr LatticeAxis output_page{Measure::output_page, "page_offsets", ids};
constexpr LatticeAxis page_stride{Measure::page_stride, "page_stride", cheap_strides};
constexpr LatticeAxis head_stride{Measure::head_stride, "head_stride", stored_strides};
constexpr LatticeAxis pool_bytes{Measure::pool_bytes, "pool_bytes", cheap_bytes};
constexpr LatticeAxis output_bytes{Measure::output_bytes, "output_bytes", cheap_bytes};
constexpr LatticeAxis words{Measure::words, "words", word_counts};

constexpr std::array nvfp4_gather_axes{
    requests,    LatticeAxis{Measure::request_pages, "pages_of_a_request", page_counts},
    table_width, table_stride,
    table_bytes, bound,
    blocks,      page_id,
    output_page, page_stride,
    pool_bytes,  output_bytes};
constexpr std::array gather_of_heads_axes{
    requests,    LatticeAxis{Measure::request_pages, "pages_of_a_request", many_page_counts},
    heads,       pairs,
    table_width, table_stride,
    table_bytes, bound,
    blocks,      page_id,
    output_page, page_stride,
    head_stride, pool_bytes,
    output_bytes};
constexpr std::array gather_of_planes_axes{
    requests,
    LatticeAxis{Measure::request_pages, "pages_of_a_request", many_page_counts},
    heads,
    pairs,
    table_width,
    table_stride,
    table_bytes,
    bound,
    blocks,
    page_id,
    output_page,
    page_stride,
    LatticeAxis{Measure::plane_stride, "plane_stride", stored_strides},
    head_stride,
    pool_bytes,
    output_bytes};
constexpr std::array decode_axes{LatticeAxis{Measure::pages, "pages", many_page_counts},
                                 heads,
                                 pairs,
                                 LatticeAxis{Measure::page_stride, "page_stride", only_strides},
                                 head_stride,
                                 LatticeAxis{Measure::pool_bytes, "pool_bytes", only_bytes},
                                 LatticeAxis{Measure::output_bytes, "output_bytes", output_volume}};
constexpr std::array nvfp4_write_axes{
    LatticeAxis{Measure::rows, "rows", cheap_counts},
    page_id,
    page_stride,
    LatticeAxis{Measure::row_stride, "row_stride", only_strides},
    LatticeAxis{Measure::source_bytes, "source_bytes", only_bytes},
    pool_bytes};
constexpr std::array mxfp4_write_axes{
    LatticeAxis{Measure::rows, "rows", cheap_counts},
    heads,
    pairs,
    page_id,
    page_stride,
    LatticeAxis{Measure::head_stride, "head_stride", written_strides},
    LatticeAxis{Measure::row_stride, "row_stride", stored_strides},
    LatticeAxis{Measure::source_bytes, "source_bytes", stored_bytes},
    pool_bytes};
constexpr std::array word_axes{words};

struct OperationAxes {
  std::string_view operation;
  std::span<const LatticeAxis> axes;
};
constexpr std::array<OperationAxes, 10> all_axes{
    {{"nvfp4_gather_index_k", nvfp4_gather_axes},
     {"nvfp4_gather_kv", gather_of_planes_axes},
     {"nvfp4_gather_kv_swizzled", gather_of_planes_axes},
     {"mxfp4_gather_pages", gather_of_heads_axes},
     {"mxfp4_decode_pages", decode_axes},
     {"nvfp4_write_index_k", nvfp4_write_axes},
     {"mxfp4_write_pages", mxfp4_write_axes},
     {"qmul4", word_axes},
     {"encode_e4m3", word_axes},
     {"convert", word_axes}}};

}  // namespace lattice

std::span<const LatticeAxis> lattice_of(std::string_view operation) {
  for (const lattice::OperationAxes& each : lattice::all_axes) {
    if (each.operation == operation) return each.axes;
  }
  return {};
}

std::string extent_bin(const LatticeAxis& axis, const Boundary& boundary) {
  return fmt::format("extent/{}/past_{}", axis.name, boundary.at);
}

std::vector<std::string> extent_bins(std::string_view operation) {
  std::vector<std::string> bins;
  for (const LatticeAxis& axis : lattice_of(operation)) {
    for (const Boundary& boundary : axis.boundaries) {
      if (boundary.level <= Level::full) bins.push_back(extent_bin(axis, boundary));
    }
  }
  return bins;
}

std::optional<Level> level_of_bin(std::string_view operation, std::string_view bin) {
  for (const LatticeAxis& axis : lattice_of(operation)) {
    for (const Boundary& boundary : axis.boundaries) {
      if (extent_bin(axis, boundary) == bin) return boundary.level;
    }
  }
  return std::nullopt;
}

void cover_extents(std::string_view operation, std::span<const Measured> values,
                   Coverage& coverage) {
  for (const LatticeAxis& axis : lattice_of(operation)) {
    for (const Measured& each : values) {
      if (each.measure != axis.measure) continue;
      for (const Boundary& boundary : axis.boundaries) {
        if (each.value > boundary.at) coverage.add(extent_bin(axis, boundary));
      }
    }
  }
}

void cover_remainder(std::int64_t count, Coverage& coverage) {
  coverage.add(fmt::format("call/remainder_{}", count % 8));
  if (count > 8192) coverage.add(fmt::format("call/remainder_{}_after_8192", count % 8));
}

std::vector<std::int64_t> tails_after_8192() { return {8193, 8194, 8195, 8196, 8197, 8198, 8199}; }

std::vector<std::string> remainder_bins() {
  std::vector<std::string> bins;
  for (int remainder = 0; remainder < 8; ++remainder) {
    bins.push_back(fmt::format("call/remainder_{}", remainder));
    // Nothing is left over of whole steps.
    if (remainder != 0) bins.push_back(fmt::format("call/remainder_{}_after_8192", remainder));
  }
  return bins;
}

std::vector<Boundary> boundaries_with_cases(const LatticeAxis& axis) {
  std::vector<Boundary> last;
  for (const Boundary& boundary : axis.boundaries) {
    if (!boundary.passed_by.empty()) continue;
    if (!last.empty() && last.back().level == boundary.level) last.pop_back();
    last.push_back(boundary);
  }
  return last;
}

std::string extent_case(const LatticeAxis& axis, const Boundary& boundary) {
  return fmt::format("extent_{}_{}", axis.name, boundary.past);
}

std::string extent_comment(const LatticeAxis& axis, const Boundary& boundary) {
  return fmt::format("{} past {}, and what lies below: a type or a grid that ends there", axis.name,
                     boundary.at);
}

std::int64_t random_extent(const LatticeAxis& axis, Random& random) {
  std::int64_t most = 1;
  for (const Boundary& boundary : axis.boundaries) {
    if (boundary.level <= Level::standard) most = std::max(most, boundary.past);
  }
  const auto digits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(most)));
  const std::int64_t least = std::int64_t{1} << random.between(0, digits - 1);
  // Below twice as much; draws are of at most 32 bits.
  const auto fraction = static_cast<std::int64_t>(random.bits() >> 33);  // of 2^31
  const std::int64_t more = least >> 31 != 0 ? (least >> 31) * fraction : (least * fraction) >> 31;
  return std::min(most, least + more);
}

std::pair<std::int64_t, std::int64_t> factors_of(std::int64_t product) {
  std::int64_t larger = 1;
  while (larger * larger < product || product % larger != 0) ++larger;
  return {larger, product / larger};
}

}  // namespace harness
