// A command line as words: split as a POSIX shell splits it (XCU 2.2, 2.6.5), and read by no shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

// Blanks separate words; '...', "..." and \ quote. Error: an open quote; what a shell would do more
// than that with (a pipe, a variable, a glob, an assignment), because it would not be done here.
Result<std::vector<std::string>> split_command(std::string_view command);

// The words with {in} and {out} replaced wherever they stand, or with both paths appended where
// neither does. Error: one of them alone.
Result<std::vector<std::string>> with_paths(std::vector<std::string> words, const std::string& in,
                                            const std::string& out);

// Whether a command says {serve}: it is started once and stays (serving_program.hpp).
bool serves(const std::vector<std::string>& words);

// The words with {serve} replaced by --serve. Error: {in} or {out} beside it.
Result<std::vector<std::string>> serving_words(std::vector<std::string> words);

}  // namespace harness
