// fp4cts statement: a conformance statement from results, and its verification.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/files/file.hpp"
#include "harness/files/sha256.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/report/report.hpp"
#include "harness/results/statement/statement.hpp"

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

int make(const StatementOptions& options) {
  if (options.results.empty() || options.out.empty()) {
    return fail_with(exit_usage, "statement: --results and --out are required");
  }
  std::vector<ResultsText> texts;
  for (const std::string& path : options.results) {
    const Result<ResultsFile> results = read_results(path);
    if (!results) return fail_with(exit_usage, results.error().message);
    const Summary summary = summarize(*results, {});
    if (summary.end.exit_code != exit_conforms) {
      return fail_with(summary.end.exit_code,
                       fmt::format("{}: {}, and only CONFORMS can be stated: {}", path,
                                   name_of(summary.end.verdict), summary.sentence));
    }
    Result<std::string> text = read_text_file(results_path(path), max_bytes);
    if (!text) return fail_with(exit_usage, text.error().message);
    texts.push_back({path, *std::move(text)});
  }
  std::optional<std::string> manifest;
  if (!options.manifest.empty()) {
    Result<std::string> text = read_text_file(options.manifest, max_bytes);
    if (!text) return fail_with(exit_usage, text.error().message);
    manifest = *std::move(text);
  }
  const Result<std::string> archive = make_statement(texts, manifest);
  if (!archive) return fail_with(exit_usage, archive.error().message);
  if (Status status = write_text_file(options.out, *archive); !status) {
    return fail_with(exit_usage, status.error().message);
  }
  std::puts(
      fmt::format("{}: {} bytes, sha256 {}", options.out, archive->size(), sha256_hex(*archive))
          .c_str());
  return exit_conforms;
}

int verify(const StatementOptions& options) {
  const Result<std::string> archive = read_text_file(options.file, max_bytes);
  if (!archive) return fail_with(exit_usage, archive.error().message);
  const Result<nlohmann::ordered_json> statement = verify_statement(*archive);
  if (!statement) {
    return fail_with(exit_mismatch, fmt::format("{}: {}", options.file, statement.error().message));
  }
  if (options.json) {
    std::puts(statement->dump(2).c_str());
    return exit_conforms;
  }
  for (const nlohmann::ordered_json& run : statement->at("runs")) {
    const nlohmann::ordered_json& facts = run.at("facts");
    std::puts(
        fmt::format("{}: {} at level {}, profile {}, {} cases, fp4cts {} ({})",
                    run.at("folder").get<std::string>(), facts.at("verdict").get<std::string>(),
                    facts.at("level").get<std::string>(), facts.at("profile").get<std::string>(),
                    facts.at("plan").at("cases").get<std::uint64_t>(),
                    facts.at("suite").at("version").get<std::string>(),
                    facts.at("suite").at("commit").get<std::string>())
            .c_str());
    for (const nlohmann::ordered_json& device : facts.at("devices")) {
      std::puts(fmt::format("  {}: {}", device.at("name").get<std::string>(),
                            device.at("description").get<std::string>())
                    .c_str());
    }
  }
  std::puts(fmt::format("{}: verified, {} files, sha256 {}", options.file,
                        statement->at("files").size() + 2, sha256_hex(*archive))
                .c_str());
  return exit_conforms;
}

}  // namespace

void add_statement_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "statement", "pack conforming results, their environment and reports into one archive");
  const auto options = std::make_shared<StatementOptions>();
  command
      ->add_option("--results", options->results,
                   "results files or folders, level full or exhaustive")
      ->type_name("PATH");
  command->add_option("--manifest", options->manifest, "MANIFEST.json of the vectors of the run")
      ->type_name("FILE");
  command->add_option("--out", options->out, "the archive to write")->type_name("FILE");
  CLI::App* check = command->add_subcommand(
      "verify", "check every digest of a statement, and that its verdict follows from its records");
  check->add_option("FILE", options->file, "the archive")->required()->type_name("FILE");
  check->add_flag("--json", options->json, "print the statement itself");
  check->footer("Exit codes: 0 verified, 1 not, 2 bad usage or a file that cannot be read.");
  check->callback([&action, options] { action = [options] { return verify(*options); }; });
  // Called after that of the subcommand.
  command->callback([&action, options, command, check] {
    if (!command->got_subcommand(check)) action = [options] { return make(*options); };
  });
}

}  // namespace harness::cli
