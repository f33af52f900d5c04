#include "harness/results/statement/claim.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/model/software_instruction.hpp"

namespace harness {
namespace {

constexpr const char* default_profile = "ocp";

void flatten(const nlohmann::json& json, const std::string& path,
             std::vector<std::pair<std::string, std::string>>& to) {
  if (!json.is_object()) {
    to.emplace_back(path, json.is_string() ? json.get<std::string>() : json.dump());
    return;
  }
  for (const auto& [key, value] : json.items()) {
    flatten(value, path.empty() ? key : path + '.' + key, to);
  }
}

bool is_about_the_file(const std::string& member) {
  for (const char* each : {"fp4cts_profile", "name", "version", "comment", "unverified"}) {
    if (member == each) return true;
  }
  return false;
}

bool was_in_software(const RunHeader& header, const ResultRow& row) {
  return std::any_of(header.implementations.begin(), header.implementations.end(),
                     [&](const ImplementationInfo& info) {
                       return info.operation == row.operation && info.path == row.path &&
                              info.device == row.device && instruction_in_software(info);
                     });
}

// "qmul4 (fp32, table) on cpu", by operation and device in the order of the rows.
std::vector<std::string> judged_rows(const RunHeader& header, const EndRecord& end) {
  std::vector<std::pair<std::string, std::string>> keys;
  std::vector<std::vector<std::string>> paths;
  for (const ResultRow& row : end.rows) {
    if (row.run == 0 || was_in_software(header, row)) continue;
    const std::pair key{row.operation, row.device};
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      keys.push_back(key);
      paths.push_back({row.path});
    } else {
      paths[static_cast<std::size_t>(found - keys.begin())].push_back(row.path);
    }
  }
  std::vector<std::string> judged;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    judged.push_back(
        fmt::format("{} ({}) on {}", keys[i].first, fmt::join(paths[i], ", "), keys[i].second));
  }
  return judged;
}

// Texts of others stand between quotes, and cannot end them.
std::string without_quotes(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

// Operations of the suite without a row, paths of the box that were not selected, rows whose
// instruction was software, and the rows that were not run.
std::vector<std::string> left_out(const ConcludedRun& run, const SuiteKnowledge& knowledge) {
  std::vector<std::string> rows;
  const auto ran = [&](std::string_view operation, const std::string* path) {
    return std::any_of(run.end.rows.begin(), run.end.rows.end(), [&](const ResultRow& row) {
      return row.run != 0 && row.operation == operation && (path == nullptr || row.path == *path);
    });
  };
  const auto said = [&](std::string_view operation, const std::string& path) {
    return std::any_of(run.results.not_run.begin(), run.results.not_run.end(),
                       [&](const NotRunRecord& record) {
                         return record.operation == operation && record.path == path;
                       });
  };
  const Selection& selection = run.results.header.selection;
  const bool kernels_in_the_box =
      selection.libraries.empty() && selection.programs.empty() && selection.modules.empty();
  for (const Operation* operation : knowledge.operations) {
    if (!ran(operation->name(), nullptr)) {
      rows.emplace_back(operation->name());
      continue;
    }
    for (const KnownKernel& kernel : knowledge.kernels) {
      if (kernels_in_the_box && kernel.operation == operation->name() &&
          !ran(kernel.operation, &kernel.path) && !said(kernel.operation, kernel.path)) {
        rows.push_back(fmt::format("{} {}", kernel.operation, kernel.path));
      }
    }
  }
  for (const ResultRow& row : run.end.rows) {
    if (row.run == 0 || !was_in_software(run.results.header, row)) continue;
    rows.push_back(fmt::format("{} {} on {} (its instruction was software)", row.operation,
                               row.path, row.device));
  }
  for (const NotRunRecord& record : run.results.not_run) {
    std::string row = record.operation.empty() ? "everything" : record.operation;
    if (!record.path.empty()) row += ' ' + record.path;
    if (!record.device.empty()) row += " on " + record.device;
    rows.push_back(fmt::format("{} (\"{}\")", row, without_quotes(record.reason)));
  }
  return rows;
}

// A shipped profile's name, or what a file is without believing its path: nobody writes a sentence
// of his own into this one.
std::string profile_name(const JudgedProfile& profile, const SuiteKnowledge& knowledge) {
  if (knowledge.shipped_profile && knowledge.shipped_profile(profile.name)) return profile.name;
  constexpr std::size_t shown = 12;
  return fmt::format("of a file (sha256 {})", profile.sha256.substr(0, shown));
}

}  // namespace

std::vector<std::string> profile_differences(const nlohmann::json& profile,
                                             const nlohmann::json& by_default) {
  std::vector<std::pair<std::string, std::string>> members;
  std::vector<std::pair<std::string, std::string>> defaults;
  flatten(profile, "", members);
  flatten(by_default, "", defaults);
  std::vector<std::string> lines;
  for (const auto& [member, value] : members) {
    if (is_about_the_file(member)) continue;
    const auto found =
        std::find_if(defaults.begin(), defaults.end(),
                     [&name = member](const auto& each) { return each.first == name; });
    if (found != defaults.end() && found->second == value) continue;
    lines.push_back(found == defaults.end() ? fmt::format("{} is {}", member, value)
                                            : fmt::format("{} is {}; by default it is {}", member,
                                                          value, found->second));
  }
  return lines;
}

Claim claim_of(const ConcludedRun& run, const SuiteKnowledge& knowledge) {
  const RunHeader& header = run.results.header;
  Claim claim;
  claim.judged = judged_rows(header, run.end);
  claim.not_judged = left_out(run, knowledge);
  std::vector<std::string> profiles;
  for (const JudgedProfile& profile : header.profiles) {
    const auto shipped =
        knowledge.shipped_profile ? knowledge.shipped_profile(default_profile) : std::nullopt;
    const std::vector<std::string> differs =
        shipped ? profile_differences(profile.contents, *shipped) : std::vector<std::string>{};
    const std::string name = profile_name(profile, knowledge);
    profiles.push_back(differs.empty() ? name
                                       : fmt::format("{} (which differs from {}: {})", name,
                                                     default_profile, fmt::join(differs, ", ")));
  }
  claim.sentence = fmt::format(
      "fp4cts {} ({}), level {}, profile {}: {}. Judged: {}. Not judged: {}.", header.suite_version,
      header.suite_commit, name_of(header.selection.level), fmt::join(profiles, ", "),
      verdict_line(run.end), fmt::join(claim.judged, "; "),
      claim.not_judged.empty() ? "nothing" : fmt::format("{}", fmt::join(claim.not_judged, "; ")));
  return claim;
}

}  // namespace harness
