#include "harness/run/fault_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "harness/diagnosis/fault_classes.hpp"
#include "harness/run/judge.hpp"

namespace harness {
namespace {

constexpr std::size_t enough = 12;  // failing cases of one kernel

struct ReadyCase {
  Case from;
  PreparedCase prepared;
  bool several_calls;
};

Result<std::vector<ReadyCase>> prepare(const Operation& operation, Level level) {
  std::vector<ReadyCase> ready;
  for (Case& each : operation.cases(level, 1)) {
    auto prepared = PreparedCase::make(operation, each, oracle::profiles::ocp());
    if (!prepared) return tl::make_unexpected(prepared.error());
    const bool several = prepared->calls().size() > 1;
    ready.push_back({std::move(each), std::move(*prepared), several});
  }
  return ready;
}

// The classes that fit what one case saw, the likeliest first.
std::vector<std::string> classes_of(const CaseRecord& record) {
  if (record.diagnosis.mismatches == 0) return fault_classes_in(record.reason);
  std::vector<std::string> classes = record.diagnosis.same_bytes_classes;
  if (!record.diagnosis.fault_class.empty()) {
    classes.insert(classes.begin(), record.diagnosis.fault_class);
  }
  return classes;
}

std::string first_wrong(const CaseRecord& record) {
  return record.diagnosis.first.empty() ? record.reason : record.diagnosis.first.front().text;
}

void examine(const Operation& operation, std::vector<ReadyCase>& cases,
             Implementation& implementation, FaultRow& row) {
  std::vector<std::vector<std::string>> candidates;
  for (ReadyCase& each : cases) {
    // A fault that needs a second call is looked for in any event.
    if (candidates.size() >= enough && !each.several_calls) continue;
    const CaseRecord record =
        judge(operation, oracle::profiles::ocp(), each.prepared, implementation);
    ++row.cases;
    if (record.verdict == Verdict::pass) continue;
    if (row.killing_cases++ == 0) {
      row.killed_by = each.from.id;
      row.level = name_of(each.from.level);
      row.first_wrong = first_wrong(record);
    }
    candidates.push_back(classes_of(record));
  }
  row.named = joint_fault_class(candidates);
}

}  // namespace

nlohmann::ordered_json to_json(const FaultRow& row) {
  return {{"operation", row.operation},
          {"fault", row.path},
          {"class", row.fault_class},
          {"id", row.fault_id},
          {"not_run", row.not_run},
          {"cases", row.cases},
          {"killing", row.killing_cases},
          {"killed_by", row.killed_by},
          {"level", row.level},
          {"first_wrong", row.first_wrong},
          {"named", row.named}};
}

std::string fault_class_of_path(std::string_view path) {
  std::string name(path);
  const std::size_t end = name.find_last_not_of("0123456789");
  if (fault_class_named(name) == nullptr && end != std::string::npos && name[end] == '_') {
    name.resize(end);
  }
  return name;
}

Result<std::vector<FaultRow>> make_fault_matrix(
    std::span<const Operation* const> operations,
    std::span<const std::unique_ptr<Implementation>> implementations, Level level,
    const std::function<void(const FaultRow&)>& done) {
  std::map<std::string, std::vector<ReadyCase>> cases;
  std::vector<FaultRow> rows;
  for (const auto& implementation : implementations) {
    const ImplementationInfo& info = implementation->info();
    FaultRow row;
    row.operation = info.operation;
    row.path = info.path;
    row.fault_class = fault_class_of_path(info.path);
    row.not_run = info.unavailable;
    const FaultClass* const fault = fault_class_named(row.fault_class);
    if (fault == nullptr) {
      return oracle::fail(ErrorCode::unknown_name,
                          fmt::format("faulty kernel {} {}: no class of fault is named \"{}\"",
                                      info.operation, info.path, row.fault_class));
    }
    row.fault_id = fault->id;
    const Operation* const operation = operation_named(operations, info.operation);
    if (operation != nullptr && row.not_run.empty()) {
      auto ready = cases.find(info.operation);
      if (ready == cases.end()) {
        auto prepared = prepare(*operation, level);
        if (!prepared) return tl::make_unexpected(prepared.error());
        ready = cases.emplace(info.operation, std::move(*prepared)).first;
      }
      examine(*operation, ready->second, *implementation, row);
    }
    done(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace harness
