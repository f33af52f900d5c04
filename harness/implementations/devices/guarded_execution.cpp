#include "harness/implementations/devices/guarded_execution.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {
namespace {

tl::unexpected<Error> call_error(const GuardedPlace& place, const Problem& problem, Error error) {
  // Other errors came before a launch: the address would be that of an earlier one.
  if (error.code != ErrorCode::device_error && error.code != ErrorCode::device_lost) {
    return tl::make_unexpected(std::move(error));
  }
  const std::optional<DeviceAddress> address = place.device.faulting_address();
  if (address) {
    const std::string where = place.buffers.describe(problem, *address);
    if (!where.empty()) error.message += ", " + where;
  }
  if (address || place.device.faulted_beyond_addresses()) {
    const std::string why =
        place.operation.explain_access(problem, place.buffers.origins(problem), address);
    if (!why.empty()) error.message += ". " + why;
  }
  return tl::make_unexpected(std::move(error));
}

}  // namespace

Result<double> execute_between_guards(
    const GuardedPlace& place, const Problem& problem, const CallMemory& memory,
    const std::function<Result<double>(std::span<const std::uint64_t> origins)>& call) {
  if (problem.operation != place.operation.name()) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: expected a problem of {}, got one of {}", place.implementation,
                    place.operation.name(), problem.operation));
  }
  if (const Status status = place.buffers.place(problem, memory); !status) {
    return tl::make_unexpected(status.error());
  }
  const std::vector<std::uint64_t> origins = place.buffers.origins(problem);
  const Result<double> seconds = call(origins);
  if (!seconds) return call_error(place, problem, seconds.error());
  if (const Status status = place.buffers.take_back(memory); !status) {
    return tl::make_unexpected(status.error());
  }
  return seconds;
}

}  // namespace harness
