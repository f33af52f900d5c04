// What can be run on this machine: devices and implementations, all of them opened in workers.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/isolation.hpp"
#include "harness/results.hpp"

namespace harness::cli {

struct Survey {
  std::vector<DeviceInfo> present;
  struct Absent {
    std::string kind;  // "cuda", "hip"
    std::string reason;
  };
  std::vector<Absent> absent;
};

// Which devices there are. A runtime that breaks when it is asked is an absent kind with that
// reason.
Survey survey_machine(const WorkerOptions& options);

// "all", "cpu", "cuda:N", "hip:N". Error: unknown_name with the valid choices.
Status check_device_names(const std::vector<std::string>& names, const Survey& survey);

struct Catalog {
  std::vector<DeviceInfo> devices;  // those selected and opened
  std::vector<std::unique_ptr<Implementation>> implementations;
  std::vector<NotRunRecord> not_run;  // devices that are absent or would not open
  std::set<std::string> paths;        // every path that this build knows, on whatever device
};

// Opens the devices of `names`, a checked list.
Catalog open_catalog(const Survey& survey, const std::vector<std::string>& names,
                     const WorkerOptions& options);

}  // namespace harness::cli
