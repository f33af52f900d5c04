#include "harness/cli/duts.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "harness/files/file.hpp"
#include "harness/files/sha256.hpp"
#include "harness/files/shell.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/implementations/module/module_source.hpp"
#include "harness/implementations/program/program_source.hpp"

namespace harness::cli {
namespace {

struct Kind {
  const char* name;
  const char* option;
  const char* value;
  std::vector<std::string> Selection::*origins;
  const char* help;
};

constexpr std::array kinds_under_test{
    Kind{"library", "--dut", "FILE", &Selection::libraries,
         "judge this plug-in, a shared library after include/fp4cts/dut.h"},
    Kind{"program", "--dut-cmd", "COMMAND", &Selection::programs,
         "judge this program, which reads a problem file and writes an answer file"},
    Kind{"module", "--dut-module", "FILE", &Selection::modules,
         "judge the kernel of a GPU module that this JSON file describes"},
};

// The first bytes of an ELF file, elf.h: magic, and from byte 16 on its type.
constexpr std::array<std::uint8_t, 4> elf_magic{0x7f, 'E', 'L', 'F'};
constexpr std::size_t elf_type_at = 16;
constexpr std::size_t elf_begin_bytes = elf_type_at + sizeof(std::uint16_t);
constexpr std::uint16_t elf_shared_object = 3;  // ET_DYN

Status check_library(const std::string& file) {
  const Result<InputFile> opened = InputFile::open(file);
  if (!opened) return tl::make_unexpected(opened.error());
  std::array<std::uint8_t, elf_begin_bytes> begin{};
  if (opened->bytes() >= begin.size()) {
    if (Status status = opened->read(begin, 0); !status) return status;
  }
  std::uint16_t type = 0;
  std::memcpy(&type, begin.data() + elf_type_at, sizeof type);
  if (std::memcmp(begin.data(), elf_magic.data(), elf_magic.size()) == 0 &&
      type == elf_shared_object) {
    return {};
  }
  return oracle::fail(ErrorCode::malformed, fmt::format("{}: expected a shared library", file));
}

}  // namespace

std::vector<CLI::Option*> add_under_test_options(CLI::App& command, const SourceKinds& kinds,
                                                 Selection& selection) {
  std::vector<CLI::Option*> options;
  for (const Kind& kind : kinds_under_test) {
    if (!kinds.contains(kind.name)) continue;
    options.push_back(command.add_option(kind.option, selection.*kind.origins, kind.help)
                          ->allow_extra_args(false)
                          ->type_name(kind.value)
                          ->group("What to judge in place of the kernels in the box (repeatable)"));
  }
  return options;
}

std::vector<UnderTest> all_under_test(const Selection& selection) {
  std::vector<UnderTest> all;
  for (const Kind& kind : kinds_under_test) {
    for (const std::string& origin : selection.*kind.origins) all.push_back({kind.name, origin});
  }
  return all;
}

std::string under_test_words(const Selection& selection) {
  std::string words;
  for (const Kind& kind : kinds_under_test) {
    for (const std::string& origin : selection.*kind.origins) {
      words += fmt::format(" {} {}", kind.option, shell_word(origin));
    }
  }
  return words;
}

Status check_under_test(const Selection& selection) {
  const auto check = [](const char* option, const std::vector<std::string>& origins,
                        const auto& check_one) -> Status {
    for (const std::string& origin : origins) {
      if (Status status = check_one(origin); !status) {
        return oracle::fail(status.error().code,
                            fmt::format("{}: {}", option, status.error().message));
      }
    }
    return {};
  };
  return check("--dut", selection.libraries, check_library)
      .and_then([&] { return check("--dut-cmd", selection.programs, check_program); })
      .and_then([&] { return check("--dut-module", selection.modules, check_module); });
}

Status check_operations_named(const Selection& selection) {
  if (selection.programs.empty() || !selection.operations.empty()) return {};
  return oracle::fail(ErrorCode::invalid_argument,
                      "--dut-cmd: --op must name the operations that the program has");
}

Result<Introduction> introduce(const UnderTest& under_test, const WorkerOptions& options) {
  // No device is opened: what takes longer than a call may is a hang.
  WorkerOptions brief = options_for(under_test, options);
  brief.open_timeout_seconds = options.call_timeout_seconds;
  const auto source = RemoteSource::open(spec_of(under_test), brief);
  if (!source) return tl::make_unexpected(source.error());
  const nlohmann::json facts = (*source)->facts();
  JsonObject reader(facts, "what it says of itself");
  Introduction introduction;
  introduction.name = reader.text("name");
  introduction.profile = reader.text("profile");
  for (const nlohmann::json& kind : reader.value("device_kinds")) {
    if (kind.is_string()) introduction.device_kinds.insert(kind.get<std::string>());
  }
  if (Result<void> status = reader.done(); !status) return tl::make_unexpected(status.error());
  return introduction;
}

WorkerOptions options_for(const UnderTest& under_test, WorkerOptions options) {
  options.temporary_folder = under_test.kind == "program";
  // A module runs on a GPU: its worker loads no code of others.
  if (under_test.kind == "library") {
    options.digest = [file = under_test.origin] { return sha256_of_file(file); };
    options.state = [file = under_test.origin] { return file_state(file); };
  } else if (under_test.kind == "program") {
    options.digest = [command = under_test.origin] { return digest_of_program(command); };
    options.state = [command = under_test.origin] { return state_of_program(command); };
  }
  return options;
}

nlohmann::json spec_of(const UnderTest& under_test, const std::string& device) {
  nlohmann::json spec{{"kind", under_test.kind}, {"origin", under_test.origin}};
  if (!device.empty()) spec["device"] = device;
  return spec;
}

}  // namespace harness::cli
