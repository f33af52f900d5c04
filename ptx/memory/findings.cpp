#include "ptx/memory/findings.hpp"

namespace ptx {

std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
      return "out_of_bounds";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::write_to_input:
      return "write_to_input";
    case FindingKind::uninitialised_global:
      return "uninitialised_global";
    case FindingKind::uninitialised_shared:
      return "uninitialised_shared";
    case FindingKind::uninitialised_register:
      return "uninitialised_register";
    case FindingKind::shared_race:
      return "shared_race";
    case FindingKind::global_race:
      return "global_race";
    case FindingKind::read_only_path:
      return "read_only_path";
    case FindingKind::async_not_waited:
      return "async_not_waited";
    case FindingKind::barrier_divergence:
      return "barrier_divergence";
    case FindingKind::barrier_deadlock:
      return "barrier_deadlock";
    case FindingKind::budget_exhausted:
      return "budget_exhausted";
    case FindingKind::undefined:
      break;
  }
  return "undefined";
}

bool Report::clean() const {
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::error) return false;
  }
  return completed;
}

namespace memory {
namespace {

std::array<std::uint32_t, 3> place(std::uint32_t index, const std::array<std::uint32_t, 3>& size) {
  return {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
}

std::string triple(const std::array<std::uint32_t, 3>& at) {
  return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) +
         ")";
}

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) result += c;
    if (blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  return result;
}

}  // namespace

Actor Findings::actor(const Who& who) const {
  Actor result;
  result.block = place(who.block, launch_.grid);
  result.thread = place(who.thread, launch_.block);
  result.pc = who.pc;
  if (who.pc < body_.instructions.size()) {
    const parse::Instruction& instruction = body_.instructions[who.pc];
    result.line = instruction.line;
    result.text = one_line(instruction.text);
    const auto file = module_.files.find(instruction.source_file);
    if (instruction.source_line != 0 && file != module_.files.end()) {
      result.source = file->second + ":" + std::to_string(instruction.source_line);
    }
  }
  return result;
}

void Findings::add(const Fault& fault) {
  const std::uint32_t other_pc = fault.other != nullptr ? fault.other->pc : ~std::uint32_t{0};
  const auto [at, added] =
      known_.emplace(std::tuple{fault.kind, fault.severity, fault.who.pc, other_pc}, found_.size());
  if (!added) {
    ++found_[at->second].count;
    return;
  }
  Finding finding;
  finding.kind = fault.kind;
  finding.severity = fault.severity;
  finding.actors.push_back(actor(fault.who));
  if (fault.other != nullptr) finding.actors.push_back(actor(*fault.other));
  finding.range = std::string{fault.range};
  finding.address = fault.address;
  finding.offset = fault.offset;
  finding.message = std::string{ptx::name(fault.kind)} + ": " + fault.what;
  const char* joint = ": ";
  for (const Actor& each : finding.actors) {
    finding.message += joint + ("block " + triple(each.block)) + " thread " + triple(each.thread) +
                       " at " + name_ + ":" + std::to_string(each.line) + " `" + each.text + "`" +
                       (each.source.empty() ? "" : " (" + each.source + ")");
    joint = "; before that ";
  }
  found_.push_back(std::move(finding));
}

}  // namespace memory
}  // namespace ptx
