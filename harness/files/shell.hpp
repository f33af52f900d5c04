// Commands that a person can paste.
#pragma once

#include <string>

namespace harness {

// The text as one word of a POSIX shell, in quotes where it needs them.
std::string shell_word(const std::string& text);

}  // namespace harness
