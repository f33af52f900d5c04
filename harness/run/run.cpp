#include "harness/run/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <new>
#include <optional>
#include <system_error>

#include "harness/files/shell.hpp"
#include "harness/model/elapsed.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"
#include "harness/run/judge.hpp"
#include "harness/run/patience.hpp"
#include "harness/suite/operations/held_bytes.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

// What judge and worker together hold of a case, in sizes of its device memory: the problem, what
// is expected for both fills, the memory between them, which is also what a kernel on the CPU works
// on, and what it gave.
constexpr std::uint64_t host_copies = 5;
// Below this a case is as cheap as asking what there is.
constexpr std::uint64_t worth_asking_bytes = std::uint64_t{256} << 20;
// What is not to be taken: judge, worker and runtimes themselves.
constexpr std::uint64_t spare_bytes = std::uint64_t{512} << 20;
constexpr std::uint64_t prepared_ahead_bytes = std::uint64_t{512} << 20;

std::string in_units(std::uint64_t bytes) {
  constexpr double gibi = 1024.0 * 1024 * 1024;
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / gibi);
}

class Runner {
 public:
  Runner(const RunInputs& inputs, const RunObserver& observer)
      : inputs_(inputs),
        observer_(observer),
        plan_(*inputs.plan),
        planned_(planned_run(plan_, infos_of(inputs.implementations))),
        book_(inputs_.header, planned_, inputs_.operations) {
    for (const NotRunRecord& record : inputs_.not_run) book_.add(record);
    for (const CaseRecord& record : inputs_.done_before) {
      done_before_.emplace(record.key(), &record);
      CaseRecord counted = record;
      if (observer_.waive) observer_.waive(counted);
      book_.add(counted);
    }
  }

  Result<EndRecord> run() {
    const auto start = Clock::now();
    for (std::size_t begin = 0; begin < plan_.planned.size() && !interrupted();) {
      const std::size_t end = end_of_case(begin);
      if (Status status = run_case(begin, end); !status) return tl::make_unexpected(status.error());
      begin = end;
    }
    const std::vector<CoverageRecord> coverage = coverage_records();
    for (const CoverageRecord& record : coverage) {
      book_.add(record);
      if (Status status = observer_.write(to_json(record)); !status) {
        return tl::make_unexpected(status.error());
      }
    }
    std::vector<std::string> waiver_faults;
    if (observer_.waiver_faults) waiver_faults = observer_.waiver_faults();
    EndRecord end = book_.conclude(interrupted(), waiver_faults);
    end.finished = utc_now();
    end.seconds = seconds_since(start);
    if (Status status = observer_.write(to_json(end)); !status) {
      return tl::make_unexpected(status.error());
    }
    return end;
  }

 private:
  static std::vector<ImplementationInfo> infos_of(
      std::span<const std::unique_ptr<Implementation>> implementations) {
    std::vector<ImplementationInfo> infos;
    for (const auto& each : implementations) {
      infos.push_back(each ? each->info() : ImplementationInfo{});
    }
    return infos;
  }

  bool interrupted() const { return inputs_.interrupted != nullptr && *inputs_.interrupted; }

  const ImplementationInfo& info_of(const PlannedCase& planned) const {
    return inputs_.implementations[planned.implementation]->info();
  }

  std::size_t end_of_case(std::size_t begin) const {
    std::size_t end = begin;
    while (end < plan_.planned.size() &&
           plan_.planned[end].case_index == plan_.planned[begin].case_index) {
      ++end;
    }
    return end;
  }

  std::string profile_of(const PlannedCase& planned) const {
    return inputs_.header.selection.profile.empty() ? info_of(planned).profile
                                                    : inputs_.header.selection.profile;
  }

  static Result<PreparedCase> prepare(const Operation& operation, const Case& from,
                                      const std::string& profile_name) {
    const Result<const oracle::Profile*> profile = profile_named(profile_name);
    if (!profile) return tl::make_unexpected(profile.error());
    try {
      return PreparedCase::make(operation, from, **profile);
    } catch (const std::bad_alloc&) {
      return oracle::fail(ErrorCode::out_of_memory, "the judge ran out of memory preparing it");
    }
  }

