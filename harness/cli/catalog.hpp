// What can be run on this machine: devices and implementations, all of them opened in workers.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/cli/common_options.hpp"
#include "harness/cli/suite.hpp"
#include "harness/implementations/isolation/isolation.hpp"
#include "harness/results/records/results.hpp"

namespace harness::cli {

struct Survey {
  std::vector<DeviceInfo> present;
  struct Absent {
    std::string kind;  // "cuda", "hip"
    std::string reason;
  };
  std::vector<Absent> absent;
  std::vector<IdleGpu> gpus;  // that the machine shows, whether a runtime sees them or not
  // Why nothing can be known or run: the system gives no process to ask in. Empty where it does.
  std::string no_worker;
};

// Which devices there are. A runtime that breaks when it is asked is an absent kind with that
// reason.
Survey survey_machine(const WorkerOptions& options);

// "all", "cpu", "cuda", "hip", "cuda:N", "hip:N", "ptx". Error: unknown_name with the valid
// choices.
Status check_device_names(const std::vector<std::string>& names, const Survey& survey);

struct Catalog {
  std::vector<DeviceInfo> devices;  // those selected and opened
  std::vector<std::unique_ptr<Implementation>> implementations;
  // Devices that are absent or would not open, and what is under test and would not open.
  std::vector<NotRunRecord> not_run;
  // GPUs of kinds that are absent, where all devices are selected.
  std::vector<IdleGpu> idle_gpus;
  // Every path that there is, on whatever device: of this build, or of what is under test.
  std::set<std::string> paths;
};

// Opens the selection's devices, a checked list; with the kernels of this build, or with what is
// under test in their place. Error: invalid_argument for two under test that have one name.
Result<Catalog> open_catalog(const Survey& survey, const Selection& selection,
                             const WorkerOptions& options);

// How a worker runs that is limited so, and ends with this program.
WorkerOptions worker_options(const WorkerLimits& limits);

struct Machine {
  Survey survey;
  Catalog catalog;
};

// All of it for one selection, whose names are checked on the way: of operations, devices and
// paths, and of what is under test. Error: the option, what was expected, and what it is;
// out_of_memory where the system gives no process.
Result<Machine> open_machine(const Suite& suite, const Selection& selection,
                             const WorkerOptions& options);

}  // namespace harness::cli
