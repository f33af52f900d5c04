// The boards of a run's GPUs, asked in a worker before and after it.
#pragma once

#include <span>
#include <vector>

#include "harness/cli/suite.hpp"
#include "harness/implementations/isolation/isolation.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

// An array of the boards of those devices that are GPUs. Where the worker gives no answer each
// board says why in the place of its members. Empty where the suite knows no boards.
nlohmann::ordered_json boards_of(const Suite& suite, std::span<const DeviceInfo> devices,
                                 const WorkerOptions& options);

// Those before a run with those after it, by their devices.
std::vector<BoardRecord> board_records(const nlohmann::ordered_json& before,
                                       const nlohmann::ordered_json& after);

}  // namespace harness::cli
