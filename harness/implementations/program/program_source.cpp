#include "harness/implementations/program/program_source.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/files/problem_file.hpp"
#include "harness/implementations/program/command_words.hpp"
#include "harness/implementations/program/program_name.hpp"
#include "harness/implementations/program/run_program.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* declared_profile = "ocp";

// The files of one call, in a folder of their own, which is removed with them or kept.
class CallFolder {
 public:
  // In `kept`, under the first number that is free, where that is not empty.
  static Result<CallFolder> create(const fs::path& temporary, const fs::path& kept) {
    const bool keep = !kept.empty();
    std::error_code error;
    if (keep) fs::create_directories(kept, error);
    for (unsigned number = 1; !error; ++number) {
      CallFolder folder((keep ? kept : temporary) / fmt::format("{:04}", number), keep);
      if (fs::create_directory(folder.path_, error)) return folder;
      folder.keep_ = true;  // it is another call's
    }
    return oracle::fail(ErrorCode::io_error,
                        fmt::format("cannot make a folder in {}: {}",
                                    (keep ? kept : temporary).string(), error.message()));
  }
  CallFolder(CallFolder&& other) noexcept
      : path_(std::move(other.path_)), keep_(std::exchange(other.keep_, true)) {}
  CallFolder& operator=(CallFolder&&) = delete;
  CallFolder(const CallFolder&) = delete;
  CallFolder& operator=(const CallFolder&) = delete;
  ~CallFolder() {
    std::error_code error;
    if (!keep_) fs::remove_all(path_, error);
  }

  fs::path problem() const { return path_ / "problem.safetensors"; }
  fs::path answer() const { return path_ / "answer.safetensors"; }

 private:
  CallFolder(fs::path path, bool keep) : path_(std::move(path)), keep_(keep) {}
  fs::path path_;
  bool keep_;
};

// A message that is the same wherever the file lies.
Error without_path(Error error, const fs::path& path, std::string_view name) {
  const std::string text = path.string();
  for (std::size_t at = 0; (at = error.message.find(text)) != std::string::npos;) {
    error.message.replace(at, text.size(), name);
  }
  return error;
}

Result<Outputs> read_answer(const fs::path& path, const Problem& problem) {
  constexpr std::string_view name = "its answer";
  std::error_code error;
  if (!fs::exists(path, error)) {
    return oracle::fail(ErrorCode::io_error,
                        "the program exited with status 0 and wrote no answer");
  }
  Result<Outputs> outputs = read_safetensors(path).and_then(
      [&](TensorFile file) { return outputs_from(std::move(file), problem, name); });
  if (!outputs) return tl::make_unexpected(without_path(outputs.error(), path, name));
  return outputs;
}

class Program final : public Implementation {
 public:
  Program(ImplementationInfo info, std::vector<std::string> words, fs::path folder)
      : words_(std::move(words)), folder_(std::move(folder)) {
    info_ = std::move(info);
  }

  Result<Execution> execute(const Problem& problem) override {
    const char* kept = std::getenv(keep_files_variable);
    const bool keeps = kept != nullptr && *kept != '\0';
    return CallFolder::create(folder_, keeps ? fs::path(kept) : fs::path())
        .and_then([&](const CallFolder& folder) { return call(problem, folder); })
        .map([](Outputs outputs) {
          // The time of a process is not that of a kernel: none is stated.
          return Execution{std::move(outputs), {}, 0};
        })
        .map_error([&](Error error) {
          if (!keeps)
            error.message += fmt::format(" ({}=DIR keeps its files)", keep_files_variable);
          return error;
        });
  }

 private:
  Result<Outputs> call(const Problem& problem, const CallFolder& folder) const {
    const ProblemFile file{problem, std::nullopt, {{"profile", info_.profile}}};
    if (Result<void> written = write_problem_file(folder.problem(), file); !written) {
      return tl::make_unexpected(written.error());
    }
    return with_paths(words_, folder.problem().string(), folder.answer().string())
        .and_then([](const std::vector<std::string>& words) { return run_program(words); })
        .and_then([&] { return read_answer(folder.answer(), problem); });
  }

  std::vector<std::string> words_;
  fs::path folder_;  // for the files of calls that are not kept
};

// The words of a command line that can be run.
Result<std::vector<std::string>> read_command(std::string_view command) {
  Result<std::vector<std::string>> words = split_command(command);
  if (!words) return words;
  if (const auto paths = with_paths(*words, "in", "out"); !paths) {
    return tl::make_unexpected(paths.error());
  }
  if (const auto program = find_program(words->front()); !program) {
    return tl::make_unexpected(program.error());
  }
  return words;
}

}  // namespace

Status check_program(std::string_view command) {
  return read_command(command).map([](const std::vector<std::string>&) {});
}

std::function<Result<OpenedSource>(const nlohmann::json& spec)> program_kind(
    std::span<const Operation* const> operations) {
  return [operations](const nlohmann::json& spec) -> Result<OpenedSource> {
    const auto command = spec.at("origin").get<std::string>();
    const Result<std::vector<std::string>> words = read_command(command);
    if (!words) return tl::make_unexpected(words.error());
    ImplementationInfo info;
    info.path = name_of_command(*words);
    info.profile = declared_profile;
    info.origin = command;
    OpenedSource source;
    source.facts = {{"name", info.path}, {"profile", info.profile}, {"device_kinds", {"cpu"}}};
    if (!spec.contains("device")) return source;
    info.device = spec.at("device").get<std::string>();
    info.module_sha256 = sha256_of_command(*words);
    const fs::path folder = spec.at("folder").get<std::string>();
    for (const Operation* operation : operations) {
      info.operation = operation->name();
      source.implementations.push_back(std::make_unique<Program>(info, *words, folder));
    }
    return source;
  };
}

}  // namespace harness
