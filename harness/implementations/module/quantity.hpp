// Integers that a module map takes from a problem: sizes, strides, scalars, and products of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/strict_json.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/model/signature.hpp"

namespace harness {

struct Quantity {
  enum class Source { constant, size, stride, scalar, argument, dtype, product };
  Source source = Source::constant;
  std::int64_t constant = 0;
  std::string name;       // of the tensor, the scalar or the argument
  std::size_t axis = 0;   // of a size or stride
  bool in_bytes = false;  // a stride; else in elements
  // What a size or stride is where the tensor has another number of axes than `rank`.
  std::optional<std::size_t> rank;
  std::int64_t otherwise = 0;
  std::map<std::string, std::int64_t> values;  // of a dtype, by safetensors name
  std::vector<Quantity> factors;
  std::int64_t divide_up = 1;  // the quotient by this, rounded up
};

// Takes the members of one quantity from an object, whose other members are the caller's:
//   {"constant": 8192}   {"scalar": "max_num_pages"}   {"argument": "num_blocks"}
//   {"size": ["block_table", 0]}
//   {"stride": ["kv_cache", 0], "unit": "bytes"}   {"dtype": "out", "values": {"F32": 1}}
//   {"product": [{...}, 2]}
// and with each "divide_up": 256, with a size or stride "rank": 3 and "otherwise": 1. What is wrong
// is noted as a fault of `object`.
Quantity read_quantity(JsonObject& object);
// The same of a whole value; a plain integer is a constant.
Result<Quantity> quantity_from_json(const nlohmann::json& json, const std::string& place);

// "size of axis 0 of block_table"
std::string describe(const Quantity& quantity);

// That the operation has all tensors, scalars and arguments that it names. Error: with those there
// are.
Status check_names(const Quantity& quantity, const Signature& signature);
Status check_tensor_name(std::string_view name, const Signature& signature);

// Precondition: check_names, and the problem keeps the signature. Error: the problem has no such
// axis, no value for its dtype; 64 bits overflow.
Result<std::int64_t> value_of(const Quantity& quantity, const Signature& signature,
                              const Problem& problem);

}  // namespace harness
