// The proof that the suite catches faults: kernels that are wrong on purpose, the cases that see
// each, and whether the diagnosis names its class (docs/design.md section 10).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct FaultRow {
  std::string operation;
  std::string path;         // of the faulty kernel: its class, a further variant with _2, _3
  std::string fault_class;  // that it is of
  std::string fault_id;     // "A04", as docs/faults.md has it; empty for a class without one
  std::string not_run;      // why it could not be run here; empty where it was
  std::uint64_t cases = 0;  // run; once enough of them failed, only those of several calls
  std::uint64_t killing_cases = 0;
  std::string killed_by;  // the first of them, with its level; empty where it survives
  std::string level;
  std::string first_wrong;  // what that case saw: the first differing byte, or how the call ended
  std::string named;        // the class that fits most of what was seen

  bool survives() const { return not_run.empty() && killed_by.empty(); }
  bool named_rightly() const { return named == fault_class; }
};

nlohmann::ordered_json to_json(const FaultRow& row);

// "enc_truncates_2" is a variant of enc_truncates.
std::string fault_class_of_path(std::string_view path);

// Runs the cases of `level` on every faulty implementation, each case twice as `run` does.
// `implementations` are judged by profile `ocp`. `done` is called with each row as it is complete.
// Error: a case breaks its contract, or a kernel's class is not one of fault_classes().
Result<std::vector<FaultRow>> make_fault_matrix(
    std::span<const Operation* const> operations,
    std::span<const std::unique_ptr<Implementation>> implementations, Level level,
    const std::function<void(const FaultRow&)>& done);

}  // namespace harness
