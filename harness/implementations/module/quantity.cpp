#include "harness/implementations/module/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace harness {
namespace {

constexpr std::int64_t max_axis = 15;

struct Kind {
  const char* key;
  Quantity::Source source;
};
constexpr std::array<Kind, 7> kinds{{{"constant", Quantity::Source::constant},
                                     {"size", Quantity::Source::size},
                                     {"stride", Quantity::Source::stride},
                                     {"scalar", Quantity::Source::scalar},
                                     {"argument", Quantity::Source::argument},
                                     {"dtype", Quantity::Source::dtype},
                                     {"product", Quantity::Source::product}}};

bool is_integer(const nlohmann::json& json) {
  return json.is_number_integer() &&
         !(json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX});
}

tl::unexpected<Error> malformed(const std::string& message) {
  return oracle::fail(ErrorCode::malformed, message);
}

// ["kv_cache", 0]
void read_tensor_axis(JsonObject& object, const char* key, Quantity& quantity) {
  const nlohmann::json& pair = object.value(key);
  const bool good = pair.is_array() && pair.size() == 2 && pair[0].is_string() &&
                    is_integer(pair[1]) && pair[1].get<std::int64_t>() >= 0 &&
                    pair[1].get<std::int64_t>() <= max_axis;
  if (!good) {
    object.fault(key, fmt::format("expected a tensor's name and an axis, [\"kv_cache\", 0], got {}",
                                  pair.dump()));
    return;
  }
  quantity.name = pair[0].get<std::string>();
  quantity.axis = pair[1].get<std::size_t>();
  if (const nlohmann::json* rank = object.optional_value("rank"); rank != nullptr) {
    quantity.rank = static_cast<std::size_t>(object.integer("rank", 1, max_axis + 1));
    quantity.otherwise = object.integer("otherwise", INT64_MIN, INT64_MAX);
  }
}

void read_values(JsonObject& object, Quantity& quantity) {
  const nlohmann::json& values = object.value("values");
  if (!values.is_object() || values.empty()) {
    object.fault("values", "expected integers by dtype, {\"F32\": 1}, got " + describe(values));
    return;
  }
  for (const auto& [dtype, value] : values.items()) {
    if (!dtype_named(dtype)) object.fault("values", fmt::format("no dtype is named {}", dtype));
    if (!is_integer(value)) {
      object.fault("values",
                   fmt::format("{}: expected an integer, got {}", dtype, describe(value)));
      return;
    }
    quantity.values[dtype] = value.get<std::int64_t>();
  }
}

void read_factors(JsonObject& object, Quantity& quantity) {
  const nlohmann::json& factors = object.value("product");
  if (!factors.is_array() || factors.empty()) {
    object.fault("product", "expected an array of factors, got " + describe(factors));
    return;
  }
  for (std::size_t i = 0; i < factors.size(); ++i) {
    Result<Quantity> factor = quantity_from_json(factors[i], fmt::format("factor {}", i));
    if (!factor) return object.fault("product", factor.error().message);
    quantity.factors.push_back(std::move(*factor));
  }
}

Result<std::int64_t> size_or_stride(const Quantity& quantity, const Problem& problem) {
  const Tensor& tensor = *problem.find(quantity.name);
  if (quantity.rank && tensor.shape.size() != *quantity.rank) return quantity.otherwise;
  if (quantity.axis >= tensor.shape.size()) {
    return oracle::fail(
        ErrorCode::wrong_shape,
        fmt::format("{} has shape [{}], and no axis {} (\"rank\" and \"otherwise\" say what "
                    "stands for an axis that is not there)",
                    quantity.name, fmt::join(tensor.shape, ", "), quantity.axis));
  }
  if (quantity.source == Quantity::Source::size) return tensor.shape[quantity.axis];
  const auto unit =
      quantity.in_bytes ? static_cast<std::int64_t>(element_bytes(tensor.dtype)) : std::int64_t{1};
  std::int64_t stride = 0;
  if (__builtin_mul_overflow(tensor.strides[quantity.axis], unit, &stride)) {
    return oracle::fail(ErrorCode::out_of_range, "expected a value of 64 bits, got a larger one");
  }
  return stride;
}

Result<std::int64_t> product(const Quantity& quantity, const Signature& signature,
                             const Problem& problem) {
  std::int64_t result = 1;
  for (const Quantity& factor : quantity.factors) {
    const Result<std::int64_t> value = value_of(factor, signature, problem);
    if (!value) return tl::make_unexpected(value.error());
    if (__builtin_mul_overflow(result, *value, &result)) {
      return oracle::fail(ErrorCode::out_of_range, "expected a value of 64 bits, got a larger one");
    }
  }
  return result;
}

Result<std::int64_t> undivided(const Quantity& quantity, const Signature& signature,
                               const Problem& problem) {
  switch (quantity.source) {
    case Quantity::Source::constant:
      return quantity.constant;
    case Quantity::Source::size:
    case Quantity::Source::stride:
      return size_or_stride(quantity, problem);
    case Quantity::Source::product:
      return product(quantity, signature, problem);
    case Quantity::Source::scalar:
      return problem.scalars.at(quantity.name);
    case Quantity::Source::argument:
      return *named_integer(signature, problem, quantity.name);
    case Quantity::Source::dtype:
      break;
  }
  const std::string dtype(name_of(problem.find(quantity.name)->dtype));
  const auto value = quantity.values.find(dtype);
  if (value != quantity.values.end()) return value->second;
  return oracle::fail(
      ErrorCode::wrong_dtype,
      fmt::format("{} is {} here, for which \"values\" has no value", quantity.name, dtype));
}

}  // namespace

