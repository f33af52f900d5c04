#include "harness/cli/bench_own_kernels.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/cli/duts.hpp"
#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/device_place.hpp"
#include "harness/run/judge.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness::cli {

Result<std::vector<std::unique_ptr<Implementation>>> open_own_kernels(const Selection& selection,
                                                                      const std::string& device) {
  const WorkerOptions options;
  std::vector<std::unique_ptr<Implementation>> own;
  for (const UnderTest& each : all_under_test(selection)) {
    const auto failed = [&](const Error& error) {
      return oracle::fail(error.code, fmt::format("{}: {}", each.origin, error.message));
    };
    const Result<Introduction> introduction = introduce(each, options);
    if (!introduction) return failed(introduction.error());
    // A program says nothing of devices: it takes its files to whichever it works on, and times its
    // call there.
    const std::string on = each.kind == "program" ? "cpu" : device;
    const std::string kind = std::string(device_kind(on));
    if (!introduction->device_kinds.contains(kind)) {
      return failed({ErrorCode::invalid_argument, "does not run on " + device});
    }
    const auto source = RemoteSource::open(spec_of(each, on), options_for(each, options));
    if (!source) return failed(source.error());
    for (std::size_t i = 0; i < (*source)->infos().size(); ++i) {
      own.push_back(std::make_unique<RemoteImplementation>(*source, i));
    }
  }
  return own;
}

OwnTimes time_own_kernel(const Operation& operation, const Case& from, Implementation& own,
                         int rounds) {
  OwnTimes times;
  const auto failed = [&](Verdict verdict, std::string reason) {
    times.verdict = verdict;
    times.reason = std::move(reason);
    times.seconds.clear();
    return times;
  };
  if (!own.info().unavailable.empty()) return failed(Verdict::not_run, own.info().unavailable);
  const Result<const oracle::Profile*> profile = profile_named(own.info().profile);
  if (!profile) return failed(Verdict::error, profile.error().message);
  Result<PreparedCase> prepared = PreparedCase::make_quickly(operation, from, **profile);
  if (!prepared) return failed(Verdict::error, prepared.error().message);
  const CaseRecord record = judge(operation, **profile, *prepared, own);
  if (record.verdict != Verdict::pass) return failed(record.verdict, record.reason);
  for (int round = 0; round < rounds; ++round) {
    const Result<Execution> execution = own.execute(prepared->calls().front());
    if (!execution) return failed(Verdict::error, execution.error().message);
    if (execution->outputs != prepared->expected(0) || !execution->trespasses.empty()) {
      return failed(Verdict::mismatch, fmt::format("right at first, wrong in round {}", round + 1));
    }
    if (execution->seconds <= 0) {
      return failed(Verdict::not_run, "it states no time of its call, \"seconds\" in the answer");
    }
    times.seconds.push_back(execution->seconds);
  }
  return times;
}

}  // namespace harness::cli
