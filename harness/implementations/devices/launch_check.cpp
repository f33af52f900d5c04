#include "harness/implementations/devices/launch_check.hpp"

#include <fmt/format.h>

namespace harness {

Status check_launch(const kernels::Entry& entry, std::span<const std::uint8_t> arguments,
                    std::uint64_t blocks) {
  if (arguments.size() != entry.argument_bytes) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("launch of {}: arguments: expected {} bytes, got {}",
                                    entry.name, entry.argument_bytes, arguments.size()));
  }
  if (blocks > max_blocks) {
    return oracle::fail(ErrorCode::out_of_range,
                        fmt::format("launch of {}: blocks: expected at most {}, got {}", entry.name,
                                    max_blocks, blocks));
  }
  return {};
}

}  // namespace harness
