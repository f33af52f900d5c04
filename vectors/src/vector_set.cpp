#include "vectors/src/vector_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/files/file.hpp"
#include "vectors/src/case_set.hpp"
#include "vectors/src/curated.hpp"
#include "vectors/src/element_table.hpp"
#include "vectors/src/golden.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr std::array<VectorSet, 7> sets{{
    {"elements", "conversions and products of single elements, whole domains and edges", false,
     false},
    {"curated", "single cases from public reports, JSON", true, false},
    {"real", "rows of a small model's weights, and pages of them", true, false},
    {"smoke", "the cases of `run --level smoke`", false, true},
    {"standard", "the cases of `run --level standard`", false, true},
    {"full", "the cases of `run --level full`", false, true},
    {"exhaustive", "the cases of `run --level exhaustive`", false, true},
}};

std::string element_path(const ElementTable& table) {
  return fmt::format("elements/{}.safetensors", table.name);
}

Result<void> make_elements(const TakeVector& take) {
  for (const ElementTable& table : all_element_tables()) {
    ProblemFile file{problem_of(table), std::nullopt, {}};
    auto expected = golden_outputs(file.problem, oracle::profiles::ocp());
    if (!expected) return tl::make_unexpected(expected.error());
    file.expected = std::move(*expected);
    file.facts = {{"case", operation_of(table)},
                  {"comment", std::string(table.comment)},
                  {"profile", "ocp"},
                  {"seed", "0"},
                  {"set", "elements"},
                  {"source", std::string(vector_source)}};
    if (auto taken = take(element_path(table), file); !taken) return taken;
  }
  return {};
}

Result<void> write_vector(const fs::path& folder, const std::string& path,
                          const ProblemFile& file) {
  std::error_code error;
  fs::create_directories((folder / path).parent_path(), error);
  if (error) {
    return oracle::fail(
        ErrorCode::io_error,
        fmt::format("{}: making the folder: {}", (folder / path).string(), error.message()));
  }
  return write_problem_file(folder / path, file);
}

Result<void> require_empty(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  if (!fs::is_directory(folder, error) || !fs::is_empty(folder, error)) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("{}: expected an empty folder, or none", folder.string()));
  }
  return {};
}

}  // namespace

std::span<const VectorSet> all_vector_sets() { return sets; }

Result<const VectorSet*> vector_set_named(std::string_view name) {
  std::string known;
  for (const VectorSet& set : sets) {
    if (set.name == name) return &set;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", set.name);
  }
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("vector set: expected one of {}; got \"{}\"", known, name));
}

Result<std::vector<std::string>> set_paths(const VectorSet& set, std::uint64_t seed) {
  std::vector<std::string> paths;
  if (set.name == "elements") {
    for (const ElementTable& table : all_element_tables()) paths.push_back(element_path(table));
  } else if (set.name == "curated") {
    for (const std::string& kind : curated_kinds()) {
      paths.push_back(fmt::format("curated/{}.json", kind));
    }
    paths.push_back(fmt::format("curated/{}", curated_registry_name));
  } else if (set.name == "real") {
    paths = {"real/README.md", "real/pages_nvfp4.safetensors", "real/rows.safetensors"};
  } else {
    return case_set_paths(set.name, seed);
  }
  return paths;
}

std::string first_call_path(std::string_view path) {
  constexpr std::string_view extension = ".safetensors";
  constexpr std::string_view mark = ".call";
  if (!path.ends_with(extension)) return std::string(path);
  const std::string_view stem = path.substr(0, path.size() - extension.size());
  const auto at = stem.rfind(mark);
  if (at == std::string_view::npos) return std::string(path);
  const std::string_view number = stem.substr(at + mark.size());
  const bool digits = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  return digits ? fmt::format("{}{}", stem.substr(0, at), extension) : std::string(path);
}

Result<void> make_set(const VectorSet& set, std::uint64_t seed, const TakeVector& take) {
  if (set.kept) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("vector set {}: it is kept as data and cannot be generated", set.name));
  }
  if (set.name == "elements") return make_elements(take);
  return make_case_set(set.name, seed, take);
}

namespace {

// What somebody needs who finds the folder.
std::string readme_of(const Manifest& manifest) {
  std::string rows;
  for (const ManifestSet& set : manifest.sets) {
    rows += fmt::format("| `{}` | {} | {} |\n", set.name, set.seed, set.files);
  }
  return fmt::format(R"(# Golden vectors of fp4cts

Inputs and the exact output bytes of operations on 4-bit KV-cache pages, made by `fp4cts vectors generate`. The same
sets and seeds give the same bytes on every machine.

| set | seed | files |
|---|---|---|
{}
- **Format**: safetensors. Each argument of an operation is a tensor of its name; outputs hold their bytes from before
  the call, and `expected.NAME` those from after it. Metadata say shapes, strides and scalars. `F8_E4M3` is a byte an
  element: in NumPy `fp4cts.load(path)` reads it as `uint8`.
- **Versions**: {}. `{}` has size and SHA-256 of each file; its own SHA-256 is
  {}.
- **Check**: `fp4cts vectors verify FOLDER`; an answer of yours: `fp4cts check GOLDEN ANSWER`.
- **Licence**: Apache-2.0.
- **Cite** as: fp4cts golden vectors, the sets and seeds above, manifest SHA-256 as above.
)",
                     rows, vector_source, manifest_name, manifest_sha256(manifest));
}

}  // namespace

Result<void> write_set(const VectorSet& set, std::uint64_t seed, const fs::path& folder,
                       const std::function<void(const std::string& path)>& progress) {
  return make_set(set, seed, [&](const std::string& path, const ProblemFile& file) {
    auto written = write_vector(folder, path, file);
    if (written) progress(path);
    return written;
  });
}

Result<Manifest> generate_sets(const std::vector<ManifestSet>& requested, const fs::path& folder,
                               const std::function<void(const std::string& path)>& progress) {
  if (auto empty = require_empty(folder); !empty) return tl::make_unexpected(empty.error());
  for (const ManifestSet& each : requested) {
    const auto set = vector_set_named(each.name);
    if (!set) return tl::make_unexpected(set.error());
    const auto made = write_set(**set, each.seed, folder, progress);
    if (!made) return tl::make_unexpected(made.error());
  }
  auto files = list_files(folder);
  if (!files) return tl::make_unexpected(files.error());
  Manifest manifest{requested, std::move(*files)};
  for (ManifestSet& set : manifest.sets) set.files = count_files(manifest.files, set.name);
  if (auto written = write_text_file(folder / manifest_name, manifest_text(manifest)); !written) {
    return tl::make_unexpected(written.error());
  }
  if (auto written = write_text_file(folder / readme_name, readme_of(manifest)); !written) {
    return tl::make_unexpected(written.error());
  }
  return manifest;
}

}  // namespace harness
