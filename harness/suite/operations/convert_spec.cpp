#include "harness/suite/operations/convert_spec.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <map>
#include <mutex>

#include "harness/suite/operations/conversion_inputs.hpp"
#include "harness/suite/operations/oracle_views.hpp"
#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/spec_reader.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/formats.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

constexpr std::int64_t max_count = std::int64_t{1} << 26;

constexpr std::array<std::pair<ConvertContent, std::string_view>, 4> convert_content_kinds{
    {{ConvertContent::edges, "edges"},
     {ConvertContent::all, "all"},
     {ConvertContent::random, "random"},
     {ConvertContent::values, "values"}}};

constexpr std::array wide{DType::f32, DType::f16, DType::bf16};
constexpr std::array narrow_sources{DType::e4m3, DType::e5m2, DType::e8m0, DType::e2m1};
constexpr std::array narrow_destinations{DType::e4m3, DType::e5m2, DType::e2m1};
constexpr std::uint32_t e5m2_nan = 0x7f;

int bits_of(const oracle::FormatSpec& format) {
  return format.sign_bits + format.exponent_bits + format.mantissa_bits;
}

// Beyond the table's inputs: 465 and 480, which only a format with a larger range holds; the value
// after the largest that f16 and bf16 round to infinity; a NaN with one low bit of payload.
constexpr std::array<std::uint32_t, 6> beyond{0x43e88000, 0x43f00000, 0x477fefff,
                                              0x477ff000, 0x7f7f7fff, 0x7fa00001};

std::vector<std::uint32_t> values_of(SpecReader& reader, const char* key, DType from) {
  const std::size_t width = element_bytes(from);
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
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    if (bytes.size() != width || (value & ~oracle::code_mask(format_of(from))) != 0) {
      reader.fault(key, fmt::format("expected hex numbers of {} digits{}, got {}", 2 * width,
                                    from == DType::e2m1 ? ", the first 0" : "", describe(item)));
      return values;
    }
    values.push_back(value);
  }
  return values;
}

// Bits of an f32 whose exponent is in [lowest, highest].
std::uint32_t value_in_range(Random& random, int lowest, int highest) {
  const auto field = static_cast<std::uint32_t>(random.between(lowest, highest) + 127);
  return (static_cast<std::uint32_t>(random.bits() >> 32) & 0x807fffffU) | field << 23;
}

std::uint32_t random_value(const ConvertSpec& spec, std::uint64_t n) {
  Random random(mix64(spec.seed, n));
  const oracle::FormatSpec& from = format_of(spec.cast.from);
  const oracle::FormatSpec& to = format_of(spec.cast.to);
  if (spec.cast.from != DType::f32) {
    const auto any = static_cast<std::uint32_t>(random.bits() >> 32) & oracle::code_mask(from);
    if (spec.distribution != Distribution::edges || random.one_in(4)) return any;
    return random.pick(cast_edges(spec.cast));
  }
  if (spec.distribution == Distribution::everyday) return value_in_range(random, -12, 3);
  if (spec.distribution == Distribution::uniform || random.one_in(8)) {
    return static_cast<std::uint32_t>(random.bits() >> 32);
  }
  if (random.one_in(3)) {
    return value_in_range(random, oracle::min_exponent(to) - to.mantissa_bits - 2,
                          oracle::max_exponent(to) + 1);
  }
  // A few units in the last place away from an edge; a carry into NaN or past it is as good.
  return random.pick(cast_edges(spec.cast)) + static_cast<std::uint32_t>(random.between(-3, 3));
}

std::uint32_t value_at(const ConvertSpec& spec, std::size_t i) {
  const std::uint64_t n = static_cast<std::uint64_t>(spec.first) + i;
  switch (spec.kind) {
    case ConvertContent::values:
      return spec.x[i];
    case ConvertContent::random:
      return random_value(spec, n);
    case ConvertContent::all:
      return static_cast<std::uint32_t>(n) & oracle::code_mask(format_of(spec.cast.from));
    case ConvertContent::edges:
      break;
  }
  const std::span<const std::uint32_t> edges = cast_edges(spec.cast);
  return edges[n % edges.size()];
}

