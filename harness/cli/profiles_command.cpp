// fp4cts profiles: the shipped ones, what is in one, and what tells two apart.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/suite/profiles/axes.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness::cli {
namespace {

struct ProfilesOptions {
  std::vector<std::string> names;
  bool json = false;
};

std::string comment_of(const ShippedProfile& shipped) {
  return nlohmann::json::parse(shipped.json).value("comment", "");
}

int list_profiles(bool json) {
  const oracle::Profile& ocp = oracle::profiles::ocp();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  TextTable table({{"profile"}, {"differs from ocp in"}, {"what it is"}});
  for (const ShippedProfile& shipped : shipped_profiles()) {
    const Result<oracle::Profile> profile = load_profile(shipped.name);
    if (!profile) return fail_with(exit_error, profile.error().message);
    if (json) {
      nlohmann::ordered_json object = to_json(*profile);
      object["comment"] = comment_of(shipped);
      all.push_back(std::move(object));
      continue;
    }
    const auto count = differences(ocp, *profile).size();
    table.add({std::string(shipped.name),
               count == 0 ? "-" : fmt::format("{} member{}", count, count == 1 ? "" : "s"),
               comment_of(shipped)});
  }
  std::fputs((json ? all.dump(2) + '\n' : table.text()).c_str(), stdout);
  return exit_conforms;
}

// Where two profiles give different bytes: the first of the cases of a level that shows it.
struct Telling {
  std::string case_id;
  std::string tensor;
  std::size_t byte = 0;
  std::uint8_t first = 0;
  std::uint8_t second = 0;
};

std::optional<Telling> tell_apart(const Suite& suite, const oracle::Profile& first,
                                  const oracle::Profile& second) {
  for (const Operation* operation : suite.operations) {
    for (const Case& each : operation->cases(Level::smoke, 1)) {
      const auto calls = operation->build(each.spec);
      if (!calls || calls->empty()) continue;
      const Problem& problem = calls->front();
      const auto one = operation->expected(problem, first);
      const auto two = operation->expected(problem, second);
      if (!one || !two || *one == *two) continue;
      std::size_t output = 0;
      for (const Tensor& tensor : problem.tensors) {
        if (tensor.role != Role::output) continue;
        const auto& a = (*one)[output];
        const auto& b = (*two)[output];
        const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        if (at != a.end()) {
          return Telling{each.id, tensor.name, static_cast<std::size_t>(at - a.begin()), *at,
                         *other};
        }
        ++output;
      }
    }
  }
  return std::nullopt;
}

int compare(const Suite& suite, const oracle::Profile& first, const oracle::Profile& second,
            bool json) {
  const auto found = differences(first, second);
  const auto telling = tell_apart(suite, first, second);
  if (json) {
    nlohmann::ordered_json object{{"first", first.name}, {"second", second.name}};
    object["differences"] = nlohmann::ordered_json::array();
    for (const ProfileDifference& each : found) {
      object["differences"].push_back(
          {{"member", each.member}, {"first", each.first}, {"second", each.second}});
    }
    if (telling) {
      object["told_apart_by"] = {{"case", telling->case_id},
                                 {"tensor", telling->tensor},
                                 {"byte", telling->byte},
                                 {"first", fmt::format("{:02x}", telling->first)},
                                 {"second", fmt::format("{:02x}", telling->second)}};
    }
    fmt::print("{}\n", object.dump(2));
    return exit_conforms;
  }
  TextTable table({{"member"}, {first.name}, {second.name}});
  for (const ProfileDifference& each : found) table.add({each.member, each.first, each.second});
  if (!found.empty()) std::fputs(table.text().c_str(), stdout);
  if (telling) {
    fmt::print("told apart by {}: byte {} of {} is {:#04x} by {} and {:#04x} by {}\n",
               telling->case_id, telling->byte, telling->tensor, telling->first, first.name,
               telling->second, second.name);
  } else {
    fmt::print("no case of level smoke tells {} and {} apart\n", first.name, second.name);
  }
  return exit_conforms;
}

int run_profiles(const Suite& suite, const ProfilesOptions& options) {
  if (options.names.empty()) return list_profiles(options.json);
  std::vector<oracle::Profile> profiles;
  for (const std::string& name : options.names) {
    Result<oracle::Profile> profile = load_profile(name);
    if (!profile) return fail_with(exit_usage, profile.error().message);
    profiles.push_back(std::move(*profile));
  }
  if (profiles.size() == 2) return compare(suite, profiles[0], profiles[1], options.json);
  fmt::print("{}\n", to_json(profiles.front()).dump(2));
  return exit_conforms;
}

}  // namespace

void add_profiles_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "profiles", "list the shipped profiles, show one, or what tells two apart");
  const auto options = std::make_shared<ProfilesOptions>();
  command->add_option("NAME", options->names, "a shipped profile or a JSON file; two to compare")
      ->expected(0, 2);
  command->add_flag("--json", options->json, "as JSON");
  command->footer(
      "docs/profiles.md says what each member settles.\n"
      "Exit codes: 0 done, 2 no such profile, or a file that is none.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return run_profiles(suite, *options); };
  });
}

}  // namespace harness::cli
