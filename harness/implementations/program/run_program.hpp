// Starts a program and waits for its end. It stays in the process group of its caller, and so ends
// with it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

// Where a program is: the word itself where it has a '/', else the first file of this name on the
// PATH that may be executed. Error: there is none.
Result<std::string> find_program(const std::string& word);

// Runs the program with these words, its input empty, its outputs, working folder and environment
// the caller's. Error: it could not be started, or did not exit with status 0, and how it ended.
Status run_program(const std::vector<std::string>& words);

// Starts `program`, a file, with these words. It reads `input` and writes to `output`, descriptors
// of this process, or to where this process does where they are negative; it gets no other
// descriptor but the standard ones, and ends with this process. Error: why it cannot be started.
Result<pid_t> start_program(const std::string& program, const std::vector<std::string>& words,
                            int input, int output);

}  // namespace harness
