// Executes PTX text as nvcc and Triton emit it, without a GPU, and judges each access on the way.
//
//     auto module = ptx::Module::load(text, "gather.ptx");      // refuses what it cannot read
//     for (const ptx::Lack& lack : module->entries()[0].lacks) ...  // forms that are not executed
//     auto report = module->launch(launch);                     // bytes in the ranges, faults as
//     findings
//
// Every tensor is a range of its own with a device address of its own (ptx::address_of_range), so
// that no pointer into one reaches another: what a kernel reads or writes outside is a finding,
// never luck. A module is immutable once loaded: any number of threads may launch it at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/finding.hpp"
#include "ptx/result.hpp"

namespace ptx {

struct Parameter {
  std::string name;
  std::string type;  // "u64", "b8"
  std::uint32_t offset{};
  std::uint32_t bytes{};  // of the whole array
  std::uint32_t alignment{};
  bool pointer{};  // the text says .ptr

  bool operator==(const Parameter&) const = default;
};

// An instruction of an entry that is not executed here. An entry that lacks anything is not
// launched.
struct Lack {
  std::uint32_t line{};
  std::string text;  // the instruction
  std::string reason;

  bool operator==(const Lack&) const = default;
};

struct Entry {
  std::string name;
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes{};
  std::array<std::uint32_t, 3> required_threads{};  // .reqntid; 0 where the text does not say
  std::array<std::uint32_t, 3> most_threads{};      // .maxntid; 0 where the text does not say
  std::uint32_t shared_bytes{};                     // static; dynamic ones come after it
  bool takes_dynamic_shared{};                      // .extern .shared
  std::uint32_t instructions{};                     // static
  std::vector<Lack> lacks;
};

enum class Access : std::uint8_t {
  input,   // initialised; a store into it is a finding
  output,  // stored to; a byte that is read before anyone wrote it is a finding
  inout,   // initialised, and stored to
};

// Global memory that a launch may touch: one tensor. `bytes` is the host's memory and is changed in
// place.
struct Range {
  std::string name;  // for findings
  std::uint64_t address{};
  std::span<std::byte> bytes;
  Access access{Access::input};
};

// The device address for the range of this index in a launch: 2^44 bytes apart, so that a pointer
// that leaves one range by anything a kernel computes reaches none. Others may be chosen, but
// ranges must not overlap.
constexpr std::uint64_t address_of_range(std::size_t index) {
  return (static_cast<std::uint64_t>(index) + 1) << 44U;
}

struct Launch {
  std::string entry;
  std::array<std::uint32_t, 3> grid{1, 1, 1};   // thread blocks
  std::array<std::uint32_t, 3> block{1, 1, 1};  // threads of each
  std::uint32_t dynamic_shared_bytes{};
  std::span<const std::byte> parameters;  // laid out by Entry::parameters; exactly parameter_bytes
  std::span<const Range> memory;
  // What the module's .global variables hold, kept from one launch to the next as a GPU does; empty
  // before the first. Null: each launch begins with what the text says.
  std::vector<std::byte>* variables{};
  std::uint64_t budget{std::uint64_t{1}
                       << 24U};    // the most instructions of one warp; 0 for no limit
  std::size_t most_findings{100};  // at most so many different ones; then the launch ends
};

struct Report {
  std::vector<Finding> findings;        // in the order in which they were seen
  bool completed{};                     // every thread ran to its end
  std::uint64_t thread_instructions{};  // executed, by threads whose guard held
  std::uint64_t warp_instructions{};
  std::vector<std::uint64_t> executed;  // by pc: how many warps executed it

  [[nodiscard]] bool clean() const;  // completed, and no finding is an error
};

class Module {
 public:
  // `name` stands before line numbers in messages.
  [[nodiscard]] static Result<Module> load(std::string_view text, std::string name = "ptx");

  [[nodiscard]] const std::string& version() const;  // "9.5"
  [[nodiscard]] const std::string& target() const;   // "sm_100a"
  [[nodiscard]] std::span<const Entry> entries() const;
  [[nodiscard]] const Entry* find(std::string_view entry) const;  // null where there is none

  // Runs all blocks, one after the other. An Error says what is wrong with the launch itself.
  [[nodiscard]] Result<Report> launch(const Launch& launch) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// Every form that is executed, sorted: "add.s32", "cvt.rn.satfinite.e4m3x2.f32"; forms of loads and
// stores with their optional parts in brackets.
[[nodiscard]] std::vector<std::string> accepted_forms();

}  // namespace ptx
