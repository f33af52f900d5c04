#include "harness/run/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>
#include <optional>
#include <set>

#include "harness/files/sha256.hpp"
#include "harness/model/elapsed.hpp"

namespace harness {
namespace {

// The first call whose bytes are wrong.
struct WrongCall {
  unsigned run = 0;
  std::size_t call = 0;
  Outputs actual;
  std::uint64_t wrong_bytes = 0;
  std::uint64_t output_bytes = 0;
};

// What the two runs of one call say together.
struct Repetition {
  std::uint64_t never_written = 0;      // bytes that keep the fill in both runs and may not
  std::uint64_t unlike = 0;             // other bytes that are to be written, and differ
  std::uint64_t wrong_and_written = 0;  // bytes that are wrong in the first run, and alike in both
};

std::vector<const Tensor*> outputs_of(const Problem& problem) {
  std::vector<const Tensor*> outputs;
  for (const Tensor& tensor : problem.tensors) {
    if (tensor.role == Role::output) outputs.push_back(&tensor);
  }
  return outputs;
}

// Error: the implementation gave other outputs than the problem has.
Status check_sizes(const Problem& problem, const Outputs& actual) {
  const std::vector<const Tensor*> outputs = outputs_of(problem);
  if (actual.size() != outputs.size()) {
    return oracle::fail(ErrorCode::wrong_shape,
                        fmt::format("expected {} outputs, got {}", outputs.size(), actual.size()));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (actual[i].size() == outputs[i]->storage.size()) continue;
    return oracle::fail(ErrorCode::wrong_shape,
                        fmt::format("output {}: expected {} bytes, got {}", outputs[i]->name,
                                    outputs[i]->storage.size(), actual[i].size()));
  }
  return {};
}

std::uint64_t total_bytes(const Outputs& outputs) {
  std::uint64_t bytes = 0;
  for (const auto& output : outputs) bytes += output.size();
  return bytes;
}

std::uint64_t count_wrong_bytes(const Outputs& expected, const Outputs& actual) {
  std::uint64_t wrong = 0;
  for (std::size_t o = 0; o < expected.size(); ++o) {
    for (std::size_t i = 0; i < expected[o].size(); ++i) {
      wrong += expected[o][i] != actual[o][i] ? 1u : 0u;
    }
  }
  return wrong;
}

// `prepared` has the fills of the second run.
Repetition compare_runs(const PreparedCase& prepared, std::size_t call, const Outputs& first,
                        const Outputs& second) {
  const Outputs& expected = prepared.expected(call);
  Repetition repetition;
  const std::vector<const Tensor*> outputs = outputs_of(prepared.calls()[call]);
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::span<const std::uint8_t> fill = outputs[o]->storage;
    for (std::size_t i = 0; i < fill.size(); ++i) {
      if (prepared.untouched(call, o, i)) continue;
      if (first[o][i] == second[o][i]) {
        // Where something is written, both runs expect the same.
        repetition.wrong_and_written += first[o][i] != expected[o][i] ? 1U : 0U;
        continue;
      }
      const bool kept =
          second[o][i] == fill[i] && first[o][i] == static_cast<std::uint8_t>(~fill[i]);
      ++(kept ? repetition.never_written : repetition.unlike);
    }
  }
  return repetition;
}

bool says_unwritten(const Diagnosis& diagnosis) {
  const auto unwritten = [](std::string_view name) {
    return name == "stale_bytes" || name == "unwritten_tail";
  };
  const std::vector<std::string>& others = diagnosis.same_bytes_classes;
  return unwritten(diagnosis.fault_class) || std::any_of(others.begin(), others.end(), unwritten);
}

// What only two runs can show, added to a diagnosis of one.
void amend(Diagnosis& diagnosis, const Repetition& repetition, const WrongCall& wrong) {
  if (repetition.unlike != 0) {
    diagnosis.fault_class = "not_repeatable";
    diagnosis.same_bytes_classes.clear();
    diagnosis.matching_profile.clear();
    diagnosis.explanation = fmt::format(
        "{} output bytes differ between two runs on the same input: a race, or something that is "
        "read before it is set.",
        repetition.unlike);
  } else if (diagnosis.fault_class.empty() && repetition.never_written >= wrong.wrong_bytes) {
    diagnosis.fault_class = "not_written";
    diagnosis.explanation = fmt::format(
        "{} output bytes are never written: they keep what the buffer held before, in both runs.",
        repetition.never_written);
  }
}

std::string place(std::size_t call, std::size_t calls, unsigned run) {
  std::string text;
  if (calls > 1) text = fmt::format(" in call {} of {}", call + 1, calls);
  if (run == 1) text += text.empty() ? " in the second run" : " of the second run";
  return text;
}

std::string describe(const Trespass& trespass) {
  if (trespass.region == "input") {
    return fmt::format("input {} was changed at byte {}: {:#04x} became {:#04x}, {} bytes in all",
                       trespass.tensor, trespass.byte, trespass.expected, trespass.actual,
                       trespass.count);
  }
  return fmt::format("written outside {} ({}) at byte {}: {:#04x} became {:#04x}, {} bytes in all",
                     trespass.tensor, trespass.region, trespass.byte, trespass.expected,
                     trespass.actual, trespass.count);
}

// Collects what the calls of both runs show.
class Judgement {
 public:
  Judgement(const Operation& operation, const oracle::Profile& profile, PreparedCase& prepared,
            Implementation& implementation)
      : operation_(operation),
        profile_(profile),
        prepared_(prepared),
        implementation_(implementation) {}

