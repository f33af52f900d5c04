#include "vectors/src/vector_verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/files/file.hpp"
#include "harness/files/problem_file.hpp"
#include "vectors/src/curated.hpp"
#include "vectors/src/fact.hpp"
#include "vectors/src/golden.hpp"
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

void verify_problem_file(const fs::path& folder, const std::string& path, const ManifestSet& set,
                         VectorReport& report) {
  const auto file = read_problem_file(folder / path);
  if (!file) {
    report.damage.push_back(file.error().message);
    return;
  }
  if (!file->expected || fact(*file, "set") != set.name ||
      fact(*file, "seed") != std::to_string(set.seed) || fact(*file, "source") != vector_source) {
    report.damage.push_back(
        fmt::format("{}: expected golden outputs of set {}, seed {}, source "
                    "\"{}\"; got set {}, seed {}, source \"{}\"",
                    path, set.name, set.seed, vector_source, fact(*file, "set"),
                    fact(*file, "seed"), fact(*file, "source")));
    return;
  }
  const auto profile = shipped_profile(fact(*file, "profile"));
  if (!profile) {
    report.damage.push_back(fmt::format("{}: {}", path, profile.error().message));
    return;
  }
  const auto answer = golden_outputs(file->problem, **profile);
  if (!answer) {
    report.disagreements.push_back(fmt::format("{}: {}", path, answer.error().message));
  } else if (*answer != *file->expected) {
    report.disagreements.push_back(
        fmt::format("{}: {}", path, difference(file->problem, *file->expected, *answer)));
  }
  ++report.files;
  for (const Tensor& tensor : file->problem.tensors) {
    if (tensor.role == Role::output) {
      report.vectors += tensor.storage.size() / element_bytes(tensor.dtype);
    }
  }
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

// The files that the set has against those that the manifest lists for it.
void verify_plan(const VectorSet& set, std::vector<std::string> planned,
                 const std::vector<std::string>& listed, VectorReport& report) {
  std::sort(planned.begin(), planned.end());
  for (const std::string& path : listed) {
    if (!std::binary_search(planned.begin(), planned.end(), first_call_path(path))) {
      report.damage.push_back(fmt::format("{}: listed, and no file of set {}", path, set.name));
    }
  }
  if (set.seeded) return;
  for (const std::string& path : planned) {
    if (!std::binary_search(listed.begin(), listed.end(), path)) {
      report.damage.push_back(fmt::format("{}: a file of set {}, and not listed", path, set.name));
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
    const auto planned = set_paths(**set, listed.seed);
    if (!planned) return tl::make_unexpected(planned.error());
    verify_plan(**set, *planned, own, report);
    if (listed.name == "curated") {
      verify_curated(folder, report);
      continue;
    }
    if ((*set)->kept) continue;
    for (const std::string& path : own) verify_problem_file(folder, path, listed, report);
  }
  return report;
}

}  // namespace harness
