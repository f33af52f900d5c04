// What a GPU's board says of itself, for the record of a bring-up: address, firmware, clocks,
// limits, modes and error counters. NVIDIA's are asked through NVML, AMD's through the files of
// amdgpu.
//
// A board is a JSON object with the members of `board` in harness/schema/results.schema.json. What
// cannot be had is a text in its place that begins with "not available: " and says why.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/device_info.hpp"
#include "harness/model/result.hpp"

namespace harness {

// Kind "boards": {"kind": "boards", "devices": [{"name": "cuda:0", "pci": "0000:3b:00.0",
// "uuid": "GPU-..."}]}; facts: {"boards": [board]}, one for each device in that order. No
// implementations.
Result<OpenedSource> open_boards(const nlohmann::json& spec);

// The spec that asks for the boards of those devices that are on one: GPUs.
nlohmann::json boards_spec(std::span<const DeviceInfo> devices);

// The board of an AMD GPU at this PCI address, by the files under `root`, "/" but in tests.
nlohmann::ordered_json amd_board(const std::filesystem::path& root, const std::string& pci);

// The number of NVIDIA's driver, "580.159.04": by /proc/driver/nvidia/version under `root`, else by
// NVML. "unknown" where neither says.
std::string nvidia_driver_number(const std::filesystem::path& root = "/");
// The number in the text of that file; empty where there is none.
std::string number_in_nvidia_version(const std::string& text);
// Of amdgpu where it is a package of its own, else what it came with: "of Linux 6.8.0".
std::string amd_driver_number(const std::filesystem::path& root = "/");

}  // namespace harness
