#include "harness/implementations/isolation/problem_message.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/files/strict_json.hpp"

namespace harness {
namespace {

constexpr std::uint64_t alignment = 256;

std::string_view name_of(Role role) { return role == Role::input ? "input" : "output"; }

Result<Tensor> receive_tensor(const nlohmann::json& json, SharedMemory& memory) {
  JsonObject reader(json, "tensor");
  Tensor tensor;
  tensor.name = reader.text("name");
  const std::string role = reader.text("role");
  tensor.role = role == name_of(Role::output) ? Role::output : Role::input;
  if (role != name_of(tensor.role)) {
    reader.fault("role", fmt::format("expected \"input\" or \"output\", got \"{}\"", role));
  }
  const std::string dtype_name = reader.text("dtype");
  const std::optional<DType> dtype = dtype_named(dtype_name);
  if (!dtype) reader.fault("dtype", fmt::format("no dtype is named \"{}\"", dtype_name));
  tensor.dtype = dtype.value_or(DType::u8);
  tensor.shape = reader.integers("shape");
  tensor.strides = reader.integers("strides");
  tensor.origin_bytes = reader.integer("origin_bytes", INT64_MIN, INT64_MAX);
  tensor.misalignment_bytes =
      static_cast<std::uint32_t>(reader.integer("misalignment_bytes", 0, UINT32_MAX));
  const auto offset = static_cast<std::uint64_t>(reader.integer("offset", 0, INT64_MAX));
  const auto bytes = static_cast<std::uint64_t>(reader.integer("bytes", 0, INT64_MAX));
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  if (Status status = memory.map_at_least(offset + bytes); !status) {
    return tl::make_unexpected(status.error());
  }
  const std::span<const std::uint8_t> storage = memory.bytes().subspan(offset, bytes);
  tensor.storage.assign(storage.begin(), storage.end());
  return tensor;
}

}  // namespace

ProblemPlaces places_of(const Problem& problem) {
  ProblemPlaces places;
  for (const Tensor& tensor : problem.tensors) {
    places.offsets.push_back(places.total_bytes);
    places.total_bytes += (tensor.storage.size() + alignment - 1) / alignment * alignment;
  }
  return places;
}

Result<nlohmann::ordered_json> send_problem(const Problem& problem, SharedMemory& memory) {
  const ProblemPlaces places = places_of(problem);
  if (Status status = memory.grow_to(places.total_bytes); !status) {
    return tl::make_unexpected(status.error());
  }
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const Tensor& tensor = problem.tensors[i];
    std::copy(tensor.storage.begin(), tensor.storage.end(),
              memory.bytes().subspan(places.offsets[i]).begin());
    tensors.push_back({{"name", tensor.name},
                       {"role", name_of(tensor.role)},
                       {"dtype", name_of(tensor.dtype)},
                       {"shape", tensor.shape},
                       {"strides", tensor.strides},
                       {"origin_bytes", tensor.origin_bytes},
                       {"misalignment_bytes", tensor.misalignment_bytes},
                       {"offset", places.offsets[i]},
                       {"bytes", tensor.storage.size()}});
  }
  return nlohmann::ordered_json{{"operation", problem.operation},
                                {"tensors", std::move(tensors)},
                                {"scalars", problem.scalars}};
}

Result<Problem> receive_problem(const nlohmann::json& json, SharedMemory& memory) {
  JsonObject reader(json, "problem");
  Problem problem;
  problem.operation = reader.text("operation");
  const nlohmann::json& tensors = reader.value("tensors");
  const nlohmann::json& scalars = reader.value("scalars");
  if (!tensors.is_array()) reader.fault("tensors", "expected an array, got " + describe(tensors));
  JsonObject numbers(scalars, "problem: \"scalars\"");
  for (const auto& [name, value] : scalars.items()) {
    if (scalars.is_object()) {
      problem.scalars[name] = numbers.integer(name.c_str(), INT64_MIN, INT64_MAX);
    }
  }
  for (const Result<void>& status : {numbers.done(), reader.done()}) {
    if (!status) return tl::make_unexpected(status.error());
  }
  for (const nlohmann::json& item : tensors) {
    Result<Tensor> tensor = receive_tensor(item, memory);
    if (!tensor) return tl::make_unexpected(tensor.error());
    problem.tensors.push_back(std::move(*tensor));
  }
  return problem;
}

Status send_outputs(const Problem& problem, const Outputs& outputs, SharedMemory& memory) {
  const ProblemPlaces places = places_of(problem);
  std::size_t next = 0;
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const Tensor& tensor = problem.tensors[i];
    if (tensor.role != Role::output) continue;
    const std::size_t size = next < outputs.size() ? outputs[next].size() : 0;
    if (next >= outputs.size() || size != tensor.storage.size()) {
      return oracle::fail(ErrorCode::wrong_shape,
                          fmt::format("output {}: expected {} bytes, got {}", tensor.name,
                                      tensor.storage.size(), size));
    }
    std::copy(outputs[next].begin(), outputs[next].end(),
              memory.bytes().subspan(places.offsets[i]).begin());
    ++next;
  }
  if (next != outputs.size()) {
    return oracle::fail(ErrorCode::wrong_shape,
                        fmt::format("expected {} outputs, got {}", next, outputs.size()));
  }
  return {};
}

Outputs receive_outputs(const Problem& problem, const SharedMemory& memory) {
  const ProblemPlaces places = places_of(problem);
  Outputs outputs;
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const Tensor& tensor = problem.tensors[i];
    if (tensor.role != Role::output) continue;
    const auto bytes = memory.bytes().subspan(places.offsets[i], tensor.storage.size());
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

}  // namespace harness
