// The tensors of a problem in device memory, each between guard zones. docs/devices.md, "Guards",
// says how they are laid out and why.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"

namespace harness {

class GuardedBuffers {
 public:
  // At least `guard_bytes` of checked bytes lie before every tensor, and behind every tensor whose
  // storage does not end where memory ends.
  explicit GuardedBuffers(Device& device, std::uint64_t guard_bytes = 256)
      : device_(device), guard_bytes_(guard_bytes) {}
  ~GuardedBuffers();
  GuardedBuffers(const GuardedBuffers&) = delete;
  GuardedBuffers& operator=(const GuardedBuffers&) = delete;

  // Places the problem's tensors and writes guards and storages. A tensor whose predecessor at the
  // same place of the problem had the same role, size and misalignment takes its memory; what no
  // longer fits is released first. Error: the device's.
  Status place(const Problem& problem);

  // Of the problem placed last: the device address of element [0, ..., 0] of every tensor.
  std::vector<std::uint64_t> origins(const Problem& problem) const;
  Result<Outputs> read_outputs(const Problem& problem);
  // Changed guard bytes of every tensor and changed bytes of every input.
  Result<std::vector<Trespass>> find_trespasses(const Problem& problem);
  // Where an address lies, told by the tensor nearest to it: "16 bytes behind kv_cache". Empty
  // where none is near.
  std::string describe(const Problem& problem, DeviceAddress address) const;

 private:
  struct Buffer {
    DeviceAddress base = 0;
    std::uint64_t before = 0;  // guard bytes before the storage
    std::uint64_t storage = 0;
    std::uint64_t after = 0;  // guard bytes behind it
    Role role = Role::input;

    DeviceAddress start() const { return base + before; }
    bool operator==(const Buffer&) const = default;
  };

  Buffer layout(const Tensor& tensor) const;
  void release(Buffer& buffer);
  Status write_guards(std::size_t tensor, const Buffer& buffer);

  Device& device_;
  std::uint64_t guard_bytes_;
  std::vector<Buffer> buffers_;  // of the tensors of the problem placed last
};

// The byte that guards keep at `position`, counted from the first byte of the storage of the
// problem's tensor number `tensor`. Its high bit is set, so that a table entry read from a guard is
// a negative id.
constexpr std::uint8_t guard_byte(std::size_t tensor, std::int64_t position) {
  const auto p = static_cast<std::uint64_t>(position);
  return static_cast<std::uint8_t>(0x80 | ((p * 109 + (p >> 7) * 31 + tensor * 53) & 0x7f));
}

}  // namespace harness