  // The planned case at `at` prepared, and the one after it begun in another thread, so that the
  // oracle works while a device does.
  Result<PreparedCase> take_prepared(std::size_t at, std::size_t next) {
    const auto begin = [this](std::size_t i, std::launch policy) {
      const Case& from = plan_.cases[plan_.planned[i].case_index];
      return std::async(policy, prepare,
                        std::cref(*operation_named(inputs_.operations, from.operation)),
                        std::cref(from), profile_of(plan_.planned[i]));
    };
    if (!ahead_) ahead_ = begin(at, std::launch::deferred);
    Result<PreparedCase> prepared = ahead_->get();
    ahead_.reset();
    if (next < plan_.planned.size() &&
        plan_.cases[plan_.planned[next].case_index].device_bytes <= prepared_ahead_bytes) {
      try {
        ahead_ = begin(next, std::launch::async);
      } catch (const std::system_error&) {
        ahead_ = begin(next, std::launch::deferred);  // there are no more threads to be had
      }
    }
    return prepared;
  }

  // All implementations of one case.
  Status run_case(std::size_t begin, std::size_t end) {
    const Case& from = plan_.cases[plan_.planned[begin].case_index];
    const Operation& operation = *operation_named(inputs_.operations, from.operation);
    const std::string first_profile = profile_of(plan_.planned[begin]);
    std::map<std::string, Result<PreparedCase>> prepared;
    const std::string no_memory = ahead_ ? "" : lacking_memory(operation, from);
    if (no_memory.empty()) prepared.emplace(first_profile, take_prepared(begin, end));
    for (std::size_t i = begin; i < end; ++i) {
      const PlannedCase& planned = plan_.planned[i];
      const std::string profile = profile_of(planned);
      auto found = prepared.find(profile);
      if (found == prepared.end()) {
        Result<PreparedCase> made =
            no_memory.empty()
                ? prepare(operation, from, profile)
                : Result<PreparedCase>(oracle::fail(ErrorCode::out_of_memory, no_memory));
        found = prepared.emplace(profile, std::move(made)).first;
      }
      if (const auto before = done_before_.find(planned.key); before != done_before_.end()) {
        cover(planned, *before->second, found->second);
        continue;
      }
      CaseRecord record = run_planned(operation, planned, profile, found->second);
      if (interrupted()) return {};  // what was in flight did not end by itself: it is not recorded
      cover(planned, record, found->second);
      if (observer_.waive) observer_.waive(record);
      book_.add(record);
      if (Status status = observer_.write(to_json(record)); !status) return status;
      observer_.case_done(record);
    }
    return {};
  }

  CaseRecord run_planned(const Operation& operation, const PlannedCase& planned,
                         const std::string& profile, Result<PreparedCase>& prepared) {
    const Case& from = plan_.cases[planned.case_index];
    const ImplementationInfo& info = info_of(planned);
    CaseRecord record;
    std::string hindrance = cannot_run(from, planned);
    if (!hindrance.empty()) {
      record.verdict = Verdict::not_run;
      record.reason = std::move(hindrance);
    } else if (!prepared) {
      const bool no_memory = prepared.error().code == ErrorCode::out_of_memory;
      record.verdict = no_memory ? Verdict::not_run : Verdict::error;
      record.reason = prepared.error().message;
    } else {
      const auto start = Clock::now();
      record = judge_with_what_there_is(operation, profile, *prepared,
                                        *inputs_.implementations[planned.implementation]);
      patience_of(planned).note(record, seconds_since(start));
    }
    record.index = planned.index;
    record.case_id = from.id;
    record.case_sha256 = plan_.case_sha256[planned.case_index];
    record.operation = info.operation;
    record.path = info.path;
    record.device = info.device;
    record.reproduce = reproduce_command(inputs_.command, inputs_.header.selection, from.id, info);
    return record;
  }

  // A verdict is about the implementation: where memory ran out, or the system killed the worker to
  // have some, there is none.
  CaseRecord judge_with_what_there_is(const Operation& operation, const std::string& profile,
                                      PreparedCase& prepared, Implementation& implementation) {
    const auto kills = [&] { return inputs_.oom_kills ? inputs_.oom_kills() : 0; };
    const std::uint64_t kills_before = kills();
    CaseRecord record;
    try {
      record = judge(operation, **profile_named(profile), prepared, implementation);
    } catch (const std::bad_alloc&) {
      record = {};
      record.verdict = Verdict::not_run;
      record.reason = "the judge ran out of memory";
    }
    const bool killed = record.verdict == Verdict::error &&
                        record.reason.find("killed by SIGKILL") != std::string::npos;
    if (killed && kills() != kills_before) {
      record.verdict = Verdict::not_run;
      record.reason = "the system ended it for want of memory: " + record.reason;
    }
    return record;
  }

