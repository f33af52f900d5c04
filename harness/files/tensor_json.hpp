// All of a tensor but its bytes, as problem files and the messages to a worker carry it.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/files/strict_json.hpp"
#include "harness/model/problem.hpp"

namespace harness {

// name, role, dtype, shape, strides, origin_bytes and misalignment_bytes.
nlohmann::ordered_json tensor_to_json(const Tensor& tensor);

// The same members, taken out of `object`, which keeps the first that is not as it should be. What
// they mean together is the caller's to check.
Tensor tensor_from_json(JsonObject& object);

}  // namespace harness
