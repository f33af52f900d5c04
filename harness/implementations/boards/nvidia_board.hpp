#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/implementations/boards/nvml.hpp"

namespace harness {

// The board of an NVIDIA GPU at this PCI address, of which CUDA shows the device of that UUID: the
// GPU, or an instance of it ("MIG").
nlohmann::ordered_json nvidia_board(const Result<nvml::Library>& library, const std::string& pci,
                                    const std::string& uuid);

}  // namespace harness