Tensor flat(std::string name, Role role, DType dtype, std::size_t count,
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

std::span<const Cast> all_casts() {
  static const std::vector<Cast> casts = [] {
    std::vector<Cast> all;
    for (const DType from : wide) {
      for (const DType to : narrow_destinations) all.push_back({from, to});
    }
    for (const DType from : narrow_sources) {
      for (const DType to : wide) all.push_back({from, to});
    }
    return all;
  }();
  return casts;
}

const oracle::FormatSpec& format_of(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return oracle::f16::spec;
    case DType::bf16:
      return oracle::bf16::spec;
    case DType::e4m3:
      return oracle::e4m3::spec;
    case DType::e5m2:
      return oracle::e5m2::spec;
    case DType::e8m0:
      return oracle::e8m0::spec;
    case DType::e2m1:
      return oracle::e2m1::spec;
    default:
      return oracle::f32::spec;
  }
}

std::string name_of(const Cast& cast) {
  return fmt::format("{}_to_{}", format_of(cast.from).name, format_of(cast.to).name);
}

oracle::Exact cast_value(const Cast& cast, std::uint32_t bits, const oracle::Profile& profile) {
  const oracle::FormatSpec& from = format_of(cast.from);
  const std::uint32_t code = bits & oracle::code_mask(from);
  if (cast.from == DType::e8m0) {
    return oracle::scale_value(oracle::e8m0::spec, static_cast<std::uint8_t>(code), profile);
  }
  const bool fnuz = cast.from == DType::e4m3 && profile.scale_family == oracle::E4m3Family::fnuz;
  return oracle::decode(fnuz ? oracle::e4m3fnuz::spec : from, code);
}

oracle::SpecialInputs special_inputs(DType destination) {
  return destination == DType::e2m1 ? oracle::e2m1_nan_is_six
                                    : oracle::SpecialInputs{.nan_code = e5m2_nan};
}

std::uint32_t cast_code(const Cast& cast, std::uint32_t bits, const oracle::Profile& profile) {
  const oracle::Exact value = cast_value(cast, bits, profile);
  if (cast.to != DType::e5m2 && cast.to != DType::e2m1) {
    return oracle::encode_element(value, cast.to, profile);
  }
  const auto code = oracle::encode(format_of(cast.to), value, oracle::Round::rne,
                                   oracle::Overflow::satfinite, special_inputs(cast.to));
  assert(code.has_value());  // both take every value
  return *code;
}

