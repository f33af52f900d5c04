#include "harness/run/saved_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "harness/files/problem_file.hpp"
#include "harness/files/sha256.hpp"
#include "harness/files/strict_json.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".safetensors";
constexpr std::string_view set_name = "fuzz";

std::string call_suffix(std::size_t call) {
  return call == 0 ? std::string() : fmt::format(".call{}", call);
}

Result<std::string> fact(const ProblemFile& file, const std::string& name) {
  const auto found = file.facts.find(name);
  if (found != file.facts.end()) return found->second;
  return oracle::fail(ErrorCode::malformed,
                      fmt::format("expected a failure that `fp4cts fuzz` saved, got a file whose "
                                  "metadata has no \"{}\"",
                                  name));
}

bool same_tensor(const Tensor& a, const Tensor& b) {
  return a.name == b.name && a.role == b.role && a.dtype == b.dtype && a.shape == b.shape &&
         a.strides == b.strides && a.origin_bytes == b.origin_bytes && a.storage == b.storage &&
         a.misalignment_bytes == b.misalignment_bytes;
}

bool same_problem(const Problem& a, const Problem& b) {
  return a.scalars == b.scalars && std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(),
                                              b.tensors.end(), same_tensor);
}

Result<SavedFailure> read_one(const fs::path& path, std::span<const Operation* const> operations) {
  const Result<ProblemFile> file = read_problem_file(path);
  if (!file) return tl::make_unexpected(file.error());  // it names the file
  const auto failed = [&](const std::string& message) {
    return oracle::fail(ErrorCode::malformed, fmt::format("{}: {}", path.string(), message));
  };
  const Result<std::string> spec_text = fact(*file, "spec");
  if (!spec_text) return failed(spec_text.error().message);
  const Result<std::string> comment = fact(*file, "comment");
  if (!comment) return failed(comment.error().message);
  const Result<std::string> call = fact(*file, "call");
  if (!call) return failed(call.error().message);
  if (*call != "0") {
    return failed(
        fmt::format("expected the file of a case's first call, got that of call {}; "
                    "the first one's name ends before \".call\"",
                    *call));
  }
  const Result<nlohmann::json> spec = parse_json(*spec_text, "spec");
  if (!spec) return failed(spec.error().message);
  const std::string& name = file->problem.operation;
  const Operation* const operation = operation_named(operations, name);
  if (operation == nullptr) {
    return failed(fmt::format("this suite has no operation \"{}\"", name));
  }
  const Result<std::vector<Problem>> calls = operation->build(*spec);
  if (!calls) return failed(calls.error().message);
  if (calls->empty() || !same_problem(calls->front(), file->problem)) {
    return failed(
        "its spec builds another problem than the one it holds; it was saved by another "
        "version of the suite. `fp4cts check` judges an answer to it as it is");
  }
  SavedFailure saved{path, {}, *comment};
  saved.from.operation = name;
  saved.from.id = saved_case_id(name, *spec);
  saved.from.comment = *comment;
  saved.from.spec = *spec;
  return saved;
}

// Whether a file is of a later call of a case whose first call lies beside it.
bool is_later_call(const fs::path& path) {
  const std::string suffix = path.stem().extension().string();
  constexpr std::string_view call = ".call";
  const bool is_call = suffix.size() > call.size() && suffix.starts_with(call) &&
                       suffix.find_first_not_of("0123456789", call.size()) == std::string::npos;
  if (!is_call) return false;
  fs::path first = path;
  first.replace_filename(path.stem().stem().string() + std::string(extension));
  return fs::exists(first);
}

// The first calls in a folder, in order; links are followed.
Result<std::vector<fs::path>> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  constexpr auto links = fs::directory_options::follow_directory_symlink;
  for (fs::recursive_directory_iterator it(folder, links, error), end; !error && it != end;
       it.increment(error)) {
    const fs::path& path = it->path();
    if (path.extension() == extension && !is_later_call(path)) files.push_back(path);
  }
  if (error) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("{}: {}", folder.string(), error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string saved_case_id(std::string_view operation, const nlohmann::json& spec) {
  constexpr std::size_t digits = 12;
  return fmt::format("{}/saved_{}", operation, sha256_hex(spec.dump()).substr(0, digits));
}

fs::path saved_failure_path(const fs::path& folder, std::string_view operation,
                            const nlohmann::json& spec) {
  return folder / fmt::format("{}{}", saved_case_id(operation, spec), extension);
}

Status save_failure(const fs::path& folder, const Operation& operation, const nlohmann::json& spec,
                    const oracle::Profile& profile, const CaseRecord& record, std::uint64_t seed) {
  const Result<std::vector<Problem>> calls = operation.build(spec);
  if (!calls) return tl::make_unexpected(calls.error());
  const fs::path first = saved_failure_path(folder, operation.name(), spec);
  std::error_code error;
  fs::create_directories(first.parent_path(), error);
  if (error) {
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot make the folder {}: {}", first.parent_path().string(),
                                    error.message()));
  }
  for (std::size_t call = 0; call < calls->size(); ++call) {
    ProblemFile file{(*calls)[call], std::nullopt, {}};
    Result<Outputs> expected = operation.expected(file.problem, profile);
    if (!expected) return tl::make_unexpected(expected.error());
    file.expected = std::move(*expected);
    file.facts = {
        {"call", std::to_string(call)},
        {"calls", std::to_string(calls->size())},
        {"case", saved_case_id(operation.name(), spec)},
        {"comment", fmt::format("{} on {}: {}", record.path, record.device, record.reason)},
        {"profile", profile.name},
        {"seed", std::to_string(seed)},
        {"set", std::string(set_name)},
        {"source", "fp4cts fuzz"},
        {"spec", spec.dump()}};
    fs::path path = first;
    path.replace_filename(first.stem().string() + call_suffix(call) + std::string(extension));
    if (Result<void> written = write_problem_file(path, file); !written) return written;
  }
  return {};
}

Result<std::vector<SavedFailure>> read_saved_failures(
    const fs::path& path, std::span<const Operation* const> operations) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    if (!fs::is_symlink(fs::symlink_status(path, error))) return std::vector<SavedFailure>{};
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("{}: a link to what is not there", path.string()));
  }
  Result<std::vector<fs::path>> files = std::vector<fs::path>{path};
  if (fs::is_directory(status)) files = files_in(path);
  if (!files) return tl::make_unexpected(files.error());
  std::vector<SavedFailure> saved;
  for (const fs::path& file : *files) {
    Result<SavedFailure> one = read_one(file, operations);
    if (!one) return tl::make_unexpected(one.error());
    saved.push_back(std::move(*one));
  }
  return saved;
}

}  // namespace harness
