#include "harness/implementations/module/module_map.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace harness {
namespace {

constexpr std::int64_t schema_version = 1;
constexpr std::size_t max_parameters = 256;
constexpr std::int64_t max_shared_bytes = 1 << 20;
// Of CUDA and of HIP: threads along each axis, and of a block.
constexpr std::array<std::int64_t, 3> max_threads{1024, 1024, 64};
constexpr std::uint64_t max_block_threads = 1024;

struct TypeName {
  const char* name;
  ModuleParameter::Type type;
};
constexpr std::array<TypeName, 4> integer_types{{{"i32", ModuleParameter::Type::i32},
                                                 {"u32", ModuleParameter::Type::u32},
                                                 {"i64", ModuleParameter::Type::i64},
                                                 {"u64", ModuleParameter::Type::u64}}};

// A member that is one value or an array of up to three, one for each axis.
std::vector<const nlohmann::json*> axes(JsonObject& object, const char* key) {
  const nlohmann::json& value = object.value(key);
  std::vector<const nlohmann::json*> items;
  if (!value.is_array()) return {&value};
  for (const nlohmann::json& item : value) items.push_back(&item);
  if (items.empty() || items.size() > 3) {
    object.fault(key, fmt::format("expected 1 to 3 axes, got {}", items.size()));
    items.clear();
  }
  return items;
}

void read_threads(JsonObject& object, ModuleMap& map) {
  const std::vector<const nlohmann::json*> items = axes(object, "threads");
  std::uint64_t total = 1;
  for (std::size_t axis = 0; axis < items.size(); ++axis) {
    const nlohmann::json& item = *items[axis];
    const bool fits = item.is_number_unsigned() && item.get<std::uint64_t>() >= 1 &&
                      item.get<std::uint64_t>() <= static_cast<std::uint64_t>(max_threads[axis]);
    if (!fits) {
      object.fault("threads", fmt::format("axis {}: expected an integer in [1, {}], got {}", axis,
                                          max_threads[axis], describe(item)));
      return;
    }
    map.threads[axis] = item.get<std::uint32_t>();
    total *= map.threads[axis];
  }
  if (total > max_block_threads) {
    object.fault("threads",
                 fmt::format("expected at most {} in a block, got {}", max_block_threads, total));
  }
}

void read_grid(JsonObject& object, ModuleMap& map) {
  const std::vector<const nlohmann::json*> items = axes(object, "grid");
  for (std::size_t axis = 0; axis < items.size(); ++axis) {
    Result<Quantity> blocks = quantity_from_json(*items[axis], fmt::format("axis {}", axis));
    if (!blocks) return object.fault("grid", blocks.error().message);
    map.grid.push_back(std::move(*blocks));
  }
}

Result<ModuleParameter> parameter_from_json(const nlohmann::json& json, const std::string& place) {
  JsonObject object(json, place);
  ModuleParameter parameter;
  if (object.optional_value("tensor") != nullptr) {
    parameter.tensor = object.text("tensor");
  } else {
    parameter.quantity = read_quantity(object);
    const std::string type = object.text("type");
    bool known = false;
    for (const TypeName& each : integer_types) {
      if (type != each.name) continue;
      parameter.type = each.type;
      known = true;
    }
    if (!known) {
      object.fault("type", fmt::format("expected i32, u32, i64 or u64, got \"{}\"", type));
    }
  }
  if (Result<void> status = object.done(); !status) return tl::make_unexpected(status.error());
  return parameter;
}

void read_parameters(JsonObject& object, ModuleMap& map) {
  const nlohmann::json& list = object.value("parameters");
  if (!list.is_array() || list.empty() || list.size() > max_parameters) {
    object.fault("parameters", fmt::format("expected an array of 1 to {} parameters, got {}",
                                           max_parameters, describe(list)));
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    Result<ModuleParameter> parameter =
        parameter_from_json(list[i], fmt::format("parameter {}", i));
    if (!parameter) return object.fault("parameters", parameter.error().message);
    map.parameters.push_back(std::move(*parameter));
  }
}

std::string plain_text(JsonObject& object, const char* key) {
  std::string text = object.text(key);
  if (text.empty()) object.fault(key, "expected a name, got none");
  return text;
}

}  // namespace

Result<ModuleMap> read_module_map(const std::filesystem::path& path) {
  const Result<nlohmann::json> json = read_json_file(path);
  if (!json) return tl::make_unexpected(json.error());
  JsonObject object(*json, path.string());
  ModuleMap map;
  object.integer("schema", schema_version, schema_version);
  map.module = path.parent_path() / plain_text(object, "module");
  map.operation = plain_text(object, "operation");
  map.name = plain_text(object, "name");
  map.profile = plain_text(object, "profile");
  map.entry = plain_text(object, "entry");
  read_threads(object, map);
  read_grid(object, map);
  if (object.optional_value("shared_bytes") != nullptr) {
    map.shared_bytes =
        static_cast<std::uint32_t>(object.integer("shared_bytes", 0, max_shared_bytes));
  }
  read_parameters(object, map);
  if (Result<void> status = object.done(); !status) return tl::make_unexpected(status.error());
  return map;
}

Status check_module_map(const ModuleMap& map, const Operation& operation) {
  const Signature& signature = operation.signature();
  for (std::size_t i = 0; i < map.grid.size(); ++i) {
    if (Status status = check_names(map.grid[i], signature); !status) {
      return oracle::fail(status.error().code,
                          fmt::format("grid axis {}: {}", i, status.error().message));
    }
  }
  for (std::size_t i = 0; i < map.parameters.size(); ++i) {
    const ModuleParameter& parameter = map.parameters[i];
    const Status status = parameter.type == ModuleParameter::Type::pointer
                              ? check_tensor_name(parameter.tensor, signature)
                              : check_names(parameter.quantity, signature);
    if (!status) {
      return oracle::fail(status.error().code,
                          fmt::format("parameter {}: {}", i, status.error().message));
    }
  }
  return {};
}

}  // namespace harness
