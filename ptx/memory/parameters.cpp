#include "ptx/memory/parameters.hpp"

namespace ptx::memory {

const std::byte* ParameterMemory::read(std::uint64_t address, std::uint32_t bytes,
                                       const Who& by) const {
  const auto what = [&] {
    return "reads " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  };
  // The nearest one, so that an address before its first byte is still its own.
  const std::uint64_t index =
      (address - parameters_address + (parameter_step / 2)) / parameter_step;
  if (index >= parameters_.size()) {
    findings_.add({.kind = FindingKind::out_of_bounds,
                   .who = by,
                   .address = address,
                   .what = what() + " at address " + std::to_string(address) +
                           " of the parameters, where none is near"});
    return nullptr;
  }
  const Parameter& parameter = parameters_[index];
  const auto offset = static_cast<std::int64_t>(address - address_of_parameter(index));
  const bool inside = offset >= 0 && offset + bytes <= parameter.bytes;
  if (inside && (parameter.offset + offset) % bytes == 0) return at(parameter.offset + offset);
  findings_.add({.kind = inside ? FindingKind::misaligned : FindingKind::out_of_bounds,
                 .who = by,
                 .range = parameter.name,
                 .address = address,
                 .offset = offset,
                 .what = what() + " at offset " + std::to_string(offset) + " of parameter " +
                         parameter.name +
                         (inside ? ", no multiple of it"
                                 : ", which has " + std::to_string(parameter.bytes) + " bytes")});
  return nullptr;
}

}  // namespace ptx::memory
