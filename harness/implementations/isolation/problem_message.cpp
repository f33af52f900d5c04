#include "harness/implementations/isolation/problem_message.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/files/strict_json.hpp"
#include "harness/files/tensor_json.hpp"
#include "harness/model/zeros_on_demand.hpp"

namespace harness {
namespace {

Result<Tensor> receive_tensor(const nlohmann::json& json, SharedMemory& memory, bool whole,
                              GuardedRegion& region) {
  JsonObject reader(json, "tensor");
  Tensor tensor = tensor_from_json(reader);
  // Their sum fits in 64 bits.
  const auto bytes = [&](const char* name) {
    return static_cast<std::uint64_t>(reader.integer(name, 0, INT64_MAX / 4));
  };
  region = {bytes("offset"), bytes("before"), bytes("bytes"), bytes("after")};
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  if (Status status = memory.map_at_least(region.offset + region.bytes()); !status) {
    return tl::make_unexpected(status.error());
  }
  const std::span<const std::uint8_t> storage =
      memory.bytes().subspan(region.offset + region.before, region.storage);
  if (whole || region.storage < sparse_bytes) {
    tensor.storage.assign(storage.begin(), storage.end());
  } else {
    tensor.storage = zeros_on_demand(region.storage);
  }
  return tensor;
}

}  // namespace

Result<nlohmann::ordered_json> send_problem(const Problem& problem, const GuardedLayout& layout,
                                            SharedMemory& memory) {
  if (Status status = memory.clear_and_grow_to(layout.total_bytes); !status) {
    return tl::make_unexpected(status.error());
  }
  write_guarded(problem, layout, memory.bytes());
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const Tensor& tensor = problem.tensors[i];
    const GuardedRegion& region = layout.regions[i];
    nlohmann::ordered_json described = tensor_to_json(tensor);
    described["offset"] = region.offset;
    described["before"] = region.before;
    described["bytes"] = region.storage;
    described["after"] = region.after;
    tensors.push_back(std::move(described));
  }
  return nlohmann::ordered_json{{"operation", problem.operation},
                                {"tensors", std::move(tensors)},
                                {"scalars", problem.scalars}};
}

Result<ReceivedProblem> receive_problem(const nlohmann::json& json, SharedMemory& memory,
                                        bool whole) {
  JsonObject reader(json, "problem");
  ReceivedProblem received;
  Problem& problem = received.problem;
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
    GuardedRegion& region = received.layout.regions.emplace_back();
    Result<Tensor> tensor = receive_tensor(item, memory, whole, region);
    if (!tensor) return tl::make_unexpected(tensor.error());
    problem.tensors.push_back(std::move(*tensor));
    received.layout.total_bytes =
        std::max(received.layout.total_bytes, region.offset + region.bytes());
  }
  return received;
}

}  // namespace harness
