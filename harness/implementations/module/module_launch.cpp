#include "harness/implementations/module/module_launch.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <limits>

namespace harness {
namespace {

// Blocks along each axis of a grid, of CUDA and of HIP.
constexpr std::array<std::int64_t, 3> max_grid{0x7fffffff, 0xffff, 0xffff};

tl::unexpected<Error> error(const std::string& place, const Quantity& quantity,
                            const Error& error) {
  return oracle::fail(error.code,
                      fmt::format("{} ({}): {}", place, describe(quantity), error.message));
}

void append(std::vector<std::uint8_t>& bytes, std::uint64_t value, std::size_t size) {
  bytes.resize((bytes.size() + size - 1) / size * size + size);
  std::memcpy(bytes.data() + bytes.size() - size, &value, size);  // little endian, as GPUs are
}

template <class T>
Status append_integer(std::vector<std::uint8_t>& bytes, std::int64_t value, const char* type) {
  const bool fits =
      std::numeric_limits<T>::is_signed
          ? value >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
                value <= static_cast<std::int64_t>(std::numeric_limits<T>::max())
          : value >= 0 && static_cast<std::uint64_t>(value) <=
                              static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (!fits) {
    return oracle::fail(ErrorCode::out_of_range,
                        fmt::format("expected a value that fits in {}, got {}", type, value));
  }
  append(bytes, static_cast<std::uint64_t>(value), sizeof(T));
  return {};
}

Status append_value(std::vector<std::uint8_t>& bytes, ModuleParameter::Type type,
                    std::int64_t value) {
  switch (type) {
    case ModuleParameter::Type::i32:
      return append_integer<std::int32_t>(bytes, value, "i32");
    case ModuleParameter::Type::u32:
      return append_integer<std::uint32_t>(bytes, value, "u32");
    case ModuleParameter::Type::i64:
      return append_integer<std::int64_t>(bytes, value, "i64");
    case ModuleParameter::Type::u64:
      return append_integer<std::uint64_t>(bytes, value, "u64");
    case ModuleParameter::Type::pointer:
      break;
  }
  append(bytes, static_cast<std::uint64_t>(value), sizeof(std::uint64_t));
  return {};
}

}  // namespace

Result<ModuleLaunch> bind_module(const ModuleMap& map, const Signature& signature,
                                 const Problem& problem, std::span<const std::uint64_t> origins) {
  ModuleLaunch launch;
  launch.shape.threads = map.threads;
  launch.shape.shared_bytes = map.shared_bytes;
  for (std::size_t axis = 0; axis < map.grid.size(); ++axis) {
    const std::string place = fmt::format("grid axis {}", axis);
    const Result<std::int64_t> blocks = value_of(map.grid[axis], signature, problem);
    if (!blocks) return error(place, map.grid[axis], blocks.error());
    if (*blocks < 0 || *blocks > max_grid[axis]) {
      return error(place, map.grid[axis],
                   {ErrorCode::out_of_range,
                    fmt::format("expected blocks in [0, {}], got {}", max_grid[axis], *blocks)});
    }
    launch.shape.grid[axis] = static_cast<std::uint32_t>(*blocks);
  }
  for (std::size_t i = 0; i < map.parameters.size(); ++i) {
    const ModuleParameter& parameter = map.parameters[i];
    const std::string place = fmt::format("parameter {}", i);
    if (parameter.type == ModuleParameter::Type::pointer) {
      const auto tensor =
          static_cast<std::size_t>(problem.find(parameter.tensor) - problem.tensors.data());
      append(launch.parameters, origins[tensor], sizeof(std::uint64_t));
      continue;
    }
    const Status status =
        value_of(parameter.quantity, signature, problem).and_then([&](std::int64_t value) {
          return append_value(launch.parameters, parameter.type, value);
        });
    if (!status) return error(place, parameter.quantity, status.error());
  }
  return launch;
}

}  // namespace harness
