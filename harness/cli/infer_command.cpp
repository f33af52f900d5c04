// fp4cts infer: which profile the bytes of an answer follow.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/suite/profiles/axes.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness::cli {
namespace {

struct InferOptions {
  std::string problem;
  std::string answer;
  std::string from = "ocp";
  std::size_t most = 8;
  bool json = false;
};

struct Candidate {
  std::string name;
  std::uint64_t agreeing = 0;  // bytes of the outputs
  // The first byte that it has otherwise, with what it would be.
  std::size_t first_byte = 0;
  std::uint8_t expected = 0;
  std::uint8_t actual = 0;
};

std::uint64_t total(const Outputs& outputs) {
  std::uint64_t bytes = 0;
  for (const auto& output : outputs) bytes += output.size();
  return bytes;
}

Result<Candidate> try_profile(const Operation& operation, const Problem& problem,
                              const Outputs& answer, const oracle::Profile& profile,
                              std::string name) {
  const auto expected = operation.expected(problem, profile);
  if (!expected) return tl::make_unexpected(expected.error());
  Candidate candidate{std::move(name)};
  bool differs = false;
  for (std::size_t o = 0; o < answer.size(); ++o) {
    for (std::size_t i = 0; i < answer[o].size(); ++i) {
      if (answer[o][i] == (*expected)[o][i]) {
        ++candidate.agreeing;
      } else if (!differs) {
        differs = true;
        candidate.first_byte = i;
        candidate.expected = (*expected)[o][i];
        candidate.actual = answer[o][i];
      }
    }
  }
  return candidate;
}

// All shipped profiles, and every one that is a word away from the declared one.
Result<std::vector<Candidate>> candidates_of(const Operation& operation, const Problem& problem,
                                             const Outputs& answer,
                                             const oracle::Profile& declared) {
  std::vector<Candidate> candidates;
  const auto add = [&](const oracle::Profile& profile, std::string name) -> Status {
    return try_profile(operation, problem, answer, profile, std::move(name))
        .map([&](Candidate&& made) { candidates.push_back(std::move(made)); });
  };
  if (Status done = add(declared, declared.name); !done) return tl::make_unexpected(done.error());
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    if (profile->name == declared.name) continue;
    if (Status done = add(*profile, profile->name); !done) {
      return tl::make_unexpected(done.error());
    }
  }
  for (const ProfileStep& step : one_word_away(declared)) {
    if (Status done =
            add(step.profile, fmt::format("{} with {} {}", declared.name, step.member, step.word));
        !done) {
      return tl::make_unexpected(done.error());
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.agreeing > b.agreeing; });
  return candidates;
}

int infer(const Suite& suite, const InferOptions& options) {
  const Result<ProblemFile> file = read_problem_file(options.problem);
  if (!file) return fail_with(exit_usage, file.error().message);
  const Operation* operation = operation_named(suite.operations, file->problem.operation);
  if (operation == nullptr) {
    return fail_with(exit_usage, fmt::format("{}: no operation is named '{}'", options.problem,
                                             file->problem.operation));
  }
  Result<TensorFile> tensors = read_safetensors(options.answer);
  if (!tensors) return fail_with(exit_usage, tensors.error().message);
  const auto answer = outputs_from(std::move(*tensors), file->problem, options.answer);
  if (!answer) return fail_with(exit_usage, answer.error().message);
  const Result<oracle::Profile> declared = load_profile(options.from);
  if (!declared) return fail_with(exit_usage, declared.error().message);
  const auto candidates = candidates_of(*operation, file->problem, *answer, *declared);
  if (!candidates) return fail_with(exit_usage, candidates.error().message);
  const std::uint64_t bytes = total(*answer);
  if (options.json) {
    nlohmann::ordered_json object{{"operation", operation->name()}, {"bytes", bytes}};
    object["candidates"] = nlohmann::ordered_json::array();
    for (const Candidate& each : *candidates) {
      object["candidates"].push_back({{"profile", each.name}, {"agreeing", each.agreeing}});
    }
    fmt::print("{}\n", object.dump(2));
  } else {
    TextTable table({{"profile"}, {"agreeing bytes", Align::right}, {"first that is otherwise"}});
    for (const Candidate& each : *candidates) {
      const bool all = each.agreeing == bytes;
      if (!all && &each - candidates->data() >= static_cast<std::ptrdiff_t>(options.most)) break;
      table.add({each.name, std::to_string(each.agreeing),
                 all ? "-"
                     : fmt::format("byte {}: expected {:#04x}, got {:#04x}", each.first_byte,
                                   each.expected, each.actual)});
    }
    std::fputs(table.text().c_str(), stdout);
    const bool found = candidates->front().agreeing == bytes;
    fmt::print("{}\n",
               found ? fmt::format("all {} bytes agree with {}", bytes, candidates->front().name)
                     : fmt::format("no profile, and none that is one word away from {}, "
                                   "has all {} bytes",
                                   declared->name, bytes));
  }
  return candidates->front().agreeing == bytes ? exit_conforms : exit_mismatch;
}

}  // namespace

void add_infer_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "infer",
      "find the profile that the bytes of an answer follow, or the axis that is otherwise");
  const auto options = std::make_shared<InferOptions>();
  command->add_option("PROBLEM", options->problem, "a problem or golden file (vectors generate)")
      ->required()
      ->type_name("FILE");
  command->add_option("ANSWER", options->answer, "what the implementation made of it")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--profile", options->from,
                   "the declared one, of which every single word is changed as well")
      ->capture_default_str();
  command->add_option("--most", options->most, "list so many that do not match")
      ->capture_default_str();
  command->add_flag("--json", options->json, "every candidate with its count, as JSON");
  command->footer(
      "Exit codes: 0 a profile has all bytes, 1 none has, 2 bad usage or a file that is none.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return infer(suite, *options); };
  });
}

}  // namespace harness::cli
