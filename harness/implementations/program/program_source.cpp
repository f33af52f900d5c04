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
#include "harness/implementations/program/program_answer.hpp"
#include "harness/implementations/program/program_name.hpp"
#include "harness/implementations/program/run_program.hpp"
#include "harness/implementations/program/serving_program.hpp"

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

class Program final : public Implementation {
 public:
  Program(ImplementationInfo info, std::vector<std::string> words, fs::path folder,
          std::shared_ptr<ServingProgram> serving)
      : words_(std::move(words)), folder_(std::move(folder)), serving_(std::move(serving)) {
    info_ = std::move(info);
  }

  Result<Execution> execute(const Problem& problem) override {
    const char* kept = std::getenv(keep_files_variable);
    const bool keeps = kept != nullptr && *kept != '\0';
    return CallFolder::create(folder_, keeps ? fs::path(kept) : fs::path())
        .and_then([&](const CallFolder& folder) { return call(problem, folder); })
        .map_error([&](Error error) {
          if (!keeps)
            error.message += fmt::format(" ({}=DIR keeps its files)", keep_files_variable);
          return error;
        });
  }

 private:
  Result<Execution> call(const Problem& problem, const CallFolder& folder) const {
    const ProblemFile file{problem, std::nullopt, {{"profile", info_.profile}}};
    if (Result<void> written = write_problem_file(folder.problem(), file); !written) {
      return tl::make_unexpected(written.error());
    }
    const Status called =
        serving_ != nullptr
            ? serving_->call(folder.problem(), folder.answer())
            : with_paths(words_, folder.problem().string(), folder.answer().string())
                  .and_then(
                      [](const std::vector<std::string>& words) { return run_program(words); });
    if (!called) return tl::make_unexpected(called.error());
    std::error_code error;
    if (!fs::exists(folder.answer(), error)) {
      return oracle::fail(ErrorCode::io_error,
                          fmt::format("the program {} and wrote no answer",
                                      serving_ != nullptr ? "said ok" : "exited with status 0"));
    }
    return read_answer(folder.answer(), problem);
  }

  std::vector<std::string> words_;
  fs::path folder_;                          // for the files of calls that are not kept
  std::shared_ptr<ServingProgram> serving_;  // null: the program is started anew for every call
};

// The words of a command line that can be run.
Result<std::vector<std::string>> read_command(std::string_view command) {
  Result<std::vector<std::string>> words = split_command(command);
  if (!words) return words;
  const auto checked = serves(*words) ? serving_words(*words) : with_paths(*words, "in", "out");
  if (!checked) return checked;
  if (const auto program = find_program(words->front()); !program) {
    return tl::make_unexpected(program.error());
  }
  return words;
}

}  // namespace

Status check_program(std::string_view command) {
  return read_command(command).map([](const std::vector<std::string>&) {});
}

Result<std::string> digest_of_program(std::string_view command) {
  return read_command(command).map(sha256_of_command);
}

std::string state_of_program(std::string_view command) {
  return read_command(command).map(state_of_command).value_or(std::string());
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
    std::shared_ptr<ServingProgram> serving;
    if (serves(*words)) {
      Result<std::unique_ptr<ServingProgram>> started =
          serving_words(*words).and_then(ServingProgram::start);
      if (!started) return tl::make_unexpected(started.error());
      serving = std::move(*started);
      info.toolkit = serving->about();
      const std::string first_word = info.toolkit.substr(0, info.toolkit.find(' '));
      info.execution = machinery_named(first_word).value_or(Machinery::native);
    }
    for (const Operation* operation : operations) {
      info.operation = operation->name();
      source.implementations.push_back(std::make_unique<Program>(info, *words, folder, serving));
    }
    return source;
  };
}

}  // namespace harness
