#include "harness/implementations/binding.hpp"

#include <fmt/format.h>

#include <cstring>

namespace harness {
namespace {

Status refuse(const Problem& problem, std::string_view argument, std::int64_t multiple,
              std::int64_t more) {
  return oracle::fail(ErrorCode::invalid_argument,
                      fmt::format("{}: {}: expected a multiple of {}, as include/fp4cts/abi.h "
                                  "promises, got {} more",
                                  problem.operation, argument, multiple, more));
}

std::uint64_t origin_of(const Problem& problem, std::span<const std::uint64_t> origins,
                        std::string_view name) {
  return origins[static_cast<std::size_t>(problem.find(name) - problem.tensors.data())];
}

Status check_alignment(const Signature& signature, const Problem& problem,
                       std::span<const std::uint64_t> origins) {
  for (const TensorSignature& tensor : signature.tensors) {
    const auto address =
        static_cast<std::int64_t>(origin_of(problem, origins, tensor.name) & INT64_MAX);
    const std::int64_t multiple =
        tensor.alignment_bytes != 0
            ? tensor.alignment_bytes
            : static_cast<std::int64_t>(element_bytes(problem.find(tensor.name)->dtype));
    if (const std::int64_t more = address % multiple; more != 0) {
      return refuse(problem, fmt::format("{} address", tensor.name), multiple, more);
    }
    for (const Axis& axis : tensor.axes) {
      if (axis.stride.empty() || axis.stride_multiple_bytes == 1) continue;
      const std::int64_t bytes = named_integer(signature, problem, axis.stride).value_or(0);
      if (const std::int64_t more = bytes % axis.stride_multiple_bytes; more != 0) {
        return refuse(problem, axis.stride, axis.stride_multiple_bytes, more);
      }
    }
  }
  return {};
}

// Little endian, as the devices are.
Status put(std::vector<std::uint8_t>& bytes, const Problem& problem, const StructMember& member,
           std::int64_t value) {
  if (member.bytes == sizeof(std::int32_t) && (value < INT32_MIN || value > UINT32_MAX)) {
    return oracle::fail(ErrorCode::out_of_range,
                        fmt::format("{}: {}: expected a value of {} bytes, got {}",
                                    problem.operation, member.name, member.bytes, value));
  }
  std::memcpy(bytes.data() + member.offset, &value, member.bytes);
  return {};
}

}  // namespace

Result<std::vector<std::uint8_t>> bind_struct(const Signature& signature, const Problem& problem,
                                              std::span<const std::uint64_t> origins) {
  if (Status aligned = check_alignment(signature, problem, origins); !aligned) {
    return tl::make_unexpected(aligned.error());
  }
  std::vector<std::uint8_t> bytes(signature.struct_bytes);
  for (const StructMember& member : signature.members) {
    std::int64_t value = 0;
    if (member.name == "struct_bytes") {
      value = static_cast<std::int64_t>(signature.struct_bytes);
    } else if (signature.find(member.name) != nullptr) {
      value = static_cast<std::int64_t>(origin_of(problem, origins, member.name));
    } else if (const auto integer = named_integer(signature, problem, member.name)) {
      value = *integer;
    } else {
      return oracle::fail(ErrorCode::unknown_name,
                          fmt::format("{}: expected a value for the member {} of {}, got none",
                                      problem.operation, member.name, signature.struct_name));
    }
    if (Status status = put(bytes, problem, member, value); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  return bytes;
}

Result<Launch> bind_launch(const Signature& signature, const Problem& problem,
                           std::span<const std::uint64_t> origins, unsigned threads_per_block) {
  auto arguments = bind_struct(signature, problem, origins);
  if (!arguments) return tl::make_unexpected(arguments.error());
  auto count = static_cast<std::uint64_t>(signature.grid_factor);
  for (const std::string_view name : signature.grid) {
    const auto extent =
        static_cast<std::uint64_t>(named_integer(signature, problem, name).value_or(0));
    if (__builtin_mul_overflow(count, extent, &count)) {
      return oracle::fail(ErrorCode::out_of_range,
                          fmt::format("{}: grid: expected a number of 64 bits, got a larger one",
                                      problem.operation));
    }
  }
  if (signature.grid_counts_threads) {
    count = count / threads_per_block + (count % threads_per_block != 0 ? 1 : 0);
  }
  return Launch{std::move(*arguments), count};
}

}  // namespace harness
