// An operation of which some cases are too large for most machines.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/fakes/fake_operation.hpp"

namespace harness {

class LargeOperation final : public fakes::FakeOperation {
 public:
  // `large` are the indices of the cases that say that they take so much of a device's memory.
  explicit LargeOperation(std::uint64_t device_bytes, std::vector<std::size_t> large = {1})
      : device_bytes_(device_bytes), large_(std::move(large)) {}

  std::vector<Case> cases(Level level, std::uint64_t seed) const override {
    std::vector<Case> cases = FakeOperation::cases(level, seed);
    for (const std::size_t i : large_) cases.at(i).device_bytes = device_bytes_;
    return cases;
  }

 private:
  std::uint64_t device_bytes_;
  std::vector<std::size_t> large_;
};

}  // namespace harness