  // False: an error, after which the case cannot go on.
  bool run_once(unsigned run) {
    for (std::size_t call = 0; call < prepared_.calls().size(); ++call) {
      const Problem& problem = prepared_.calls()[call];
      Result<Execution> execution = implementation_.execute(problem);
      const auto failed = [&](const Error& error) {
        error_ = error.message + place(call, prepared_.calls().size(), run);
        return false;
      };
      if (!execution) return failed(execution.error());
      if (Status status = check_sizes(problem, execution->outputs); !status) {
        return failed(status.error());
      }
      ++record_.calls;
      compare(run, call, *execution);
    }
    return true;
  }

  // Wrong bytes are a finding even where an error came after them.
  CaseRecord finish() {
    std::string& reason = record_.reason;
    record_.output_sha256 = digest_.hex();
    record_.verdict = Verdict::mismatch;
    if (wrong_) {
      amend(record_.diagnosis, repetition_, *wrong_);
      reason = fmt::format("{} of {} output bytes are wrong{}", wrong_->wrong_bytes,
                           wrong_->output_bytes,
                           place(wrong_->call, prepared_.calls().size(), wrong_->run));
    } else if (!record_.trespasses.empty()) {
      reason = describe(record_.trespasses.front());
    } else {
      record_.verdict = error_.empty() ? Verdict::pass : Verdict::error;
    }
    if (!error_.empty()) reason += (reason.empty() ? "" : "; then ") + error_;
    return std::move(record_);
  }

 private:
  void compare(unsigned run, std::size_t call, Execution& execution) {
    const Outputs& expected = prepared_.expected(call);
    const std::uint64_t bytes = total_bytes(expected);
    record_.bytes_compared += bytes;
    if (run == 0) {
      for (const auto& output : execution.outputs) digest_.update(output);
    }
    take_rate(call, execution.seconds);
    take_trespasses(execution.trespasses);
    const bool right = execution.outputs == expected;
    if (!right && !wrong_) {
      wrong_ = WrongCall{run, call, std::move(execution.outputs), 0, bytes};
      wrong_->wrong_bytes = count_wrong_bytes(expected, wrong_->actual);
      record_.diagnosis = operation_.diagnose(prepared_.calls().first(call + 1), profile_, expected,
                                              wrong_->actual);
      // The first run was right: it gave the expected bytes wherever something is written.
      if (run == 1) repetition_ = compare_runs(prepared_, call, expected, wrong_->actual);
    } else if (run == 1 && wrong_ && wrong_->run == 0 && wrong_->call == call) {
      repetition_ = compare_runs(prepared_, call, wrong_->actual, execution.outputs);
      // What equals the first fill by chance does not equal its inverse.
      if (repetition_.wrong_and_written > 0 && says_unwritten(record_.diagnosis)) {
        record_.diagnosis = operation_.diagnose(prepared_.calls().first(call + 1), profile_,
                                                expected, execution.outputs);
      }
    }
  }

