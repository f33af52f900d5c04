#include "harness/suite/operations/qmul4_spec.hpp"

#include <array>
#include <cstring>

#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/scale_bytes.hpp"
#include "harness/suite/operations/spec_reader.hpp"

namespace harness {
namespace {

constexpr std::int64_t max_count = std::int64_t{1} << 26;

constexpr std::array<std::pair<LaneContent, std::string_view>, 3> lane_content_kinds{
    {{LaneContent::exhaustive, "exhaustive"},
     {LaneContent::random, "random"},
     {LaneContent::words, "words"}}};

// Hex numbers of `digits` digits each.
template <class Word>
std::vector<Word> words_of(SpecReader& reader, const char* key) {
  std::vector<Word> words;
  const nlohmann::json& list = reader.value(key);
  for (const nlohmann::json& item : list.is_array() ? list : nlohmann::json::array({list})) {
    const std::vector<std::uint8_t> bytes =
        item.is_string() ? bytes_from_hex(item.get<std::string>()) : std::vector<std::uint8_t>{};
    if (bytes.size() != sizeof(Word)) {
      reader.fault(key, fmt::format("expected hex numbers of {} digits, got {}", 2 * sizeof(Word),
                                    describe(item)));
      return words;
    }
    Word word = 0;
    for (const std::uint8_t byte : bytes) word = static_cast<Word>((word << 8) | byte);
    words.push_back(word);
  }
  return words;
}

struct Lanes {
  std::uint16_t a = 0;
  std::uint32_t b = 0;
  void put(unsigned lane, std::uint64_t code, std::uint64_t scale) {
    a = static_cast<std::uint16_t>(a | code << (4 * lane));
    b = static_cast<std::uint32_t>(b | scale << (8 * lane));
  }
};

// An odd multiple of n runs through all 4096 pairs; each lane has another one.
Lanes exhaustive_word(std::uint64_t n) {
  constexpr std::array<std::uint64_t, 4> steps{1, 1229, 2731, 3583};
  Lanes lanes;
  for (unsigned lane = 0; lane < 4; ++lane) {
    const std::uint64_t pair = (n * steps[lane] + 977U * lane) % 4096;
    lanes.put(lane, pair % 16, pair / 16);
  }
  return lanes;
}

Lanes random_word(const LaneSpec& spec, std::uint64_t n) {
  Random random(mix64(spec.seed, n));
  Lanes lanes;
  for (unsigned lane = 0; lane < 4; ++lane) {
    lanes.put(lane, random.below(16), random_scale(oracle::e4m3::spec, spec.distribution, random));
  }
  return lanes;
}

template <class Word>
Tensor words_tensor(std::string name, Role role, DType dtype, const std::vector<Word>& words,
                    std::optional<std::int64_t> misalignment) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.role = role;
  tensor.dtype = dtype;
  tensor.shape = {static_cast<std::int64_t>(words.size())};
  tensor.strides = {1};
  tensor.storage.resize(words.size() * sizeof(Word));
  tensor.misalignment_bytes = misalignment ? static_cast<std::uint32_t>(*misalignment)
                                           : flush_misalignment(tensor.storage.size());
  // The data of an empty vector may be null, which memcpy does not take.
  if (!words.empty()) std::memcpy(tensor.storage.data(), words.data(), tensor.storage.size());
  return tensor;
}

}  // namespace

