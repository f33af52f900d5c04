// A call of an operation as a launch of somebody's kernel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/module/module_map.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct ModuleLaunch {
  LaunchShape shape;
  std::vector<std::uint8_t> parameters;  // each at a multiple of its size, as a struct has them
};

// `origins` is the device address of element [0, ..., 0] of every tensor. Precondition: the map was
// checked, and the problem keeps the signature. Error: names the axis of the grid or the parameter,
// with what does not fit.
Result<ModuleLaunch> bind_module(const ModuleMap& map, const Signature& signature,
                                 const Problem& problem, std::span<const std::uint64_t> origins);

}  // namespace harness
