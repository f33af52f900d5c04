#include "vectors/src/answer_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "harness/files/malformed.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/files/sha256.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"
#include "harness/results/verdict/verdict.hpp"
#include "harness/suite/profiles/profiles.hpp"
#include "vectors/src/element_table.hpp"
#include "vectors/src/fact.hpp"
#include "vectors/src/golden.hpp"
#include "vectors/src/manifest.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".safetensors";

struct Golden {
  ProblemFile file;
  const oracle::Profile* profile = nullptr;
  Outputs expected;  // under `profile`
};

// The profile that a golden file was made with: a shipped one, or the declared one if that has its
// name. A file from outside does not choose which other file is read.
Result<const oracle::Profile*> own_profile(const std::string& name,
                                           const oracle::Profile* declared) {
  if (declared != nullptr && declared->name == name) return declared;
  const auto shipped = oracle::profiles::shipped();
  const auto is_it = [&](const oracle::Profile* profile) { return profile->name == name; };
  const auto found = std::find_if(shipped.begin(), shipped.end(), is_it);
  if (found != shipped.end()) return *found;
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("profile: expected a shipped one, or that of --profile; got "
                                  "\"{}\"",
                                  name));
}

Result<Golden> read_golden(const fs::path& path, const oracle::Profile* declared) {
  auto file = read_problem_file(path);
  if (!file) return tl::make_unexpected(file.error());
  if (!file->expected)
    return malformed(path.string(), "expected golden outputs, got a problem alone");
  const auto own = own_profile(fact(*file, "profile"), declared);
  if (!own) return malformed(path.string(), own.error().message);
  auto answer = golden_outputs(file->problem, **own);
  if (!answer) return malformed(path.string(), answer.error().message);
  if (*answer != *file->expected) {
    return malformed(path.string(), "its golden outputs are not what this suite's oracle answers");
  }
  Golden golden{std::move(*file), *own, std::move(*answer)};
  if (declared == nullptr || *declared == **own) return golden;
  golden.profile = declared;
  return golden_outputs(golden.file.problem, *declared).map([&](Outputs outputs) {
    golden.expected = std::move(outputs);
    return std::move(golden);
  });
}

// The calls of the case before the judged one, as far as their files lie beside it.
std::vector<Problem> earlier_calls(const fs::path& path, const Golden& golden) {
  std::vector<Problem> calls;
  const std::string call = fact(golden.file, "call");
  if (call.empty() || call == "0") return calls;
  const std::string suffix = fmt::format(".call{}{}", call, extension);
  const std::string name = path.filename().string();
  if (!name.ends_with(suffix)) return calls;
  const std::string stem = name.substr(0, name.size() - suffix.size());
  const unsigned long count = std::strtoul(call.c_str(), nullptr, 10);
  for (unsigned long before = 0; before < std::min(count, 64UL); ++before) {
    const std::string middle = before == 0 ? std::string() : fmt::format(".call{}", before);
    auto file =
        read_problem_file(path.parent_path() / fmt::format("{}{}{}", stem, middle, extension));
    if (file && file->problem.operation == golden.file.problem.operation) {
      calls.push_back(std::move(file->problem));
    }
  }
  return calls;
}

// What the golden file asked; nothing where it names no case. Error: it names a case, or an element
// table, and holds another problem.
Result<std::optional<AskedProblem>> asked_by(const Golden& golden, const fs::path& path) {
  const std::string& operation = golden.file.problem.operation;
  AskedProblem asked{operation, fact(golden.file, "spec"),
                     std::strtoull(fact(golden.file, "call").c_str(), nullptr, 10),
                     profile_sha256(to_json(*golden.profile))};
  if (asked.spec.empty() && element_table_of(operation) == nullptr) return std::nullopt;
  const Result<Outputs> outputs = golden_outputs(asked, *golden.profile);
  if (!outputs) return malformed(path.string(), "spec: " + outputs.error().message);
  if (*outputs != golden.expected) {
    return malformed(path.string(),
                     fmt::format("it states call {} of the case {}, and holds another problem",
                                 asked.call, fact(golden.file, "case")));
  }
  return asked;
}

CaseRecord record_for(const Golden& golden) {
  CaseRecord record;
  record.case_id = fact(golden.file, "case");
  if (const std::string call = fact(golden.file, "call"); !call.empty() && call != "0") {
    record.case_id += fmt::format(".call{}", call);
  }
  record.case_sha256 = sha256_hex(std::string_view(fact(golden.file, "spec")));
  record.operation = golden.file.problem.operation;
  // Results name operations by one word; a table's is in the case.
  if (const auto slash = record.operation.find('/'); slash != std::string::npos) {
    record.operation.resize(slash);
  }
  record.path = "files";
  record.device = answers_from_outside;
  return record;
}

void judge(const Golden& golden, std::vector<Problem> calls, const Outputs& actual,
           CaseRecord& record) {
  Sha256 digest;
  for (const auto& output : actual) {
    record.bytes_compared += output.size();
    digest.update(output);
  }
  record.output_sha256 = digest.hex();
  record.calls = 1;
  record.verdict = Verdict::pass;
  if (actual == golden.expected) return;
  calls.push_back(golden.file.problem);
  record.verdict = Verdict::mismatch;
  record.diagnosis = diagnose_outputs(calls, *golden.profile, golden.expected, actual);
  record.reason = record.diagnosis.first.empty()
                      ? fmt::format("{} wrong elements", record.diagnosis.mismatches)
                      : fmt::format("{} wrong elements, the first: {}", record.diagnosis.mismatches,
                                    record.diagnosis.first.front().text);
}

