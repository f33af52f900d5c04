// Collects what a launch has to say: one finding for each kind at each pair of instructions, with a
// count.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ptx/finding.hpp"
#include "ptx/parse/syntax.hpp"

namespace ptx::memory {

// A thread at an instruction: the block's index in launch order, and the thread's in its block.
struct Who {
  std::uint32_t block{};
  std::uint32_t thread{};
  std::uint32_t pc{};
};

class Findings {
 public:
  Findings(const parse::ModuleText& module, const parse::Body& body, const Launch& launch,
           std::string name)
      : module_(module), body_(body), launch_(launch), name_(std::move(name)) {}

  struct Fault {
    FindingKind kind{};
    Severity severity{Severity::error};
    Who who;
    const Who* other{};  // of a race, the earlier access
    std::string_view range{};
    std::uint64_t address{};
    std::int64_t offset{};
    std::string what{};  // "reads 4 bytes ..."
  };
  void add(const Fault& fault);
  // No room for another kind of finding: the launch ends.
  [[nodiscard]] bool full() const { return found_.size() >= launch_.most_findings; }
  [[nodiscard]] std::vector<Finding> take() { return std::move(found_); }

 private:
  [[nodiscard]] Actor actor(const Who& who) const;

  const parse::ModuleText& module_;
  const parse::Body& body_;
  const Launch& launch_;
  std::string name_;
  std::vector<Finding> found_;
  std::map<std::tuple<FindingKind, Severity, std::uint32_t, std::uint32_t>, std::size_t> known_;
};

}  // namespace ptx::memory
