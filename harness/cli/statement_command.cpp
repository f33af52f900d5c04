// fp4cts statement: a conformance statement from results, and its verification.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/cli/embedded_files.hpp"
#include "harness/cli/knowledge.hpp"
#include "harness/cli/results_input.hpp"
#include "harness/cli/version.hpp"
#include "harness/files/file.hpp"
#include "harness/files/sha256.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/statement/statement.hpp"
#include "harness/results/statement/ustar.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace harness::cli {
namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{2} << 30;  // of results and of a statement

struct StatementOptions {
  std::vector<std::string> results;
  std::string manifest;
  std::string out;
  std::string file;  // to verify
  bool json = false;
};

// The sentence of each run that can be quoted, and what it ran on.
void print_claims(const nlohmann::ordered_json& statement, const std::vector<std::string>& notes) {
  for (const nlohmann::ordered_json& run : statement.at("runs")) {
    const nlohmann::ordered_json& facts = run.at("facts");
    std::puts(fmt::format("{}: {}", run.at("folder").get<std::string>(),
                          facts.at("claim").get<std::string>())
                  .c_str());
    for (const nlohmann::ordered_json& device : facts.at("devices")) {
      std::puts(fmt::format("  {}: {}", device.at("name").get<std::string>(),
                            device.at("description").get<std::string>())
                    .c_str());
    }
  }
  for (const std::string& note : notes) std::puts(("note: " + note).c_str());
}

int make(const Suite& suite, const StatementOptions& options) {
  if (options.results.empty() || options.out.empty()) {
    return fail_with(exit_usage, "statement: --results and --out are required");
  }
  if (Status status = nothing_read_is_written("the statement", {options.out}, options.results,
                                              {"manifest", options.manifest});
      !status) {
    return fail_with(exit_usage, status.error().message);
  }
  const SuiteKnowledge knowledge = knowledge_of(suite);
  std::vector<ResultsText> texts;
  bool of_carried_vectors = false;
  for (const std::string& path : options.results) {
    ConcludeOptions how;
    how.bytes = false;  // make_statement computes them
    const Result<ConcludedRun> run = read_results(path).and_then(
        [&](ResultsFile results) { return conclude(std::move(results), path, knowledge, how); });
    if (!run) return fail_with(exit_usage, run.error().message);
    if (run->end.exit_code != exit_conforms) {
      return fail_with(run->end.exit_code,
                       fmt::format("{}: {}, and only CONFORMS can be stated: {}", path,
                                   name_of(run->end.verdict), fmt::join(run->end.reasons, "; ")));
    }
    Result<std::string> text = read_text_file(results_path(path), max_bytes);
    if (!text) return fail_with(exit_usage, text.error().message);
    texts.push_back({path, *std::move(text)});
    of_carried_vectors |=
        !vectors_sha256().empty() && run->results.header.vectors_sha256 == vectors_sha256();
  }
  std::optional<std::string> manifest;
  if (!options.manifest.empty()) {
    Result<std::string> text = read_text_file(options.manifest, max_bytes);
    if (!text) return fail_with(exit_usage, text.error().message);
    manifest = *std::move(text);
  } else if (of_carried_vectors) {
    manifest = embedded_file("MANIFEST.json")->text();
  }
  std::vector<std::string> notes;
  const Result<std::string> archive = make_statement(texts, manifest, knowledge, &notes);
  if (!archive) return fail_with(exit_usage, archive.error().message);
  if (Status status = write_text_file(options.out, *archive); !status) {
    return fail_with(exit_usage, status.error().message);
  }
  print_claims(nlohmann::ordered_json::parse(read_ustar(*archive)->front().bytes), notes);
  std::puts(
      fmt::format("{}: {} bytes, sha256 {}", options.out, archive->size(), sha256_hex(*archive))
          .c_str());
  return exit_conforms;
}

int verify(const Suite& suite, const StatementOptions& options) {
  const Result<std::string> archive = read_text_file(options.file, max_bytes);
  if (!archive) return fail_with(exit_usage, archive.error().message);
  std::vector<std::string> notes;
  const Result<nlohmann::ordered_json> statement =
      verify_statement(*archive, knowledge_of(suite), &notes);
  if (!statement) {
    return fail_with(exit_mismatch, fmt::format("{}: {}", options.file, statement.error().message));
  }
  if (options.json) {
    std::puts(statement->dump(2).c_str());
    return exit_conforms;
  }
  print_claims(*statement, notes);
  std::puts(fmt::format("{}: verified, {} files, sha256 {}", options.file,
                        statement->at("files").size() + 2, sha256_hex(*archive))
                .c_str());
  return exit_conforms;
}

}  // namespace

void add_statement_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "statement", "pack conforming results, their environment and reports into one archive");
  const auto options = std::make_shared<StatementOptions>();
  command
      ->add_option("--results", options->results,
                   "results files or folders, level full or exhaustive")
      ->type_name("PATH");
  command
      ->add_option("--manifest", options->manifest,
                   "MANIFEST.json of the vectors of the run; without it, the one in this binary")
      ->type_name("FILE");
  command->add_option("--out", options->out, "the archive to write")->type_name("FILE");
  CLI::App* check = command->add_subcommand(
      "verify",
      "draw every conclusion of a statement again from its records, and compare all of it");
  check->add_option("FILE", options->file, "the archive")->required()->type_name("FILE");
  check->add_flag("--json", options->json, "print the statement itself");
  check->footer("Exit codes: 0 verified, 1 not, 2 bad usage or a file that cannot be read.");
  check->callback([&action, &suite, options] {
    action = [&suite, options] { return verify(suite, *options); };
  });
  // Called after that of the subcommand.
  command->callback([&action, &suite, options, command, check] {
    if (command->got_subcommand(check)) return;
    action = [&suite, options] { return make(suite, *options); };
  });
}

}  // namespace harness::cli