  void take_rate(std::size_t call, double seconds) {
    const std::uint64_t moved = prepared_.bytes_moved(call);
    const bool better = record_.seconds == 0 ||
                        (moved == 0 ? seconds < record_.seconds
                                    : static_cast<double>(moved) * record_.seconds >
                                          static_cast<double>(record_.bytes_moved) * seconds);
    if (seconds <= 0 || !better) return;
    record_.seconds = seconds;
    record_.bytes_moved = moved;
  }

  // The first of each tensor and region: later ones say the same.
  void take_trespasses(const std::vector<Trespass>& trespasses) {
    for (const Trespass& trespass : trespasses) {
      const bool known = std::any_of(
          record_.trespasses.begin(), record_.trespasses.end(), [&](const Trespass& other) {
            return other.tensor == trespass.tensor && other.region == trespass.region;
          });
      if (!known) record_.trespasses.push_back(trespass);
    }
  }

  const Operation& operation_;
  const oracle::Profile& profile_;
  PreparedCase& prepared_;
  Implementation& implementation_;
  CaseRecord record_;
  std::string error_;
  Sha256 digest_;
  std::optional<WrongCall> wrong_;
  Repetition repetition_;
};

}  // namespace

CaseRecord judge(const Operation& operation, const oracle::Profile& profile, PreparedCase& prepared,
                 Implementation& implementation) {
  Judgement judgement(operation, profile, prepared, implementation);
  if (judgement.run_once(0)) {
    prepared.invert_fills();
    judgement.run_once(1);
    prepared.invert_fills();
  }
  return judgement.finish();
}

std::vector<Judged> judge_side_by_side(const Operation& operation,
                                       std::span<const Contender> contenders, Crew& crew) {
  std::vector<Judged> judged(contenders.size());
  std::vector<std::optional<Judgement>> open(contenders.size());
  std::set<PreparedCase*> prepared;  // contenders share it, and its fills are inverted once
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const Contender& each = contenders[i];
    open[i].emplace(operation, *each.profile, *each.prepared, *each.implementation);
    prepared.insert(each.prepared);
  }
  // One step of everybody whose judgement is open.
  const auto step = [&](auto take_step) {
    std::vector<Crew::Job> jobs;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (!open[i]) continue;
      jobs.push_back({contenders[i].device, [&, i] {
                        const auto start = std::chrono::steady_clock::now();
                        try {
                          take_step(i);
                        } catch (const std::bad_alloc&) {
                          judged[i].record.verdict = Verdict::not_run;
                          judged[i].record.reason = "the judge ran out of memory";
                          open[i].reset();
                        }
                        judged[i].seconds += seconds_since(start);
                      }});
    }
    crew.work(jobs);
  };
  const auto finish = [&](std::size_t i) {
    judged[i].record = open[i]->finish();
    open[i].reset();
  };
  step([&](std::size_t i) {
    if (!open[i]->run_once(0)) finish(i);
  });
  for (PreparedCase* each : prepared) each->invert_fills();
  step([&](std::size_t i) {
    open[i]->run_once(1);
    finish(i);
  });
  for (PreparedCase* each : prepared) each->invert_fills();
  return judged;
}

}  // namespace harness
