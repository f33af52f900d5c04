// fp4cts gen and ver: golden elements through a pipe.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/results/records/results.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"
#include "vectors/src/golden.hpp"
#include "vectors/src/lane_stream.hpp"

namespace harness::cli {
namespace {

struct StreamOptions {
  std::string operation;
  std::string level = "smoke";
  std::uint64_t seed = 0;
  std::string profile = "ocp";
  std::uint64_t max_errors = 20;
  bool json = false;
};

Result<LanePlan> plan_of(const StreamOptions& options) {
  return plan_lanes(options.operation, *level_named(options.level), options.seed);
}

int generate(const StreamOptions& options) {
  const auto plan = plan_of(options);
  if (!plan) return fail_with(exit_usage, plan.error().message);
  write_lanes(*plan,
              [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return fail_with(exit_error, "the stream could not be written whole");
  }
  return exit_conforms;
}

int exit_code_of(const LaneVerdict& verdict) {
  if (verdict.mismatches != 0) return exit_mismatch;
  return verdict.incomplete.empty() ? exit_conforms : exit_incomplete;
}

void print_json(const StreamOptions& options, const LaneVerdict& verdict) {
  nlohmann::ordered_json wrong = nlohmann::ordered_json::array();
  for (const Diagnosis& diagnosis : verdict.wrong) {
    nlohmann::ordered_json first = nlohmann::ordered_json::array();
    for (const Mismatch& mismatch : diagnosis.first) first.push_back(mismatch.site);
    wrong.push_back({{"mismatches", diagnosis.mismatches},
                     {"fault_class", diagnosis.fault_class},
                     {"explanation", diagnosis.explanation},
                     {"matching_profile", diagnosis.matching_profile},
                     {"first", std::move(first)}});
  }
  const nlohmann::ordered_json json{
      {"operation", options.operation},   {"profile", options.profile},
      {"planned", verdict.planned},       {"verified", verdict.verified},
      {"mismatches", verdict.mismatches}, {"incomplete", verdict.incomplete},
      {"wrong", std::move(wrong)},        {"exit_code", exit_code_of(verdict)}};
  std::puts(json.dump(2).c_str());
}

void print_text(const StreamOptions& options, const LaneVerdict& verdict) {
  std::string text;
  std::uint64_t shown = 0;
  for (const Diagnosis& diagnosis : verdict.wrong) {
    for (const Mismatch& mismatch : diagnosis.first) {
      if (shown++ < options.max_errors) text += mismatch.text + '\n';
    }
    if (!diagnosis.fault_class.empty()) {
      text += fmt::format("class: {}. {}\n", diagnosis.fault_class, diagnosis.explanation);
    } else {
      text += "class: none of the known ones accounts for these results\n";
    }
    if (!diagnosis.matching_profile.empty()) {
      text += fmt::format("all results agree with the profile {}\n", diagnosis.matching_profile);
    }
  }
  text += fmt::format("{} of {} results verified, {} wrong\n", verdict.verified, verdict.planned,
                      verdict.mismatches);
  if (!verdict.incomplete.empty()) text += verdict.incomplete + '\n';
  const int exit_code = exit_code_of(verdict);
  text += exit_code == exit_conforms   ? "CONFORMS\n"
          : exit_code == exit_mismatch ? "MISMATCH\n"
                                       : "INCOMPLETE\n";
  std::fputs(text.c_str(), stdout);
}

// Of a line that is too long only what shows it is taken: it may never end.
bool next_line(std::istream& stream, std::string& line) {
  std::array<char, max_lane_line_bytes + 2> text{};
  stream.getline(text.data(), text.size());
  if (stream.gcount() == 0) return false;
  const bool has_end = !stream.eof() && !stream.fail();
  line.assign(text.data(), static_cast<std::size_t>(stream.gcount()) - (has_end ? 1 : 0));
  return true;
}

int verify(const StreamOptions& options) {
  const auto profile = profile_named(options.profile);
  if (!profile) return fail_with(exit_usage, profile.error().message);
  auto plan = plan_of(options);
  if (!plan) return fail_with(exit_usage, plan.error().message);
  auto reader = LaneReader::open(std::move(*plan), **profile);
  if (!reader) return fail_with(exit_usage, reader.error().message);
  for (std::string line; next_line(std::cin, line);) {
    if (auto read = reader->line(line); !read) {
      return fail_with(exit_usage, fmt::format("stream: {}", read.error().message));
    }
  }
  const LaneVerdict verdict = reader->finish();
  if (options.json) {
    print_json(options, verdict);
  } else {
    print_text(options, verdict);
  }
  return exit_code_of(verdict);
}

}  // namespace

void add_stream_commands(CLI::App& app, const Suite& /*suite*/, Action& action) {
  const auto options = std::make_shared<StreamOptions>();
  const auto add = [&](const char* name, const char* what, int (*run)(const StreamOptions&)) {
    CLI::App* command = app.add_subcommand(name, what);
    command
        ->add_option("operation", options->operation,
                     fmt::format("what to compute: {}", fmt::join(lane_operations(), ", ")))
        ->required();
    command->add_option("--level", options->level, "of an operation's cases")
        ->check(CLI::IsMember({"smoke", "standard", "full", "exhaustive"}));
    command->add_option("--seed", options->seed, "of an operation's random cases")
        ->check(whole_number(0, largest_seed));
    command->callback(
        [&action, options, run] { action = [options, run] { return run(*options); }; });
    return command;
  };
  add("gen", "prints inputs in hex, one element a line, for `your-program | fp4cts ver`", generate);
  CLI::App* verifying =
      add("ver", "judges a stream of `fp4cts gen` to which a program appended results", verify);
  verifying->add_option("--profile", options->profile, "the profile that the program declares");
  verifying->add_option("--max-errors", options->max_errors, "wrong results to print")
      ->check(whole_number(0, INT64_MAX));
  verifying->add_flag("--json", options->json, "as a JSON object");
}

}  // namespace harness::cli
