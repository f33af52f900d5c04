// A program over files as an implementation under test (docs/plug-ins.md, "A program"): for every
// call it is started anew, reads the problem from a file (problem_file.hpp) and writes its answer
// to another.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"

namespace harness {

// If this environment variable is set, the files of every call are kept in new folders of the
// folder that it names.
inline constexpr const char* keep_files_variable = "FP4CTS_KEEP_FILES";

// That a command line can be run: it needs no shell, and its program is there. Error: what is
// wrong with it.
Status check_program(std::string_view command);

// The digest that results have of it: program_name.hpp. Error: as check_program.
Result<std::string> digest_of_program(std::string_view command);

// What changes when one of the files of that digest does; empty where there is no such program.
std::string state_of_program(std::string_view command);

// What a worker opens for the spec {"kind": "program", "origin": COMMAND}: without a "device" what
// the program is called, with "device": "cpu" and "folder" one implementation for each of
// `operations`. Which of them the program has is for the caller to know: it is asked nothing.
std::function<Result<OpenedSource>(const nlohmann::json& spec)> program_kind(
    std::span<const Operation* const> operations);

}  // namespace harness
