// What a command line is called in results, and what tells one version of it from another.
#pragma once

#include <string>
#include <vector>

namespace harness {

// The file name, without its last ending, of the program, or of the script where the program is an
// interpreter: "gather" for `python3 src/gather.py --fast`. Other characters than letters, digits,
// '_', '-' and '.' become '_'.
std::string name_of_command(const std::vector<std::string>& words);

// SHA-256 over the words, in place of those that are paths of files over what the files hold: the
// same program elsewhere has the same digest, and an edited one has another. A program that is
// found on the PATH is a word.
std::string sha256_of_command(const std::vector<std::string>& words);
// The states (file_state) of the same files.
std::string state_of_command(const std::vector<std::string>& words);

}  // namespace harness