Result<LaneSpec> lane_spec_from_json(const nlohmann::json& json) {
  SpecReader reader(json, "spec");
  LaneSpec spec;
  SpecReader contents(reader.value("contents"), "contents");
  spec.kind = contents.word("kind", EnumNames<LaneContent>(lane_content_kinds));
  switch (spec.kind) {
    case LaneContent::exhaustive:
      break;
    case LaneContent::random:
      spec.seed = contents.seed_or("seed", spec.seed);
      spec.distribution = contents.word_or("distribution", distribution_names(), spec.distribution);
      break;
    case LaneContent::words:
      spec.a = words_of<std::uint16_t>(contents, "a");
      spec.b = words_of<std::uint32_t>(contents, "b");
      if (spec.a.size() != spec.b.size()) {
        contents.fault("b", fmt::format("expected {} words, as many as \"a\" has, got {}",
                                        spec.a.size(), spec.b.size()));
      }
      break;
  }
  reader.adopt("contents", contents.done());
  if (spec.kind == LaneContent::words) {
    spec.count = static_cast<std::int64_t>(spec.a.size());
  } else {
    spec.first = reader.integer_or("first", 0, max_count, 0);
    spec.count = reader.integer("count", 0, max_count);
  }
  spec.fill = reader.byte_or("fill", spec.fill);
  if (const nlohmann::json* by = reader.optional_value("misalignment_bytes")) {
    SpecReader bytes(*by, "misalignment_bytes");
    if (bytes.optional_value("a") != nullptr) spec.misalignment_a = bytes.integer("a", 0, 255);
    if (bytes.optional_value("b") != nullptr) spec.misalignment_b = bytes.integer("b", 0, 255);
    spec.misalignment_d = bytes.integer_or("d", 0, 255, 0);
    reader.adopt("misalignment_bytes", bytes.done());
  }
  if (Result<void> done = reader.done(); !done) return tl::make_unexpected(done.error());
  return spec;
}

nlohmann::json to_json(const LaneSpec& spec) {
  nlohmann::json json;
  json["contents"]["kind"] = word_of(EnumNames<LaneContent>(lane_content_kinds), spec.kind);
  if (spec.kind == LaneContent::words) {
    json["contents"]["a"] = nlohmann::json::array();
    json["contents"]["b"] = nlohmann::json::array();
    for (const std::uint16_t word : spec.a)
      json["contents"]["a"].push_back(fmt::format("{:04x}", word));
    for (const std::uint32_t word : spec.b)
      json["contents"]["b"].push_back(fmt::format("{:08x}", word));
  } else {
    if (spec.kind == LaneContent::random) {
      json["contents"]["seed"] = spec.seed;
      json["contents"]["distribution"] = word_of(distribution_names(), spec.distribution);
    }
    if (spec.first != 0) json["first"] = spec.first;
    json["count"] = spec.count;
  }
  if (spec.fill != LaneSpec{}.fill) json["fill"] = fmt::format("{:02x}", spec.fill);
  if (spec.misalignment_a) json["misalignment_bytes"]["a"] = *spec.misalignment_a;
  if (spec.misalignment_b) json["misalignment_bytes"]["b"] = *spec.misalignment_b;
  if (spec.misalignment_d != 0) json["misalignment_bytes"]["d"] = spec.misalignment_d;
  return json;
}

Problem lane_problem(const LaneSpec& spec) {
  const auto count = static_cast<std::size_t>(spec.count);
  std::vector<std::uint16_t> a = spec.a;
  std::vector<std::uint32_t> b = spec.b;
  if (spec.kind != LaneContent::words) {
    a.resize(count);
    b.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t n = static_cast<std::uint64_t>(spec.first) + i;
      const Lanes lanes =
          spec.kind == LaneContent::exhaustive ? exhaustive_word(n) : random_word(spec, n);
      a[i] = lanes.a;
      b[i] = lanes.b;
    }
  }
  Problem problem;
  problem.operation = "qmul4";
  problem.tensors.push_back(words_tensor("a", Role::input, DType::u16, a, spec.misalignment_a));
  problem.tensors.push_back(words_tensor("b", Role::input, DType::u32, b, spec.misalignment_b));
  const std::vector<std::uint32_t> d(count, 0x01010101U * spec.fill);
  problem.tensors.push_back(words_tensor("d", Role::output, DType::u32, d, spec.misalignment_d));
  return problem;
}

}  // namespace harness
