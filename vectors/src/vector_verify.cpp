#include "vectors/src/vector_verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/files/file.hpp"
#include "harness/files/problem_file.hpp"
#include "vectors/src/curated.hpp"
#include "vectors/src/fact.hpp"
#include "vectors/src/issued.hpp"
#include "vectors/src/vector_set.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

// The first byte in which two outputs differ, in words.
std::string difference(const Problem& problem, const Outputs& stated, const Outputs& answered) {
  std::size_t output = 0;
  for (const Tensor& tensor : problem.tensors) {
    if (tensor.role != Role::output) continue;
    const auto& a = stated[output];
    const auto& b = answered[output++];
    const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at.first == a.end() && at.second == b.end()) continue;
    if (at.first == a.end() || at.second == b.end()) return fmt::format("{}: sizes", tensor.name);
    return fmt::format("expected.{} byte {}: the file states {:#04x}, the oracle answers {:#04x}",
                       tensor.name, at.first - a.begin(), *at.first, *at.second);
  }
  return {};
}

// The files that the set holds against those that the manifest lists for it, in order.
void verify_plan(const VectorSet& set, std::vector<std::string> held,
                 const std::vector<std::string>& listed, VectorReport& report) {
  std::sort(held.begin(), held.end());
  for (const std::string& path : listed) {
    if (!std::binary_search(held.begin(), held.end(), path)) {
      report.damage.push_back(fmt::format("{}: listed, and no file of set {}", path, set.name));
    }
  }
  for (const std::string& path : held) {
    if (!std::binary_search(listed.begin(), listed.end(), path)) {
      report.damage.push_back(fmt::format("{}: a file of set {}, and not listed", path, set.name));
    }
  }
}

// Data that is kept and not made: what has been issued once is still there as it was.
void verify_issued(const std::vector<ManifestFile>& files, VectorReport& report) {
  for (const IssuedFile& issued : issued_files()) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const ManifestFile& file) {
      return file.path == issued.path;
    });
    if (found == files.end() || found->sha256 == issued.sha256) continue;
    report.damage.push_back(fmt::format("{}: issued with sha256 {}, and it has {}", issued.path,
                                        issued.sha256, found->sha256));
  }
}

// Everything of a file but the answer, so that a case cannot stand under another's name.
bool same_problem(ProblemFile a, ProblemFile b) {
  a.expected.reset();
  b.expected.reset();
  const auto first = to_tensor_file(a);
  const auto second = to_tensor_file(b);
  return first && second && first->metadata == second->metadata &&
         first->tensors == second->tensors;
}

// A file against what its set holds under its name.
void verify_problem_file(const fs::path& folder, const std::string& path, const ProblemFile& made,
                         VectorReport& report) {
  const auto file = read_problem_file(folder / path);
  if (!file) {
    report.damage.push_back(file.error().message);
    return;
  }
  if (!file->expected || !same_problem(*file, made)) {
    report.damage.push_back(
        fmt::format("{}: expected the golden file of case {}, set {}, seed {}; it states case {}, "
                    "set {}, seed {}, or other inputs or facts",
                    path, fact(made, "case"), fact(made, "set"), fact(made, "seed"),
                    fact(*file, "case"), fact(*file, "set"), fact(*file, "seed")));
    return;
  }
  if (*file->expected != *made.expected) {
    report.disagreements.push_back(
        fmt::format("{}: {}", path, difference(file->problem, *file->expected, *made.expected)));
  }
  ++report.files;
  for (const Tensor& tensor : file->problem.tensors) {
    if (tensor.role == Role::output) {
      report.vectors += tensor.storage.size() / element_bytes(tensor.dtype);
    }
  }
}

// The set is made again, and nothing of it may be missing, more, or something else. `listed` are
// its files in the manifest.
Result<void> verify_made_set(const fs::path& folder, const VectorSet& set, std::uint64_t seed,
                             const std::vector<std::string>& listed, VectorReport& report) {
  std::vector<std::string> made;
  const auto done = make_set(set, seed, [&](const std::string& path, const ProblemFile& file) {
    made.push_back(path);
    if (std::binary_search(listed.begin(), listed.end(), path)) {
      verify_problem_file(folder, path, file, report);
    }
    return Result<void>();
  });
  if (!done) return done;
  verify_plan(set, std::move(made), listed, report);
  return {};
}

void verify_curated(const fs::path& folder, VectorReport& report) {
  const auto files = read_curated(folder / "curated");
  if (!files) {
    report.damage.push_back(files.error().message);
    return;
  }
  const fs::path registry_path = folder / "curated" / curated_registry_name;
  const auto registry = read_text_file(registry_path, std::uint64_t{1} << 20);
  const auto registered = registry.and_then([&](const std::string& text) {
    return check_registry(*files, text, registry_path.string());
  });
  if (!registered) report.damage.push_back(registered.error().message);
  // The folder's own registry vouches for the folder; this one for what the build was made with.
  const auto issued = extended_registry(*files, issued_curated_ids(), "the ids of this build");
  if (!issued) report.damage.push_back(issued.error().message);
  for (const CuratedFile& file : *files) {
    ++report.files;
    for (const CuratedVector& vector : file.vectors) {
      ++report.vectors;
      const auto answer = curated_answer(file.kind, vector);
      if (!answer) {
        report.damage.push_back(answer.error().message);
      } else if (*answer != vector.expected) {
        report.disagreements.push_back(
            fmt::format("curated/{}.json: {}: the file states {}, the oracle answers {}", file.kind,
                        vector.id, vector.expected.dump(), answer->dump()));
      }
    }
  }
}

}  // namespace

Result<VectorReport> verify_vectors(const fs::path& folder) {
  auto manifest = read_manifest(folder);
  if (!manifest) return tl::make_unexpected(manifest.error());
  VectorReport report;
  report.manifest = std::move(*manifest);
  const auto present = list_files(folder);
  if (!present) return tl::make_unexpected(present.error());
  report.damage = manifest_faults(*present, report.manifest);

  for (const ManifestSet& listed : report.manifest.sets) {
    const auto set = vector_set_named(listed.name);
    if (!set) {
      report.damage.push_back(set.error().message);
      continue;
    }
    if (!(*set)->seeded && listed.seed != 0) {
      report.damage.push_back(fmt::format("{}: set {}: expected seed 0, got {}", manifest_name,
                                          listed.name, listed.seed));
    }
    std::vector<std::string> own;
    for (const ManifestFile& file : report.manifest.files) {
      if (file.path.starts_with(listed.name + "/")) own.push_back(file.path);
    }
    if ((*set)->kept) {
      const auto held = set_paths(**set, listed.seed);
      if (!held) return tl::make_unexpected(held.error());
      verify_plan(**set, *held, own, report);
      if (listed.name == "curated") verify_curated(folder, report);
      continue;
    }
    if (auto made = verify_made_set(folder, **set, listed.seed, own, report); !made) {
      return tl::make_unexpected(made.error());
    }
  }
  if (report.manifest.sets.empty()) {
    report.damage.push_back(fmt::format("{}: expected sets, it lists none", manifest_name));
  }
  verify_issued(report.manifest.files, report);
  return report;
}

}  // namespace harness
