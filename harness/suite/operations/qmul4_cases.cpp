#include "harness/suite/operations/qmul4_cases.hpp"

#include <fmt/format.h>

#include <cstring>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/qmul4_spec.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {
std::vector<Case> lane_cases(Level level, std::uint64_t seed) {
  CaseList list("qmul4", level, [&](const nlohmann::json& spec) {
    const auto read = lane_spec_from_json(spec);
    return read ? static_cast<std::uint64_t>(read->count) * 10 : 0;
  });
  const nlohmann::json all{{"contents", {{"kind", "exhaustive"}}}, {"count", 4096}};
  list.add(Level::smoke, "all_pairs", {"values"},
           "all 16 x 256 pairs of code and scale in every lane", all);
  for (const std::string_view fill : {"00", "7f"}) {
    nlohmann::json filled = all;
    filled["fill"] = fill;
    list.add(Level::standard, fmt::format("all_pairs_fill_{}", fill), {"values", "memory"},
             fmt::format("all pairs into an output filled with {}", fill), filled);
  }
  const auto random = [](std::uint64_t of_seed, std::int64_t count) {
    return nlohmann::json{
        {"contents", {{"kind", "random"}, {"seed", of_seed}, {"distribution", "edges"}}},
        {"count", count}};
  };
  for (const std::int64_t count : {0, 1, 2, 3, 127, 128, 129, 255, 257, 1000}) {
    list.add(Level::standard, fmt::format("count_{}", count), {"tail"},
             "counts that do not fill the last thread block, none included", random(5, count));
  }
  for (const std::int64_t base : {16, 64, 128}) {
    nlohmann::json moved = random(6, 777);
    moved["misalignment_bytes"] = {{"a", base}, {"b", base}, {"d", base}};
    list.add(Level::standard, fmt::format("base_offset_{}", base), {"strides"},
             fmt::format("arrays that begin {} bytes after a multiple of 256", base), moved);
  }
  for (std::uint64_t i = 0; i < 4; ++i) {
    list.add(Level::full, fmt::format("random_{}", i), {"values", "random"},
             "random words from the run's seed", random(mix64(seed, i) >> 1, 100000));
  }
  list.add(Level::full, "volume", {"volume", "random"}, "16 million words",
           random(mix64(seed, 99) >> 1, 16 << 20));
  for (std::int64_t remainder = 4; remainder < 7; ++remainder) {
    list.add(Level::standard, fmt::format("count_{}", 128 + remainder), {"tail"},
             "counts that do not fill the last thread block", random(5, 128 + remainder));
  }
  for (const std::int64_t count : tails_after_8192()) {
    list.add(Level::standard, fmt::format("count_{}", count), {"tail"},
             "what is left after many whole steps", random(5, count));
  }
  for (const LatticeAxis& axis : lattice_of("qmul4")) {
    for (const Boundary& boundary : boundaries_with_cases(axis)) {
      list.add(boundary.level, extent_case(axis, boundary), {"extents", "tail"},
               extent_comment(axis, boundary), random(8, boundary.past));
    }
  }
  return list.take();
}

nlohmann::json random_lane_spec(std::uint64_t seed) {
  Random random(mix64(seed));
  LaneSpec spec;
  spec.kind = LaneContent::random;
  spec.seed = random.bits() >> 1;
  spec.distribution = random.one_in(4) ? Distribution::uniform : Distribution::edges;
  spec.count = random.one_in(4) ? random.between(0, 5000) : random.between(0, 300);
  if (random.one_in(30)) spec.count = 0;
  if (random.one_in(8)) spec.count = random_extent(lattice_of("qmul4").front(), random);
  spec.misalignment_d = 16 * random.between(0, 15);
  if (random.one_in(2)) spec.misalignment_a = 2 * random.between(0, 127);
  if (random.one_in(2)) spec.misalignment_b = 4 * random.between(0, 63);
  if (random.one_in(2)) spec.fill = random.byte();
  return to_json(spec);
}

std::vector<nlohmann::json> smaller_lane_specs(const nlohmann::json& spec) {
  const auto read = lane_spec_from_json(spec);
  if (!read) return {};
  std::vector<nlohmann::json> smaller;
  const auto propose = [&](const LaneSpec& candidate) {
    nlohmann::json json = to_json(candidate);
    if (json != to_json(*read)) smaller.push_back(std::move(json));
  };
  const Problem problem = lane_problem(*read);
  // Words [first, first + count), stated where they are few.
  const auto window = [&](std::int64_t first, std::int64_t count) {
    LaneSpec part = *read;
    part.first += first;
    part.count = count;
    if (read->kind == LaneContent::words || count <= 16) {
      part.kind = LaneContent::words;
      part.a.clear();
      part.b.clear();
      for (std::int64_t i = first; i < first + count; ++i) {
        part.a.push_back(word_at<std::uint16_t>(problem.tensors[0], static_cast<std::size_t>(i)));
        part.b.push_back(word_at<std::uint32_t>(problem.tensors[1], static_cast<std::size_t>(i)));
      }
    }
    propose(part);
  };
  if (read->count > 1) {
    window(0, read->count / 2);
    window(read->count / 2, read->count - read->count / 2);
  }
  LaneSpec plain = *read;
  plain.misalignment_a.reset();
  plain.misalignment_b.reset();
  plain.misalignment_d = 0;
  plain.fill = LaneSpec{}.fill;
  propose(plain);
  if (read->count == 1) {
    window(0, 1);
    const auto a = word_at<std::uint16_t>(problem.tensors[0], 0);
    const auto b = word_at<std::uint32_t>(problem.tensors[1], 0);
    for (int lane = 0; lane < 4; ++lane) {  // one lane set to 1.0 x 1.0
      LaneSpec part = *read;
      part.kind = LaneContent::words;
      part.a = {static_cast<std::uint16_t>((a & ~(0xf << 4 * lane)) | (unit_code << 4 * lane))};
      part.b = {(b & ~(0xffU << 8 * lane)) | (0x38U << 8 * lane)};
      propose(part);
    }
  }
  return smaller;
}

}  // namespace harness
