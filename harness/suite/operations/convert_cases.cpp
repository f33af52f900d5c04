#include "harness/suite/operations/convert_cases.hpp"

#include <fmt/format.h>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {
namespace {

CaseList case_list(std::string_view operation, Level level, const std::optional<Cast>& only) {
  return {operation, level, [only](const nlohmann::json& spec) {
            const auto read = convert_spec_from_json(spec, only);
            return read ? static_cast<std::uint64_t>(read->count) * bytes_per_value(read->cast) : 0;
          }};
}

}  // namespace

std::vector<Case> encode_cases(Level level, std::uint64_t seed) {
  constexpr Cast cast{DType::f32, DType::e4m3};
  CaseList list = case_list("encode_e4m3", level, cast);
  const nlohmann::json edges{{"contents", {{"kind", "edges"}}}, {"count", cast_edges(cast).size()}};
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
  for (const std::int64_t count : tails_after_8192()) {
    list.add(Level::standard, fmt::format("count_{}", count), {"tail"},
             "what is left after many whole steps", random(5, count));
  }
  for (const LatticeAxis& axis : lattice_of("encode_e4m3")) {
    for (const Boundary& boundary : boundaries_with_cases(axis)) {
      list.add(boundary.level, extent_case(axis, boundary), {"extents", "tail"},
               extent_comment(axis, boundary), random(8, boundary.past));
    }
  }
  return list.take();
}

std::vector<Case> convert_cases(Level level, std::uint64_t seed) {
  CaseList list = case_list("convert", level, std::nullopt);
  const auto spec_of = [](const Cast& cast, nlohmann::json contents, std::size_t count) {
    return nlohmann::json{{"from", name_of(cast.from)},
                          {"to", name_of(cast.to)},
                          {"contents", std::move(contents)},
                          {"count", count}};
  };
  const auto random = [](std::uint64_t of_seed, std::string_view distribution = "edges") {
    return nlohmann::json{{"kind", "random"}, {"seed", of_seed}, {"distribution", distribution}};
  };
  std::uint64_t number = 0;
  for (const Cast& cast : all_casts()) {
    const std::string name = name_of(cast);
    const std::uint64_t key = mix64(seed, ++number) >> 1;
    const bool small = element_bytes(cast.from) == 1;
    const nlohmann::json edges = spec_of(cast, {{"kind", "edges"}}, cast_edges(cast).size());
    list.add(Level::smoke, "edges_" + name, {"values"},
             small ? "every code"
                   : "every value and every midpoint of the destination with what lies around them",
             edges);
    nlohmann::json filled = edges;
    filled["fill"] = "00";
    list.add(Level::standard, "edges_fill_00_" + name, {"values", "memory"},
             "the same into an output filled with 00", filled);
    for (const std::size_t count : {1U, 5U, 255U, 257U}) {
      list.add(Level::standard, fmt::format("count_{}_{}", count, name), {"tail"},
               "counts that do not fill the last thread block", spec_of(cast, random(5), count));
    }
    nlohmann::json moved = spec_of(cast, random(6), 777);
    moved["misalignment_bytes"] = {{"x", element_bytes(cast.from)}, {"d", element_bytes(cast.to)}};
    list.add(Level::standard, "base_offset_" + name, {"strides"},
             "arrays that begin one element after a multiple of 256", moved);
    if (element_bytes(cast.from) == 2) {
      list.add(Level::full, "all_codes_" + name, {"values", "volume"}, "every code of the source",
               spec_of(cast, {{"kind", "all"}}, 1 << 16));
    }
    if (!small) {
      list.add(Level::full, "random_" + name, {"values", "random"},
               "random values from the run's seed", spec_of(cast, random(key), 100000));
      list.add(Level::full, "uniform_" + name, {"values", "random"}, "all bits alike",
               spec_of(cast, random(key, "uniform"), 100000));
    }
  }
  list.add(Level::standard, "count_0", {"tail", "empty"}, "no values: nothing to do",
           spec_of({DType::f32, DType::e4m3}, random(5), 0));
  // The boundaries in turn by all casts, and for each cast a tail after many values.
  std::size_t turn = 0;
  for (const LatticeAxis& axis : lattice_of("convert")) {
    for (const Boundary& boundary : boundaries_with_cases(axis)) {
      const Cast& cast = all_casts()[5 * turn++ % all_casts().size()];
      list.add(boundary.level, extent_case(axis, boundary) + '_' + name_of(cast),
               {"extents", "tail"}, extent_comment(axis, boundary),
               spec_of(cast, random(8), static_cast<std::size_t>(boundary.past)));
    }
  }
  for (std::size_t i = 0; i < all_casts().size(); ++i) {
    const Cast& cast = all_casts()[i];
    list.add(Level::standard, "tail_after_8192_" + name_of(cast), {"extents", "tail"},
             "a part of eight values after 8,192", spec_of(cast, random(9), 8193 + i % 7));
  }
  return list.take();
}

nlohmann::json random_convert_spec(std::uint64_t seed, const std::optional<Cast>& only) {
  Random random(mix64(seed));
  ConvertSpec spec;
  spec.kind = ConvertContent::random;
  if (only) {
    spec.cast = *only;
  } else {
    spec.cast = random.pick(all_casts());
    if (random.one_in(3)) spec.kind = ConvertContent::edges;
  }
  spec.seed = random.bits() >> 1;
  spec.distribution = random.one_in(4) ? Distribution::uniform : Distribution::edges;
  spec.count = random.one_in(4) ? random.between(0, 5000) : random.between(0, 300);
  if (random.one_in(30)) spec.count = 0;
  if (random.one_in(8)) spec.count = random_extent(lattice_of("convert").front(), random);
  if (spec.kind == ConvertContent::edges) {
    spec.count = static_cast<std::int64_t>(cast_edges(spec.cast).size());
  }
  const auto multiple = [&](DType dtype) {
    const auto width = static_cast<std::int64_t>(element_bytes(dtype));
    return width * random.between(0, 256 / width - 1);
  };
  spec.misalignment_d = multiple(spec.cast.to);
  if (random.one_in(2)) spec.misalignment_x = multiple(spec.cast.from);
  if (random.one_in(2)) spec.fill = random.byte();
  return to_json(spec, only);
}

std::vector<nlohmann::json> smaller_convert_specs(const nlohmann::json& spec,
                                                  const std::optional<Cast>& only) {
  const auto read = convert_spec_from_json(spec, only);
  if (!read) return {};
  std::vector<nlohmann::json> smaller;
  const auto propose = [&](const ConvertSpec& candidate) {
    nlohmann::json json = to_json(candidate, only);
    if (json != to_json(*read, only)) smaller.push_back(std::move(json));
  };
  const Problem problem = convert_problem("", *read);
  // Values [first, first + count), stated where they are few.
  const auto window = [&](std::int64_t first, std::int64_t count) {
    constexpr std::int64_t few = 16;
    ConvertSpec part = *read;
    part.first += first;
    part.count = count;
    if (read->kind == ConvertContent::values || count <= few) {
      part.kind = ConvertContent::values;
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
  ConvertSpec plain = *read;
  plain.misalignment_x.reset();
  plain.misalignment_d = 0;
  plain.fill = ConvertSpec{}.fill;
  propose(plain);
  if (read->count == 1) window(0, 1);
  return smaller;
}

}  // namespace harness
