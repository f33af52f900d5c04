#include "harness/implementations/devices/guarded_execution.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {
namespace {

template <class T>
tl::unexpected<Error> error(const Result<T>& result) {
  return tl::make_unexpected(result.error());
}

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

Result<Execution> execute_between_guards(
    const GuardedPlace& place, const Problem& problem,
    const std::function<Result<double>(std::span<const std::uint64_t> origins)>& call) {
  if (problem.operation != place.operation.name()) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: expected a problem of {}, got one of {}", place.implementation,
                    place.operation.name(), problem.operation));
  }
  if (const Status status = place.buffers.place(problem); !status) return error(status);
  const std::vector<std::uint64_t> origins = place.buffers.origins(problem);
  const Result<double> seconds = call(origins);
  if (!seconds) return call_error(place, problem, seconds.error());
  Execution execution;
  execution.seconds = *seconds;
  Result<std::vector<Trespass>> trespasses = place.buffers.find_trespasses(problem);
  if (!trespasses) return error(trespasses);
  execution.trespasses = std::move(*trespasses);
  Result<Outputs> outputs = place.buffers.read_outputs(problem);
  if (!outputs) return error(outputs);
  execution.outputs = std::move(*outputs);
  return execution;
}

}  // namespace harness
