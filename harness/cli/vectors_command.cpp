// fp4cts vectors: golden data made, verified, listed; and, for those who add to it, frozen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/cli/embedded_files.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/files/file.hpp"
#include "harness/implementations/isolation/temporary_folder.hpp"
#include "harness/model/operation.hpp"
#include "harness/run/run.hpp"
#include "vectors/src/vector_freeze.hpp"
#include "vectors/src/vector_set.hpp"
#include "vectors/src/vector_verify.hpp"

namespace harness::cli {
namespace {

struct VectorsOptions {
  std::vector<std::string> sets;
  std::optional<std::uint64_t> seed;
  std::string folder;
  bool json = false;
  bool quiet = false;
};

// What a set holds: its files or cases, and the bytes of the largest problem of it.
struct Size {
  std::uint64_t files = 0;
  std::uint64_t largest_bytes = 0;
};

Size size_of(const VectorSet& set) {
  Size size;
  if (set.seeded) {
    for (const Operation* operation : all_operations()) {
      for (const Case& test : operation->cases(*level_named(set.name), 0)) {
        ++size.files;
        size.largest_bytes = std::max(size.largest_bytes, test.device_bytes);
      }
    }
  } else if (const auto paths = set_paths(set, 0)) {
    size.files = paths->size();
  }
  return size;
}

int list(const VectorsOptions& options) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  TextTable table({{"set"}, {"cases", Align::right}, {"largest", Align::right}, {"what it holds"}});
  for (const VectorSet& set : all_vector_sets()) {
    const Size size = size_of(set);
    json.push_back({{"name", set.name},
                    {"summary", set.summary},
                    {"generated", !set.kept},
                    {"seeded", set.seeded},
                    {"cases", size.files},
                    {"largest_case_bytes", size.largest_bytes}});
    table.add({std::string(set.name), fmt::format("{}", size.files),
               size.largest_bytes == 0 ? "-" : human_bytes(static_cast<double>(size.largest_bytes)),
               fmt::format("{}{}", set.summary, set.kept ? " (kept as data)" : "")});
  }
  std::fputs(options.json ? (json.dump(2) + "\n").c_str() : table.text().c_str(), stdout);
  return exit_conforms;
}

Result<std::vector<ManifestSet>> requested_sets(const VectorsOptions& options) {
  std::vector<ManifestSet> sets;
  for (const std::string& name : options.sets) {
    const auto set = vector_set_named(name);
    if (!set) return tl::make_unexpected(set.error());
    if (!(*set)->seeded && options.sets.size() == 1 && options.seed.value_or(0) != 0) {
      return oracle::fail(ErrorCode::invalid_argument,
                          fmt::format("--seed: set {} has none", name));
    }
    sets.push_back({name, (*set)->seeded ? options.seed.value_or(0) : 0, 0});
  }
  return sets;
}

nlohmann::ordered_json to_json(const Manifest& manifest) {
  return nlohmann::ordered_json::parse(manifest_text(manifest));
}

int generate(const VectorsOptions& options) {
  const auto sets = requested_sets(options);
  if (!sets) return fail_with(exit_usage, sets.error().message);
  ProgressLine line(options.quiet);
  std::uint64_t done = 0;
  const auto progress = [&](const std::string& path) {
    ++done;
    if (line.due()) line.show(fmt::format("{} files, now {}", done, path));
  };
  const auto manifest = generate_sets(*sets, options.folder, progress);
  line.clear();
  if (!manifest) return fail_with(exit_usage, manifest.error().message);
  if (options.json) {
    std::puts(to_json(*manifest).dump().c_str());
    return exit_conforms;
  }
  std::uint64_t bytes = 0;
  for (const ManifestFile& file : manifest->files) bytes += file.bytes;
  std::puts(fmt::format("{} files, {}, in {}\nmanifest SHA-256 {}", manifest->files.size(),
                        human_bytes(static_cast<double>(bytes)), options.folder,
                        manifest_sha256(*manifest))
                .c_str());
  return exit_conforms;
}

// What the binary carries, as a folder: files that are kept from its own copies, sets that are made
// made anew, and all of it held to the manifest that it carries.
Result<VectorReport> verify_carried() {
  const Result<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder) return tl::make_unexpected(folder.error());
  for (const EmbeddedFile& file : embedded_files()) {
    const std::filesystem::path path = folder->path() / std::string(file.name);
    const std::string in = path.parent_path().filename();
    if (file.name != manifest_name && in != "curated" && in != "real") continue;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (Status status = write_text_file(path, std::string(file.text())); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  const auto manifest = read_manifest(folder->path());
  if (!manifest) return tl::make_unexpected(manifest.error());
  for (const ManifestSet& each : manifest->sets) {
    const auto set = vector_set_named(each.name);
    if (!set) return tl::make_unexpected(set.error());
    if ((*set)->kept) continue;
    const auto made = write_set(**set, each.seed, folder->path(), [](const std::string&) {});
    if (!made) return tl::make_unexpected(made.error());
  }
  return verify_vectors(folder->path());
}

int verify(const VectorsOptions& options) {
  const auto report = options.folder.empty() ? verify_carried() : verify_vectors(options.folder);
  if (!report) return fail_with(exit_usage, report.error().message);
  const int exit_code = !report->damage.empty()          ? exit_usage
                        : !report->disagreements.empty() ? exit_mismatch
                                                         : exit_conforms;
  if (options.json) {
    const nlohmann::ordered_json json{
        {"folder", options.folder.empty() ? "carried by the binary" : options.folder},
        {"manifest_sha256", manifest_sha256(report->manifest)},
        {"files", report->files},
        {"vectors", report->vectors},
        {"damage", report->damage},
        {"disagreements", report->disagreements},
        {"good", report->good()}};
    std::puts(json.dump(2).c_str());
    return exit_code;
  }
  for (const std::string& line : report->damage) std::puts(("DAMAGED " + line).c_str());
  for (const std::string& line : report->disagreements) {
    std::puts(("ORACLE DISAGREES " + line).c_str());
  }
  std::vector<std::string> sets;
  for (const ManifestSet& set : report->manifest.sets) sets.push_back(set.name);
  std::puts(fmt::format("sets {}: {} listed files, {} judged, {} vectors: {}",
                        sets.empty() ? "none" : fmt::format("{}", fmt::join(sets, ", ")),
                        report->manifest.files.size(), report->files, report->vectors,
                        report->good() ? "intact, and the oracle agrees" : "NOT GOOD")
                .c_str());
  return exit_code;
}

int freeze(const VectorsOptions& options) {
  const auto frozen = freeze_vectors(options.folder);
  if (!frozen) return fail_with(exit_usage, frozen.error().message);
  for (const std::string& path : frozen->added) std::puts(("entered " + path).c_str());
  std::puts(fmt::format("{} files, manifest SHA-256 {}", frozen->manifest.files.size(),
                        manifest_sha256(frozen->manifest))
                .c_str());
  return exit_conforms;
}

int format(const VectorsOptions& options) {
  const auto changed = format_curated(options.folder);
  if (!changed) return fail_with(exit_usage, changed.error().message);
  for (const std::string& name : *changed) std::puts(("formatted " + name).c_str());
  return exit_conforms;
}

}  // namespace

void add_vectors_command(CLI::App& app, const Suite& /*suite*/, Action& action) {
  CLI::App* command = app.add_subcommand("vectors", "golden vectors: list, generate, verify");
  command->require_subcommand(1);
  const auto options = std::make_shared<VectorsOptions>();
  const auto add = [&](const char* name, const char* what, int (*run)(const VectorsOptions&)) {
    CLI::App* child = command->add_subcommand(name, what);
    child->callback([&action, options, run] { action = [options, run] { return run(*options); }; });
    return child;
  };
  CLI::App* listing = add("list", "the sets there are", list);
  listing->add_flag("--json", options->json, "as a JSON array");

  CLI::App* making =
      add("generate", "writes sets into an empty folder, with their manifest", generate);
  making->add_option("--set", options->sets, "a set; may be given more than once")->required();
  making->add_option("--seed", options->seed, "of the random cases; 0 if not given")
      ->check(whole_number(0, largest_seed));
  making->add_option("--out", options->folder, "the folder, empty or new")
      ->required()
      ->type_name("DIR");
  making->add_flag("--json", options->json, "prints the manifest");
  making->add_flag("--quiet", options->quiet, "without progress");

  CLI::App* verifying =
      add("verify", "whether a folder is what its manifest says, and what the oracle says", verify);
  verifying
      ->add_option("folder", options->folder,
                   "a folder with a MANIFEST.json; unless given, what this binary carries")
      ->type_name("DIR");
  verifying->add_flag("--json", options->json, "as a JSON object");

  CLI::App* freezing =
      add("freeze", "enters new files and curated ids into manifest and registry; keeps old ones",
          freeze);
  freezing->add_option("folder", options->folder, "a folder of sets")->required()->type_name("DIR");

  CLI::App* formatting = add("fmt", "rewrites curated files in their canonical layout", format);
  formatting->add_option("folder", options->folder, "the folder of curated files")
      ->required()
      ->type_name("DIR");
}

}  // namespace harness::cli