Quantity read_quantity(JsonObject& object) {
  Quantity quantity;
  const Kind* chosen = nullptr;
  for (const Kind& kind : kinds) {
    if (object.optional_value(kind.key) == nullptr) continue;
    if (chosen != nullptr) {
      object.fault(kind.key, fmt::format("expected one of them, got \"{}\" too", chosen->key));
    }
    chosen = &kind;
  }
  if (chosen == nullptr) {
    std::array<const char*, kinds.size()> keys{};
    std::transform(kinds.begin(), kinds.end(), keys.begin(),
                   [](const Kind& kind) { return kind.key; });
    object.fault(fmt::to_string(fmt::join(keys, "|")), "expected one of these members, got none");
    return quantity;
  }
  quantity.source = chosen->source;
  switch (quantity.source) {
    case Quantity::Source::constant:
      quantity.constant = object.integer("constant", INT64_MIN, INT64_MAX);
      break;
    case Quantity::Source::size:
      read_tensor_axis(object, "size", quantity);
      break;
    case Quantity::Source::stride: {
      read_tensor_axis(object, "stride", quantity);
      const std::string unit = object.text("unit");
      quantity.in_bytes = unit == "bytes";
      if (!quantity.in_bytes && unit != "elements") {
        object.fault("unit", fmt::format("expected bytes or elements, got \"{}\"", unit));
      }
      break;
    }
    case Quantity::Source::scalar:
      quantity.name = object.text("scalar");
      break;
    case Quantity::Source::argument:
      quantity.name = object.text("argument");
      break;
    case Quantity::Source::dtype:
      quantity.name = object.text("dtype");
      read_values(object, quantity);
      break;
    case Quantity::Source::product:
      read_factors(object, quantity);
      break;
  }
  if (object.optional_value("divide_up") != nullptr) {
    quantity.divide_up = object.integer("divide_up", 1, INT64_MAX);
  }
  return quantity;
}

Result<Quantity> quantity_from_json(const nlohmann::json& json, const std::string& place) {
  if (is_integer(json)) {
    Quantity quantity;
    quantity.constant = json.get<std::int64_t>();
    return quantity;
  }
  if (!json.is_object()) {
    return malformed(
        fmt::format("{}: expected an integer or an object, got {}", place, describe(json)));
  }
  JsonObject object(json, place);
  Quantity quantity = read_quantity(object);
  if (Result<void> status = object.done(); !status) return tl::make_unexpected(status.error());
  return quantity;
}

std::string describe(const Quantity& quantity) {
  std::string text;
  switch (quantity.source) {
    case Quantity::Source::constant:
      text = fmt::format("constant {}", quantity.constant);
      break;
    case Quantity::Source::size:
      text = fmt::format("size of axis {} of {}", quantity.axis, quantity.name);
      break;
    case Quantity::Source::stride:
      text = fmt::format("stride of axis {} of {} in {}", quantity.axis, quantity.name,
                         quantity.in_bytes ? "bytes" : "elements");
      break;
    case Quantity::Source::scalar:
    case Quantity::Source::argument:
      text = quantity.name;
      break;
    case Quantity::Source::dtype:
      text = "dtype of " + quantity.name;
      break;
    case Quantity::Source::product: {
      std::vector<std::string> factors;
      for (const Quantity& factor : quantity.factors) factors.push_back(describe(factor));
      text = fmt::to_string(fmt::join(factors, " x "));
      break;
    }
  }
  if (quantity.divide_up != 1) text += fmt::format(" / {}", quantity.divide_up);
  return text;
}

Result<std::int64_t> value_of(const Quantity& quantity, const Signature& signature,
                              const Problem& problem) {
  return undivided(quantity, signature, problem).map([&](std::int64_t value) {
    const std::int64_t quotient = value / quantity.divide_up;
    return quotient + (value % quantity.divide_up > 0 ? 1 : 0);
  });
}

namespace {

Status refuse(const Signature& signature, std::string_view kind, std::string_view name,
              const std::vector<std::string_view>& known) {
  return oracle::fail(
      ErrorCode::unknown_name,
      fmt::format("{} has no {} \"{}\"; there {}", signature.operation, kind, name,
                  known.empty() ? "are none" : fmt::format("are: {}", fmt::join(known, ", "))));
}

}  // namespace

Status check_tensor_name(std::string_view name, const Signature& signature) {
  if (signature.find(name) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const TensorSignature& tensor : signature.tensors) names.push_back(tensor.name);
  return refuse(signature, "tensor", name, names);
}

Status check_names(const Quantity& quantity, const Signature& signature) {
  const auto check = [&](std::string_view kind, const std::vector<std::string_view>& known) {
    const bool there = std::find(known.begin(), known.end(), quantity.name) != known.end();
    return there ? Status{} : refuse(signature, kind, quantity.name, known);
  };
  switch (quantity.source) {
    case Quantity::Source::constant:
      return {};
    case Quantity::Source::size:
    case Quantity::Source::stride:
    case Quantity::Source::dtype:
      return check_tensor_name(quantity.name, signature);
    case Quantity::Source::scalar: {
      std::vector<std::string_view> names;
      for (const ScalarSignature& scalar : signature.scalars) names.push_back(scalar.name);
      return check("scalar", names);
    }
    case Quantity::Source::argument:
      return check("argument", integer_names(signature));
    case Quantity::Source::product:
      for (const Quantity& factor : quantity.factors) {
        if (Status status = check_names(factor, signature); !status) return status;
      }
      return {};
  }
  return {};
}

}  // namespace harness
