#include "harness/suite/operations/encode_e4m3_cases.hpp"

#include <fmt/format.h>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/encode_e4m3_spec.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {

std::vector<Case> encode_cases(Level level, std::uint64_t seed) {
  CaseList list("encode_e4m3", level, [&](const nlohmann::json& spec) {
    const auto read = encode_spec_from_json(spec);
    return read ? static_cast<std::uint64_t>(read->count) * bytes_per_value : 0;
  });
  const nlohmann::json edges{{"contents", {{"kind", "edges"}}}, {"count", encode_edges().size()}};
  list.add(Level::smoke, "edges", {"values"},
           "every value and every midpoint with both f32 neighbours, and where f16 or bf16 would "
           "round twice",
           edges);
  for (const std::string_view fill : {"00", "7f"}) {
    nlohmann::json filled = edges;
    filled["fill"] = fill;
    list.add(Level::standard, fmt::format("edges_fill_{}", fill), {"values", "memory"},
             fmt::format("the same into an output filled with {}", fill), filled);
  }
  const auto random = [](std::uint64_t of_seed, std::int64_t count,
                         std::string_view distribution = "edges") {
    return nlohmann::json{
        {"contents", {{"kind", "random"}, {"seed", of_seed}, {"distribution", distribution}}},
        {"count", count}};
  };
  for (const std::int64_t count : {0, 1, 2, 3, 255, 256, 257, 511, 1000}) {
    list.add(Level::standard, fmt::format("count_{}", count), {"tail"},
             "counts that do not fill the last thread block, none included", random(5, count));
  }
  for (const std::int64_t base : {4, 20, 252}) {
    nlohmann::json moved = random(6, 777);
    moved["misalignment_bytes"] = {{"x", base}, {"d", base / 4}};
    list.add(
        Level::standard, fmt::format("base_offset_{}", base), {"strides"},
        fmt::format("values that begin {} bytes after a multiple of 256, codes {}", base, base / 4),
        moved);
  }
  list.add(Level::standard, "uniform_bits", {"values"}, "all bits of f32 alike",
           random(7, 20000, "uniform"));
  for (std::uint64_t i = 0; i < 4; ++i) {
    list.add(Level::full, fmt::format("random_{}", i), {"values", "random"},
             "random values from the run's seed",
             random(mix64(seed, i) >> 1, 100000, i == 3 ? "everyday" : "edges"));
  }
  list.add(Level::full, "volume", {"volume", "random"}, "4 million values",
           random(mix64(seed, 99) >> 1, 4 << 20));
  return list.take();
}

nlohmann::json random_encode_spec(std::uint64_t seed) {
  Random random(mix64(seed));
  EncodeSpec spec;
  spec.kind = EncodeContent::random;
  spec.seed = random.bits() >> 1;
  spec.distribution = random.one_in(4) ? Distribution::uniform : Distribution::edges;
  spec.count = random.one_in(4) ? random.between(0, 5000) : random.between(0, 300);
  if (random.one_in(30)) spec.count = 0;
  spec.misalignment_d = random.between(0, 255);
  if (random.one_in(2)) spec.misalignment_x = 4 * random.between(0, 63);
  if (random.one_in(2)) spec.fill = random.byte();
  return to_json(spec);
}

std::vector<nlohmann::json> smaller_encode_specs(const nlohmann::json& spec) {
  const auto read = encode_spec_from_json(spec);
  if (!read) return {};
  std::vector<nlohmann::json> smaller;
  const auto propose = [&](const EncodeSpec& candidate) {
    nlohmann::json json = to_json(candidate);
    if (json != to_json(*read)) smaller.push_back(std::move(json));
  };
  const Problem problem = encode_problem(*read);
  // Values [first, first + count), stated where they are few.
  const auto window = [&](std::int64_t first, std::int64_t count) {
    constexpr std::int64_t few = 16;
    EncodeSpec part = *read;
    part.first += first;
    part.count = count;
    if (read->kind == EncodeContent::values || count <= few) {
      part.kind = EncodeContent::values;
      part.x.clear();
      for (std::int64_t i = first; i < first + count; ++i) {
        part.x.push_back(bits_at(problem.tensors[0], static_cast<std::size_t>(i)));
      }
    }
    propose(part);
  };
  if (read->count > 1) {
    window(0, read->count / 2);
    window(read->count / 2, read->count - read->count / 2);
  }
  EncodeSpec plain = *read;
  plain.misalignment_x.reset();
  plain.misalignment_d = 0;
  plain.fill = EncodeSpec{}.fill;
  propose(plain);
  if (read->count == 1) window(0, 1);
  return smaller;
}

}  // namespace harness
