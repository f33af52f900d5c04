// Parameters of one launch, each a range of its own: a pointer into one reaches no other.
#pragma once

#include <cstdint>
#include <span>

#include "ptx/memory/findings.hpp"

namespace ptx::memory {

// Where the parameter of this index lies in the state space .param: outside of all ranges of a
// launch and of a module's own variables, and further from the next than the 32764 bytes that
// parameters may have.
inline constexpr std::uint64_t parameters_address = std::uint64_t{1} << 41U;
inline constexpr std::uint64_t parameter_step = std::uint64_t{1} << 25U;
constexpr std::uint64_t address_of_parameter(std::size_t index) {
  return parameters_address + (index * parameter_step);
}

class ParameterMemory {
 public:
  ParameterMemory(std::span<const Parameter> parameters, std::span<const std::byte> bytes,
                  Findings& findings)
      : parameters_(parameters), bytes_(bytes), findings_(findings) {}

  // What an instruction reads by the parameter's name; it was checked when the module was loaded.
  [[nodiscard]] const std::byte* at(std::int64_t offset) const { return bytes_.data() + offset; }

  // Where `bytes` bytes at the address lie; null where they may not be read, which is a finding.
  // The launch gave all of them: none is uninitialised.
  [[nodiscard]] const std::byte* read(std::uint64_t address, std::uint32_t bytes,
                                      const Who& by) const;

 private:
  std::span<const Parameter> parameters_;
  std::span<const std::byte> bytes_;
  Findings& findings_;
};

}  // namespace ptx::memory
