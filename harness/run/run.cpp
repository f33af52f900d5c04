#include "harness/run/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "harness/files/shell.hpp"
#include "harness/model/device_place.hpp"
#include "harness/model/elapsed.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"
#include "harness/run/crew.hpp"
#include "harness/run/judge.hpp"
#include "harness/run/memory_needs.hpp"
#include "harness/run/patience.hpp"
#include "harness/run/prepared_ahead.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

// A CPU that runs kernels takes every core; where devices do, half of them are for the oracle.
PreparedAhead::Limits limits_ahead() {
  constexpr unsigned most_threads = 8;
  constexpr std::uint64_t bytes = std::uint64_t{512} << 20;
  return {std::clamp(std::thread::hardware_concurrency() / 2, 1U, most_threads), bytes};
}

class Runner {
 public:
  Runner(const RunInputs& inputs, const RunObserver& observer)
      : inputs_(inputs),
        observer_(observer),
        plan_(*inputs.plan),
        planned_(planned_run(plan_, infos_of(inputs.implementations))),
        book_(inputs_.header, planned_, inputs_.operations),
        ahead_([this] { return next_to_prepare(); }, limits_ahead()) {
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
    if (inputs_.boards) {
      for (const BoardRecord& record : inputs_.boards()) {
        book_.add(record);
        if (Status status = observer_.write(to_json(record)); !status) {
          return tl::make_unexpected(status.error());
        }
      }
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

  // The cases in the order of the plan, each by the profile of its first implementation.
  std::optional<PreparedAhead::Job> next_to_prepare() {
    if (to_prepare_ == plan_.planned.size()) return std::nullopt;
    const std::size_t at = std::exchange(to_prepare_, end_of_case(to_prepare_));
    const Case& from = plan_.cases[plan_.planned[at].case_index];
    return PreparedAhead::Job{
        at, from.device_bytes, [this, &from, profile = profile_of(plan_.planned[at])] {
          return prepare(*operation_named(inputs_.operations, from.operation), from, profile);
        }};
  }

  // All implementations of one case.
  Status run_case(std::size_t begin, std::size_t end) {
    const Case& from = plan_.cases[plan_.planned[begin].case_index];
    const Operation& operation = *operation_named(inputs_.operations, from.operation);
    CaseOnAll all{operation, from, {}, {}, begin, begin, end};
    all.records.resize(end - begin);
    const std::vector<std::vector<std::size_t>> groups = side_by_side(begin, end);
    const auto widest =
        std::max_element(groups.begin(), groups.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const std::string no_memory = ahead_.has_begun(begin) ? "" : lacking_memory(operation, from, 1);
    const bool apart =
        widest->size() > 1 && !lacking_memory(operation, from, widest->size()).empty();
    if (no_memory.empty()) {
      all.prepared.emplace(profile_of(plan_.planned[begin]), ahead_.take(begin));
    }
    for (const std::vector<std::size_t>& group : groups) {
      for (const std::size_t i : group) prepare_for(all, plan_.planned[i], no_memory);
      for (std::size_t first = 0; first < group.size();) {
        const std::size_t count = apart ? 1 : group.size();
        run_group(all, std::span(group).subspan(first, count));
        first += count;
        // What was in flight did not end by itself: it is not recorded.
        if (interrupted()) return {};
        if (Status status = write_records(all); !status) return status;
      }
    }
    return {};
  }

  // One case on its way through everybody who is to run it.
  struct CaseOnAll {
    const Operation& operation;
    const Case& from;
    std::map<std::string, Result<PreparedCase>> prepared;  // by profile
    std::vector<std::optional<CaseRecord>> records;        // of planned_[begin] to planned_[end]
    std::size_t begin;
    std::size_t written;  // those before it are written
    std::size_t end;
  };

  // The planned cases [begin, end) in groups that are run one after the other: one implementation
  // of each GPU side by side, and those of the CPU, which takes all cores, alone.
  std::vector<std::vector<std::size_t>> side_by_side(std::size_t begin, std::size_t end) const {
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::string, std::size_t> next;  // by GPU: the group that is without it
    std::size_t first_shared = 0;
    for (const bool on_gpu : {false, true}) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::string& device = info_of(plan_.planned[i]).device;
        if (is_one_gpu(device) != on_gpu) continue;
        if (!on_gpu) {
          groups.push_back({i});
          first_shared = groups.size();
          continue;
        }
        const std::size_t at = next.try_emplace(device, first_shared).first->second++;
        if (at == groups.size()) groups.emplace_back();
        groups[at].push_back(i);
      }
    }
    return groups;
  }

  void prepare_for(CaseOnAll& all, const PlannedCase& planned, const std::string& no_memory) const {
    const std::string profile = profile_of(planned);
    if (all.prepared.contains(profile)) return;
    all.prepared.emplace(profile, no_memory.empty() ? prepare(all.operation, all.from, profile)
                                                    : Result<PreparedCase>(oracle::fail(
                                                          ErrorCode::out_of_memory, no_memory)));
  }

  // Runs those of a group that were not done before, all at once.
  void run_group(CaseOnAll& all, std::span<const std::size_t> group) {
    std::vector<Contender> contenders;
    std::vector<std::size_t> places;
    for (const std::size_t i : group) {
      const PlannedCase& planned = plan_.planned[i];
      if (done_before_.contains(planned.key)) continue;
      CaseRecord& record = all.records[i - all.begin].emplace();
      const std::string profile = profile_of(planned);
      Result<PreparedCase>& prepared = all.prepared.at(profile);
      record.reason = cannot_run(all.from, planned);
      if (!record.reason.empty()) continue;
      if (!prepared) {
        const bool no_memory = prepared.error().code == ErrorCode::out_of_memory;
        record.verdict = no_memory ? Verdict::not_run : Verdict::error;
        record.reason = prepared.error().message;
        continue;
      }
      contenders.push_back({info_of(planned).device, *profile_named(profile), &*prepared,
                            inputs_.implementations[planned.implementation].get()});
      places.push_back(i);
    }
    judge_group(all, contenders, places);
    for (const std::size_t i : group) {
      std::optional<CaseRecord>& record = all.records[i - all.begin];
      if (record) identify(*record, all.from, plan_.planned[i]);
    }
  }

  // A verdict is about the implementation: where memory ran out, or the system killed the worker to
  // have some, there is none.
  void judge_group(CaseOnAll& all, std::span<const Contender> contenders,
                   std::span<const std::size_t> places) {
    const auto kills = [&] { return inputs_.oom_kills ? inputs_.oom_kills() : 0; };
    const std::uint64_t kills_before = kills();
    std::vector<Judged> judged = judge_side_by_side(all.operation, contenders, crew_);
    const bool someone_was_killed = kills() != kills_before;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      CaseRecord& record = judged[i].record;
      if (someone_was_killed && record.verdict == Verdict::error &&
          record.reason.find("killed by SIGKILL") != std::string::npos) {
        record.verdict = Verdict::not_run;
        record.reason = "the system ended it for want of memory: " + record.reason;
      }
      patience_of(plan_.planned[places[i]]).note(record, judged[i].seconds);
      all.records[places[i] - all.begin] = std::move(record);
    }
  }

