// A small operation for the tests of devices: `to` becomes `from`, both arrays of bytes. Kernels
// for it, right and wrong, are made from lambdas that run one thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "harness/model/operation.hpp"
#include "kernels/module.hpp"

namespace harness::testing {

struct CopyArgs {
  const std::uint8_t* from;
  std::uint8_t* to;
  std::int64_t count;
};

inline constexpr unsigned copy_threads = 32;

class CopyOperation final : public Operation {
 public:
  explicit CopyOperation(std::string name = "copy") : name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "copies bytes"; }
  std::vector<Case> cases(Level, std::uint64_t) const override { return {}; }
  Result<std::vector<Problem>> build(const nlohmann::json&) const override {
    return std::vector<Problem>{};
  }
  nlohmann::json random_spec(std::uint64_t) const override { return {}; }
  std::vector<nlohmann::json> smaller_specs(const nlohmann::json&) const override { return {}; }
  Status validate(const Problem&) const override { return {}; }
  Result<Outputs> expected(const Problem& problem, const oracle::Profile&) const override {
    return Outputs{problem.tensors[0].storage};
  }
  const Signature& signature() const override {
    static const Signature signature = [] {
      const auto bytes = [](std::string_view name, Role role) {
        TensorSignature tensor;
        tensor.name = name;
        tensor.role = role;
        tensor.dtypes = {DType::u8};
        tensor.axes = {{.name = "bytes"}};
        return tensor;
      };
      Signature s;
      s.operation = "copy";
      s.tensors = {bytes("from", Role::input), bytes("to", Role::output)};
      s.scalars = {{.name = "count", .type = ScalarType::i64}};
      s.struct_name = "CopyArgs";
      s.struct_bytes = sizeof(CopyArgs);
      s.members = {member("from", &CopyArgs::from), member("to", &CopyArgs::to),
                   member("count", &CopyArgs::count)};
      s.grid = {"count"};
      s.grid_counts_threads = true;
      return s;
    }();
    return signature;
  }
  Diagnosis diagnose(std::span<const Problem>, const oracle::Profile&, const Outputs&,
                     const Outputs&) const override {
    return {};
  }
  void cover(const Problem&, Coverage&) const override {}
  std::vector<std::string> required_bins() const override { return {}; }

 private:
  std::string name_;
};

// Copies `bytes` bytes that count up from `first` over an output filled with ee.
inline Problem copy_problem(std::size_t bytes, std::uint8_t first = 0) {
  const auto tensor = [&](const char* name, Role role) {
    Tensor t;
    t.name = name;
    t.role = role;
    t.shape = {static_cast<std::int64_t>(bytes)};
    t.strides = {1};
    t.storage.assign(bytes, 0xee);
    return t;
  };
  Problem problem;
  problem.operation = "copy";
  problem.tensors = {tensor("from", Role::input), tensor("to", Role::output)};
  for (std::size_t i = 0; i < bytes; ++i) {
    problem.tensors[0].storage[i] = static_cast<std::uint8_t>(first + i);
  }
  problem.scalars["count"] = static_cast<std::int64_t>(bytes);
  return problem;
}

}  // namespace harness::testing
