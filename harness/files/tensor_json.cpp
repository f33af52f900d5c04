#include "harness/files/tensor_json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace harness {
namespace {

std::string_view name_of(Role role) { return role == Role::input ? "input" : "output"; }

}  // namespace

nlohmann::ordered_json tensor_to_json(const Tensor& tensor) {
  nlohmann::ordered_json json;
  json["name"] = tensor.name;
  json["role"] = name_of(tensor.role);
  json["dtype"] = name_of(tensor.dtype);
  json["shape"] = tensor.shape;
  json["strides"] = tensor.strides;
  json["origin_bytes"] = tensor.origin_bytes;
  json["misalignment_bytes"] = tensor.misalignment_bytes;
  return json;
}

Tensor tensor_from_json(JsonObject& object) {
  Tensor tensor;
  tensor.name = object.text("name");
  const std::string role = object.text("role");
  const std::string dtype = object.text("dtype");
  tensor.shape = object.integers("shape");
  tensor.strides = object.integers("strides");
  tensor.origin_bytes = object.integer("origin_bytes", INT64_MIN, INT64_MAX);
  tensor.misalignment_bytes =
      static_cast<std::uint32_t>(object.integer("misalignment_bytes", 0, 255));
  tensor.role = role == name_of(Role::output) ? Role::output : Role::input;
  if (role != name_of(tensor.role)) {
    object.fault("role", fmt::format("expected \"input\" or \"output\", got \"{}\"", role));
  }
  const auto known = dtype_named(dtype);
  if (!known) object.fault("dtype", fmt::format("expected a known dtype, got \"{}\"", dtype));
  tensor.dtype = known.value_or(DType::u8);
  return tensor;
}

}  // namespace harness