  void identify(CaseRecord& record, const Case& from, const PlannedCase& planned) const {
    const ImplementationInfo& info = info_of(planned);
    record.index = planned.index;
    record.case_id = from.id;
    record.case_sha256 = plan_.case_sha256[planned.case_index];
    record.operation = info.operation;
    record.path = info.path;
    record.device = info.device;
    record.reproduce = reproduce_command(inputs_.command, inputs_.header.selection, from.id, info);
  }

  // Writes what is there, in the order of the plan and as far as nothing is missing.
  Status write_records(CaseOnAll& all) {
    for (; all.written < all.end; ++all.written) {
      const PlannedCase& planned = plan_.planned[all.written];
      const auto prepared = all.prepared.find(profile_of(planned));
      if (const auto before = done_before_.find(planned.key); before != done_before_.end()) {
        if (prepared == all.prepared.end()) break;  // its turn has not come
        cover(planned, *before->second, prepared->second);
        continue;
      }
      std::optional<CaseRecord>& record = all.records[all.written - all.begin];
      if (!record) break;
      cover(planned, *record, prepared->second);
      if (observer_.waive) observer_.waive(*record);
      book_.add(*record);
      if (Status status = observer_.write(to_json(*record)); !status) return status;
      observer_.case_done(*record);
    }
    return {};
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
      return fmt::format("needs {} of device memory; {} has {}", in_gibibytes(from.device_bytes),
                         info.device, in_gibibytes(device->memory_bytes));
    }
    return {};
  }

  // Why there is no memory for a case on so many devices at once, at this moment; empty where there
  // is.
  std::string lacking_memory(const Operation& operation, const Case& from,
                             std::uint64_t devices) const {
    const std::uint64_t needed = judging_bytes(operation, from, devices);
    if (!inputs_.memory_room || !is_worth_asking(needed)) return {};
    const MemoryRoom room = inputs_.memory_room();
    if (room.bytes >= needed) return {};
    return fmt::format("needs {} of host memory; {} has {} left", in_gibibytes(needed), room.of,
                       in_gibibytes(room.bytes));
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
  std::size_t to_prepare_ = 0;                // in the plan
  PreparedAhead ahead_;                       // ends before what its jobs refer to
  Crew crew_;
};

}  // namespace

Result<JudgedProfile> judged_profile(const std::string& name) {
  return profile_named(name).map([&](const oracle::Profile* profile) {
    const nlohmann::ordered_json contents = to_json(*profile);
    return JudgedProfile{name, profile_sha256(contents), contents};
  });
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