// Judges one pair of files and adds to `check`. Error: the golden file.
Result<void> check_pair(const fs::path& golden_path, const fs::path& answer_path,
                        const oracle::Profile* declared, AnswerCheck& check) {
  const auto golden = read_golden(golden_path, declared);
  if (!golden) return tl::make_unexpected(golden.error());
  CaseRecord record = record_for(*golden);
  auto asked = asked_by(*golden, golden_path);
  if (!asked) return tl::make_unexpected(asked.error());
  record.asked = *std::move(asked);
  if (std::find(check.profiles.begin(), check.profiles.end(), golden->profile) ==
      check.profiles.end()) {
    check.profiles.push_back(golden->profile);
  }
  record.reproduce = fmt::format("fp4cts check {} {}", golden_path.string(), answer_path.string());
  if (!fs::exists(answer_path)) {
    record.reason = fmt::format("{}: no such file", answer_path.string());
    check.records.push_back(std::move(record));
    return {};
  }
  auto answer = read_safetensors(answer_path);
  if (!answer) {
    check.unusable.push_back(answer.error().message);
    record.reason = "its answer file cannot be read";
    check.records.push_back(std::move(record));
    return {};
  }
  const auto outputs = outputs_from(std::move(*answer), golden->file.problem, answer_path.string());
  if (outputs) {
    judge(*golden, earlier_calls(golden_path, *golden), *outputs, record);
  } else {
    record.verdict = Verdict::mismatch;
    record.calls = 1;
    record.reason = outputs.error().message;
    record.diagnosis.fault_class = "wrong_outputs";
    record.diagnosis.explanation = "the answer has not the tensors that the golden file asks for";
  }
  check.records.push_back(std::move(record));
  return {};
}

// Error: the folder has a manifest, and not every golden file that it lists.
Result<void> check_whole(const fs::path& folder, const std::vector<std::string>& paths) {
  if (!fs::exists(folder / manifest_name)) return {};
  const Result<Manifest> manifest = read_manifest(folder);
  if (!manifest) return tl::make_unexpected(manifest.error());
  for (const ManifestFile& file : manifest->files) {
    const bool there = !file.path.ends_with(extension) ||
                       std::binary_search(paths.begin(), paths.end(), file.path);
    if (!there) {
      return malformed(
          (folder / manifest_name).string(),
          fmt::format("expected the golden file {} that it lists, which is not there", file.path));
    }
  }
  return {};
}

// Where golden files of several sets hold one case, records name the set. Error: two files of one
// set hold one call of one case.
Result<void> tell_apart(std::span<CaseRecord> records, const std::vector<std::string>& paths) {
  const auto first_twice = [&] {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto [before, is_new] = seen.emplace(records[i].key(), i);
      if (!is_new) return std::optional(std::pair(before->second, i));
    }
    return std::optional<std::pair<std::size_t, std::size_t>>();
  };
  if (!first_twice()) return {};
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].path += '/' + paths[i].substr(0, paths[i].find('/'));
  }
  const auto twice = first_twice();
  if (!twice) return {};
  return malformed(paths[twice->second],
                   fmt::format("expected each call of a case in one golden file, got {} of {} here "
                               "and in {}",
                               records[twice->first].case_id, records[twice->first].operation,
                               paths[twice->first]));
}

// The tensor files of a folder, as paths under it.
Result<std::vector<std::string>> tensor_files(const fs::path& folder) {
  return list_files(folder).map([](const std::vector<ManifestFile>& files) {
    std::vector<std::string> paths;
    for (const ManifestFile& file : files) {
      if (file.path.ends_with(extension)) paths.push_back(file.path);
    }
    return paths;
  });
}

}  // namespace

Result<AnswerCheck> check_answers(const fs::path& golden, const fs::path& answer,
                                  const oracle::Profile* declared) {
  AnswerCheck check;
  if (!fs::is_directory(golden)) {
    if (fs::is_directory(answer))
      return malformed(answer.string(), "expected a file, got a folder");
    auto checked = check_pair(golden, answer, declared, check);
    if (!checked) return tl::make_unexpected(checked.error());
    return check;
  }
  if (!fs::is_directory(answer))
    return malformed(answer.string(), "expected a folder, as the golden one");
  const auto wanted = tensor_files(golden);
  if (!wanted) return tl::make_unexpected(wanted.error());
  if (wanted->empty()) return malformed(golden.string(), "expected golden files, got none");
  if (auto whole = check_whole(golden, *wanted); !whole) return tl::make_unexpected(whole.error());
  const auto given = tensor_files(answer);
  if (!given) return tl::make_unexpected(given.error());
  for (const std::string& path : *wanted) {
    auto checked = check_pair(golden / path, answer / path, declared, check);
    if (!checked) return tl::make_unexpected(checked.error());
  }
  if (auto apart = tell_apart(check.records, *wanted); !apart) {
    return tl::make_unexpected(apart.error());
  }
  for (const std::string& path : *given) {
    if (!std::binary_search(wanted->begin(), wanted->end(), path)) {
      check.unusable.push_back(
          fmt::format("{}: no golden file has this path", (answer / path).string()));
    }
  }
  return check;
}

}  // namespace harness
