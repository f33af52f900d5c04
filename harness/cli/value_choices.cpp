#include "harness/cli/value_choices.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/explanation.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/model/case.hpp"
#include "oracle/profile.hpp"
#include "vectors/src/lane_stream.hpp"
#include "vectors/src/vector_set.hpp"

namespace harness::cli {
namespace {

using Choices = std::map<std::string, std::vector<std::string>, std::less<>>;

// By the option's name; by "SUBCOMMAND NAME" for one without dashes.
Choices known_choices(const Suite& suite) {
  Choices choices;
  for (const Level level : {Level::smoke, Level::standard, Level::full, Level::exhaustive}) {
    choices["--level"].emplace_back(name_of(level));
  }
  for (const oracle::Profile* profile : oracle::profiles::shipped()) {
    choices["--profile"].push_back(profile->name);
  }
  for (const Operation* operation : suite.operations) {
    choices["--op"].emplace_back(operation->name());
  }
  choices["--device"] = {"cpu", "cuda", "cuda:0", "hip", "hip:0", "ptx", "all"};
  for (const kernels::Image& image : suite.images) {
    const Operation* const operation = operation_of(image.module, suite.operations);
    if (operation == nullptr) continue;
    const std::string path(image.module.substr(operation->name().size() + 1));
    std::vector<std::string>& paths = choices["--path"];
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  for (const VectorSet& set : all_vector_sets()) choices["--set"].emplace_back(set.name);
  for (const auto& name : lane_operations()) {
    choices["gen operation"].emplace_back(name);
    choices["ver operation"].emplace_back(name);
  }
  for (const auto& name : explain_subjects()) choices["explain what"].emplace_back(name);
  return choices;
}

void add(CommandInfo& command, const Choices& choices) {
  for (OptionInfo& option : command.options) {
    for (const std::string& name : option.names) {
      const auto found = choices.find(option.positional ? command.path.back() + ' ' + name : name);
      if (found == choices.end() || option.kind == ValueKind::none) continue;
      option.choices = found->second;
      option.kind = ValueKind::choice;
    }
  }
  for (CommandInfo& child : command.subcommands) add(child, choices);
}

}  // namespace

void add_value_choices(CommandInfo& tree, const Suite& suite) { add(tree, known_choices(suite)); }

}  // namespace harness::cli
