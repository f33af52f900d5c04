// Runs a plan: every case on every implementation, each record written as it comes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/files/host_memory.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/results/verdict/verdict.hpp"
#include "oracle/profile.hpp"

namespace harness {

struct RunInputs {
  std::span<const Operation* const> operations;
  // What the plan was made from, by index; those that are not available may be null.
  std::span<const std::unique_ptr<Implementation>> implementations;
  std::span<const DeviceInfo> devices;  // those that have a memory size are held to it
  const Plan* plan = nullptr;
  RunHeader header;  // of the run's results, its selection and what judges the implementations
  std::vector<NotRunRecord> not_run;        // the plan's, and devices that are absent
  std::span<const CaseRecord> done_before;  // of a run that is resumed
  // What this process may still take, and how many the system has killed for want of it
  // (host_memory.hpp), asked at the moment. Empty: it is not held to it.
  std::function<MemoryRoom()> memory_room;
  std::function<std::uint64_t()> oom_kills;
  // The boards after the run, asked once when all cases are done. Empty: there are none.
  std::function<std::vector<BoardRecord>()> boards;
  double slow_error_seconds = 10;      // an error that took this long is a slow one
  std::string command = "fp4cts run";  // what a reproduce command begins with
  const std::atomic<bool>* interrupted = nullptr;
};

// Called in the running thread, as things happen.
struct RunObserver {
  // A record as it is written. An error stops the run.
  std::function<Status(const nlohmann::ordered_json& record)> write;
  std::function<void(const CaseRecord& record)> case_done;
  // Sets the waiver of a record before it counts and is written. May be empty, as the next.
  std::function<void(CaseRecord& record)> waive;
  // Why the waivers fail the run, asked after the last record.
  std::function<std::vector<std::string>()> waiver_faults;
};

// Runs what is planned and not done before, then writes boards, coverage and end. GPUs work side by
// side on one case, each in its child, and its records are written in the order of the plan. An
// implementation of which three cases running end in a slow error (a hang is one) is given up: its
// other cases are recorded as not run, and so is a case for which there is no memory, or whose
// worker the system killed for want of it. Error: a record could not be written, or a profile is
// unknown.
Result<EndRecord> run_plan(const RunInputs& inputs, const RunObserver& observer);

// What the profile of this name says, as a header embeds it. Error: as profile_named.
Result<JudgedProfile> judged_profile(const std::string& name);

// The command that runs exactly one case on one implementation.
std::string reproduce_command(const std::string& command, const Selection& selection,
                              const std::string& case_id, const ImplementationInfo& info);

// UTC now, "2026-11-29T20:09:22Z".
std::string utc_now();

}  // namespace harness
