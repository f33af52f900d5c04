// The map of a module file: which kernel of it implements which operation, and how it is launched
// (docs/plug-ins.md, "A module file"; harness/schema/module.schema.json).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/implementations/module/quantity.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct ModuleParameter {
  enum class Type { pointer, i32, u32, i64, u64 };
  Type type = Type::pointer;
  std::string tensor;  // of a pointer: to its element [0, ..., 0]
  Quantity quantity;   // of an integer
};

struct ModuleMap {
  std::filesystem::path module;  // relative paths are the map's folder's
  std::string operation;
  std::string name;  // the path of the implementation
  std::string profile;
  std::string entry;  // the symbol of the kernel
  std::array<std::uint32_t, 3> threads{1, 1, 1};
  std::vector<Quantity> grid;  // 1 to 3 axes, x first
  std::uint32_t shared_bytes = 0;
  std::vector<ModuleParameter> parameters;
};

// Error: io_error, or malformed with the member, expected and actual.
Result<ModuleMap> read_module_map(const std::filesystem::path& path);

// That the map names what the operation has. Error: unknown_name, with what there is.
Status check_module_map(const ModuleMap& map, const Operation& operation);

}  // namespace harness