  Patience& patience_of(const PlannedCase& planned) {
    return patience_.try_emplace(planned.implementation, inputs_.slow_error_seconds).first->second;
  }

  // Why a planned case is not run; empty where it is.
  std::string cannot_run(const Case& from, const PlannedCase& planned) {
    const ImplementationInfo& info = info_of(planned);
    if (std::string given_up = patience_of(planned).given_up(); !given_up.empty()) return given_up;
    const auto device =
        std::find_if(inputs_.devices.begin(), inputs_.devices.end(),
                     [&](const DeviceInfo& each) { return each.name == info.device; });
    // The CPU's memory is the host's.
    if (device != inputs_.devices.end() && device->name != "cpu" && device->memory_bytes != 0 &&
        device->memory_bytes < from.device_bytes) {
      return fmt::format("needs {} of device memory; {} has {}", in_units(from.device_bytes),
                         info.device, in_units(device->memory_bytes));
    }
    return {};
  }

  // Why there is no memory for a case at this moment; empty where there is.
  std::string lacking_memory(const Operation& operation, const Case& from) const {
    const std::uint64_t needed = judging_bytes(operation, from);
    if (!inputs_.memory_room || needed - spare_bytes < worth_asking_bytes) return {};
    const MemoryRoom room = inputs_.memory_room();
    if (room.bytes >= needed) return {};
    return fmt::format("needs {} of host memory; {} has {} left", in_units(needed), room.of,
                       in_units(room.bytes));
  }

  void cover(const PlannedCase& planned, const CaseRecord& record,
             const Result<PreparedCase>& prepared) {
    if (record.verdict != Verdict::pass && record.verdict != Verdict::mismatch) return;
    if (prepared) coverage_[planned.implementation].merge(prepared->coverage());
  }

  std::vector<CoverageRecord> coverage_records() const {
    std::vector<CoverageRecord> records;
    for (const ResultRow& row : book_.tally().rows()) {
      CoverageRecord record{row.operation, row.path, row.device, {}, {}, false};
      for (const auto& [implementation, coverage] : coverage_) {
        const ImplementationInfo& info = inputs_.implementations[implementation]->info();
        if (info.operation == row.operation && info.path == row.path && info.device == row.device) {
          record.coverage = coverage;
        }
      }
      record.judged = judges_coverage(inputs_.header.selection);
      const Operation& operation = *operation_named(inputs_.operations, row.operation);
      record.missing_bins = bins_not_hit(operation, record.coverage);
      records.push_back(std::move(record));
    }
    return records;
  }

  const RunInputs& inputs_;
  const RunObserver& observer_;
  const Plan& plan_;
  PlannedRun planned_;
  VerdictBook book_;
  std::map<std::string, const CaseRecord*> done_before_;
  std::map<std::size_t, Patience> patience_;  // by implementation
  std::map<std::size_t, Coverage> coverage_;  // by implementation
  std::optional<std::future<Result<PreparedCase>>> ahead_;
};

}  // namespace

Result<JudgedProfile> judged_profile(const std::string& name) {
  return profile_named(name).map([&](const oracle::Profile* profile) {
    const nlohmann::ordered_json contents = to_json(*profile);
    return JudgedProfile{name, profile_sha256(contents), contents};
  });
}

std::uint64_t judging_bytes(const Operation& operation, const Case& from) {
  return held_bytes(operation, from) * host_copies + spare_bytes;
}

Result<EndRecord> run_plan(const RunInputs& inputs, const RunObserver& observer) {
  return Runner(inputs, observer).run();
}

std::string reproduce_command(const std::string& command, const Selection& selection,
                              const std::string& case_id, const ImplementationInfo& info) {
  std::string text = command;
  const auto named = [&](std::string_view option, const std::vector<std::string>& origins) {
    if (std::find(origins.begin(), origins.end(), info.origin) == origins.end()) return;
    text += fmt::format(" {} {}", option, shell_word(info.origin));
  };
  named("--dut", selection.libraries);
  named("--dut-cmd", selection.programs);
  named("--dut-module", selection.modules);
  // A program must be told.
  if (!selection.programs.empty()) text += " --op " + shell_word(info.operation);
  text += fmt::format(" --device {} --path {} --level {}", shell_word(info.device),
                      shell_word(info.path), name_of(selection.level));
  if (selection.seed != 0) text += fmt::format(" --seed {}", selection.seed);
  if (!selection.profile.empty()) text += " --profile " + shell_word(selection.profile);
  return text + " --filter " + shell_word(case_id);
}

std::string utc_now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace harness
