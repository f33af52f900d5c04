// The answer file of a program, taken apart. It comes from what is judged: everything is checked.
#pragma once

#include <filesystem>

#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

// Outputs, and from the file's metadata where they are stated: "trespasses", a JSON array of what
// the program saw changed in guard zones and inputs (as results have them), and "seconds", the time
// of the call by the device's clock. Error: what is wrong, in words that are the same wherever the
// file lies.
Result<Execution> read_answer(const std::filesystem::path& path, const Problem& problem);

}  // namespace harness
