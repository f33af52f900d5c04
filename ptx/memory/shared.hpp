// Shared memory of one block, with the last access of each byte: what nothing orders is a race.
//
// Order is kept as clocks. Each warp counts its own synchronizations, and knows of each other warp
// the count up to which it has synchronized with it. An access at count c of warp w is over for
// warp v when v knows more than c of w; within w, when w has synchronized since, or when it is the
// same thread.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/memory/findings.hpp"

namespace ptx::memory {

struct SharedAccessor {
  Who who;
  std::uint32_t warp{};
  const std::vector<std::uint32_t>* clocks{};  // of its warp: by warp, what it knows
};

class SharedMemory {
 public:
  explicit SharedMemory(Findings& findings) : findings_(findings) {}

  void reset(std::size_t bytes);

  // Null where they may not be read. Bytes that nobody wrote and races are findings; the bytes are
  // there.
  [[nodiscard]] const std::byte* read(std::uint64_t address, std::uint32_t bytes,
                                      const SharedAccessor& by);
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
             const SharedAccessor& by);

  // cp.async: from here until it is waited for the bytes are nobody's to touch.
  [[nodiscard]] bool begin_copy(std::uint64_t address, std::uint32_t bytes,
                                const SharedAccessor& by);
  void end_copy(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
                const SharedAccessor& by);

 private:
  struct Access {  // 0 is none
    std::uint64_t bits{};

    static Access of(const SharedAccessor& by) {
      return {(std::uint64_t{by.who.thread + 1} << 53U) |
              (std::uint64_t{(*by.clocks)[by.warp]} << 24U) | by.who.pc};
    }
    [[nodiscard]] bool none() const { return bits == 0; }
    [[nodiscard]] std::uint32_t thread() const {
      return static_cast<std::uint32_t>(bits >> 53U) - 1;
    }
    [[nodiscard]] std::uint32_t clock() const {
      return static_cast<std::uint32_t>(bits >> 24U) & 0x1fff'ffffU;
    }
    [[nodiscard]] std::uint32_t pc() const { return static_cast<std::uint32_t>(bits) & 0xff'ffffU; }
    [[nodiscard]] bool over_for(const SharedAccessor& by) const {
      const std::uint32_t earlier = thread();
      return earlier == by.who.thread || (*by.clocks)[earlier / 32] > clock();
    }
  };
  struct Byte {
    Access writer;
    Access reader;
    Access other_reader;  // a second one, of another thread
    Access copier;        // of a cp.async that runs
  };

  [[nodiscard]] bool inside(std::uint64_t address, std::uint32_t bytes, const SharedAccessor& by,
                            const char* does);
  void race(std::uint64_t at, Access earlier, Severity severity, const SharedAccessor& by,
            const char* what);
  void running(std::uint64_t at, Access copier, const SharedAccessor& by, const char* does);

  Findings& findings_;
  std::vector<std::byte> bytes_;
  std::vector<Byte> state_;
};

}  // namespace ptx::memory
