#include "harness/suite/operations/encode_e4m3_spec.hpp"

#include <array>
#include <cstring>

#include "harness/suite/operations/conversion_inputs.hpp"
#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/spec_reader.hpp"
#include "oracle/numbers/formats.hpp"

namespace harness {
namespace {

constexpr std::int64_t max_count = std::int64_t{1} << 26;

constexpr std::array<std::pair<EncodeContent, std::string_view>, 3> encode_content_kinds{
    {{EncodeContent::edges, "edges"},
     {EncodeContent::random, "random"},
     {EncodeContent::values, "values"}}};

// Beyond the table's inputs: 465 and 480, which only a format with a larger range holds; the value
// after the largest that f16 and bf16 round to infinity; a NaN with one low bit of payload.
constexpr std::array<std::uint32_t, 6> beyond{0x43e88000, 0x43f00000, 0x477fefff,
                                              0x477ff000, 0x7f7f7fff, 0x7fa00001};

std::vector<std::uint32_t> values_of(SpecReader& reader, const char* key) {
  std::vector<std::uint32_t> values;
  const nlohmann::json& list = reader.value(key);
  if (!list.is_array()) {
    reader.fault(key, fmt::format("expected an array of hex numbers, got {}", describe(list)));
    return values;
  }
  for (const nlohmann::json& item : list) {
    const std::vector<std::uint8_t> bytes = item.is_string()
                                                ? bytes_from_hex(item.get_ref<const std::string&>())
                                                : std::vector<std::uint8_t>{};
    if (bytes.size() != sizeof(std::uint32_t)) {
      reader.fault(key, fmt::format("expected hex numbers of 8 digits, got {}", describe(item)));
      return values;
    }
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    values.push_back(value);
  }
  return values;
}

// Bits of an f32 whose exponent is in [lowest, highest].
std::uint32_t value_in_range(Random& random, int lowest, int highest) {
  const auto field = static_cast<std::uint32_t>(random.between(lowest, highest) + 127);
  return (static_cast<std::uint32_t>(random.bits() >> 32) & 0x807fffffU) | field << 23;
}

std::uint32_t random_value(const EncodeSpec& spec, std::uint64_t n) {
  Random random(mix64(spec.seed, n));
  if (spec.distribution == Distribution::everyday) return value_in_range(random, -12, 3);
  if (spec.distribution == Distribution::uniform || random.one_in(8)) {
    return static_cast<std::uint32_t>(random.bits() >> 32);
  }
  if (random.one_in(3)) return value_in_range(random, -11, 9);
  // A few units in the last place away from an edge; a carry into NaN or past it is as good.
  return random.pick(encode_edges()) + static_cast<std::uint32_t>(random.between(-3, 3));
}

Tensor row(std::string name, Role role, DType dtype, std::size_t count,
           std::vector<std::uint8_t> storage, std::optional<std::int64_t> misalignment) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.role = role;
  tensor.dtype = dtype;
  tensor.shape = {static_cast<std::int64_t>(count)};
  tensor.strides = {1};
  tensor.misalignment_bytes =
      misalignment ? static_cast<std::uint32_t>(*misalignment) : flush_misalignment(storage.size());
  tensor.storage = std::move(storage);
  return tensor;
}

}  // namespace

std::span<const std::uint32_t> encode_edges() {
  static const std::vector<std::uint32_t> edges = [] {
    std::vector<std::uint32_t> bits = conversion_inputs(oracle::f32::spec, oracle::e4m3::spec);
    for (const std::uint32_t value : beyond) {
      bits.push_back(value);
      bits.push_back(value | 0x80000000U);
    }
    return bits;
  }();
  return edges;
}

Result<EncodeSpec> encode_spec_from_json(const nlohmann::json& json) {
  SpecReader reader(json, "spec");
  EncodeSpec spec;
  SpecReader contents(reader.value("contents"), "contents");
  spec.kind = contents.word("kind", EnumNames<EncodeContent>(encode_content_kinds));
  if (spec.kind == EncodeContent::random) {
    spec.seed = contents.seed_or("seed", spec.seed);
    spec.distribution = contents.word_or("distribution", distribution_names(), spec.distribution);
  }
  if (spec.kind == EncodeContent::values) {
    spec.x = values_of(contents, "x");
    spec.count = static_cast<std::int64_t>(spec.x.size());
  } else {
    spec.first = reader.integer_or("first", 0, max_count, 0);
    spec.count = reader.integer("count", 0, max_count);
  }
  reader.adopt("contents", contents.done());
  spec.fill = reader.byte_or("fill", spec.fill);
  if (const nlohmann::json* by = reader.optional_value("misalignment_bytes")) {
    SpecReader bytes(*by, "misalignment_bytes");
    if (bytes.optional_value("x") != nullptr) {
      spec.misalignment_x = bytes.integer("x", 0, 255);
      if (*spec.misalignment_x % 4 != 0) {
        bytes.fault("x", fmt::format("expected a multiple of 4, got {}", *spec.misalignment_x));
      }
    }
    spec.misalignment_d = bytes.integer_or("d", 0, 255, 0);
    reader.adopt("misalignment_bytes", bytes.done());
  }
  if (Result<void> done = reader.done(); !done) return tl::make_unexpected(done.error());
  return spec;
}

nlohmann::json to_json(const EncodeSpec& spec) {
  nlohmann::json json;
  json["contents"]["kind"] = word_of(EnumNames<EncodeContent>(encode_content_kinds), spec.kind);
  if (spec.kind == EncodeContent::values) {
    json["contents"]["x"] = nlohmann::json::array();
    for (const std::uint32_t value : spec.x) {
      json["contents"]["x"].push_back(fmt::format("{:08x}", value));
    }
  } else {
    if (spec.kind == EncodeContent::random) {
      json["contents"]["seed"] = spec.seed;
      json["contents"]["distribution"] = word_of(distribution_names(), spec.distribution);
    }
    if (spec.first != 0) json["first"] = spec.first;
    json["count"] = spec.count;
  }
  if (spec.fill != EncodeSpec{}.fill) json["fill"] = fmt::format("{:02x}", spec.fill);
  if (spec.misalignment_x) json["misalignment_bytes"]["x"] = *spec.misalignment_x;
  if (spec.misalignment_d != 0) json["misalignment_bytes"]["d"] = spec.misalignment_d;
  return json;
}

std::uint32_t bits_at(const Tensor& x, std::size_t i) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, x.storage.data() + i * sizeof bits, sizeof bits);
  return bits;
}

Problem encode_problem(const EncodeSpec& spec) {
  const auto count = static_cast<std::size_t>(spec.count);
  std::vector<std::uint8_t> x(count * sizeof(std::uint32_t));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t n = static_cast<std::uint64_t>(spec.first) + i;
    const std::uint32_t value = spec.kind == EncodeContent::values ? spec.x[i]
                                : spec.kind == EncodeContent::random
                                    ? random_value(spec, n)
                                    : encode_edges()[n % encode_edges().size()];
    std::memcpy(x.data() + i * sizeof value, &value, sizeof value);
  }
  Problem problem;
  problem.operation = "encode_e4m3";
  problem.tensors.push_back(
      row("x", Role::input, DType::f32, count, std::move(x), spec.misalignment_x));
  problem.tensors.push_back(row("d", Role::output, DType::f8_e4m3, count,
                                std::vector<std::uint8_t>(count, spec.fill), spec.misalignment_d));
  return problem;
}

}  // namespace harness
