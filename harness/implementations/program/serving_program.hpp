// A program that stays (docs/plug-ins.md, "A program that stays"): started once, it is told of each
// call by a line and answers by a line.
//
//   it says    ready TEXT                it can be called; TEXT says what it runs on, and may be
//   empty
//              unavailable TEXT          it cannot, and why
//   it is told call<TAB>PROBLEM<TAB>ANSWER   two paths: read this file, write that one
//   it says    ok                        the answer is written
//              error TEXT                it is not, and why
//
// It ends when its input ends. Text goes to the end of its line.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

class ServingProgram {
 public:
  // Starts it and waits for its first line. It stays in the process group of its caller, and so
  // ends with it. Error: how it ended, or why it cannot be called.
  static Result<std::unique_ptr<ServingProgram>> start(const std::vector<std::string>& words);
  ~ServingProgram();
  ServingProgram(const ServingProgram&) = delete;
  ServingProgram& operator=(const ServingProgram&) = delete;

  // What it said of itself.
  const std::string& about() const { return about_; }

  // One call. Error: what it said, or how it ended. After an error it is not called again.
  Status call(const std::filesystem::path& problem, const std::filesystem::path& answer);

 private:
  ServingProgram() = default;
  Result<std::string> read_line();
  Error ending();

  pid_t pid_ = -1;
  int input_ = -1;   // ours to write
  int output_ = -1;  // ours to read
  std::string unread_;
  std::string about_;
};

}  // namespace harness