std::span<const std::uint32_t> cast_edges(const Cast& cast) {
  static std::mutex mutex;
  static std::map<std::pair<DType, DType>, std::vector<std::uint32_t>> made;
  const std::lock_guard lock(mutex);
  std::vector<std::uint32_t>& edges = made[{cast.from, cast.to}];
  if (!edges.empty()) return edges;
  const oracle::FormatSpec& from = format_of(cast.from);
  const oracle::FormatSpec& to = format_of(cast.to);
  if (bits_of(from) <= 8) {
    edges = conversion_inputs(from, to);
    return edges;
  }
  std::vector<std::uint32_t> inputs = conversion_inputs(oracle::f32::spec, to);
  for (const std::uint32_t value : beyond) {
    inputs.push_back(value);
    inputs.push_back(value | 0x80000000U);
  }
  if (cast.from == DType::f32) {
    edges = std::move(inputs);
    return edges;
  }
  // Toward zero: what the source does not hold becomes its neighbour there.
  for (const std::uint32_t value : inputs) {
    const oracle::Exact exact = oracle::decode<oracle::f32>(value);
    const auto code = oracle::encode(from, exact, oracle::Round::rtz, oracle::Overflow::to_inf,
                                     oracle::SpecialInputs{.keep_nan_sign = true});
    if (code) edges.push_back(*code);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::uint64_t bytes_per_value(const Cast& cast) {
  return element_bytes(cast.from) + element_bytes(cast.to);
}

namespace {

Cast cast_of(SpecReader& reader) {
  const std::string from = reader.text("from");
  const std::string to = reader.text("to");
  std::string known;
  for (const Cast& cast : all_casts()) {
    if (name_of(cast.from) == from && name_of(cast.to) == to) return cast;
    known +=
        fmt::format("{}{} to {}", known.empty() ? "" : ", ", name_of(cast.from), name_of(cast.to));
  }
  reader.fault("to", fmt::format("expected one of {}; got {} to {}", known, from, to));
  return {};
}

std::int64_t misalignment(SpecReader& bytes, const char* tensor, DType dtype) {
  const std::int64_t at = bytes.integer(tensor, 0, 255);
  const auto width = static_cast<std::int64_t>(element_bytes(dtype));
  if (at % width != 0) {
    bytes.fault(tensor, fmt::format("expected a multiple of {}, got {}", width, at));
  }
  return at;
}

}  // namespace

Result<ConvertSpec> convert_spec_from_json(const nlohmann::json& json,
                                           const std::optional<Cast>& only) {
  SpecReader reader(json, "spec");
  ConvertSpec spec;
  spec.cast = only ? *only : cast_of(reader);
  SpecReader contents(reader.value("contents"), "contents");
  spec.kind = contents.word("kind", EnumNames<ConvertContent>(convert_content_kinds));
  if (spec.kind == ConvertContent::random) {
    spec.seed = contents.seed_or("seed", spec.seed);
    spec.distribution = contents.word_or("distribution", distribution_names(), spec.distribution);
  }
  if (spec.kind == ConvertContent::values) {
    spec.x = values_of(contents, "x", spec.cast.from);
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
      spec.misalignment_x = misalignment(bytes, "x", spec.cast.from);
    }
    if (bytes.optional_value("d") != nullptr) {
      spec.misalignment_d = misalignment(bytes, "d", spec.cast.to);
    }
    reader.adopt("misalignment_bytes", bytes.done());
  }
  if (Result<void> done = reader.done(); !done) return tl::make_unexpected(done.error());
  return spec;
}

nlohmann::json to_json(const ConvertSpec& spec, const std::optional<Cast>& only) {
  nlohmann::json json;
  if (!only) {
    json["from"] = name_of(spec.cast.from);
    json["to"] = name_of(spec.cast.to);
  }
  json["contents"]["kind"] = word_of(EnumNames<ConvertContent>(convert_content_kinds), spec.kind);
  if (spec.kind == ConvertContent::values) {
    json["contents"]["x"] = nlohmann::json::array();
    for (const std::uint32_t value : spec.x) {
      json["contents"]["x"].push_back(
          fmt::format("{:0{}x}", value, 2 * element_bytes(spec.cast.from)));
    }
  } else {
    if (spec.kind == ConvertContent::random) {
      json["contents"]["seed"] = spec.seed;
      json["contents"]["distribution"] = word_of(distribution_names(), spec.distribution);
    }
    if (spec.first != 0) json["first"] = spec.first;
    json["count"] = spec.count;
  }
  if (spec.fill != ConvertSpec{}.fill) json["fill"] = fmt::format("{:02x}", spec.fill);
  if (spec.misalignment_x) json["misalignment_bytes"]["x"] = *spec.misalignment_x;
  if (spec.misalignment_d != 0) json["misalignment_bytes"]["d"] = spec.misalignment_d;
  return json;
}

std::uint32_t bits_at(const Tensor& x, std::size_t i) {
  std::uint32_t bits = 0;
  const std::size_t width = element_bytes(x.dtype);
  std::memcpy(&bits, x.storage.data() + i * width, width);
  return bits;
}

Problem convert_problem(std::string_view operation, const ConvertSpec& spec) {
  const auto count = static_cast<std::size_t>(spec.count);
  const std::size_t width = element_bytes(spec.cast.from);
  std::vector<std::uint8_t> x(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = value_at(spec, i);
    std::memcpy(x.data() + i * width, &value, width);
  }
  Problem problem;
  problem.operation = operation;
  problem.tensors.push_back(
      flat("x", Role::input, spec.cast.from, count, std::move(x), spec.misalignment_x));
  problem.tensors.push_back(
      flat("d", Role::output, spec.cast.to, count,
           std::vector<std::uint8_t>(count * element_bytes(spec.cast.to), spec.fill),
           spec.misalignment_d));
  return problem;
}

}  // namespace harness
