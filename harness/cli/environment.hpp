// Facts of the machine for the header of the results.
#pragma once

#include <nlohmann/json.hpp>

namespace harness::cli {

// host, cpu, cores (that this process may use), memory_bytes, os_release, container, kernel,
// compiler, build_type, host_flags, device_flags
nlohmann::ordered_json environment();

}  // namespace harness::cli
