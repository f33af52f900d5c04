#pragma once

#include <string>

#include "harness/files/problem_file.hpp"

namespace harness {

// What a golden file says of itself under `name`; empty where it says nothing.
inline std::string fact(const ProblemFile& file, const char* name) {
  const auto it = file.facts.find(name);
  return it == file.facts.end() ? std::string() : it->second;
}

}  // namespace harness
