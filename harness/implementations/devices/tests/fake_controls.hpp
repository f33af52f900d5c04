// A test's side of a fake runtime: the functions of fake_runtime.hpp in the shared library.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace harness::testing {

class FakeControls {
 public:
  explicit FakeControls(const char* library) : handle_(dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
    call<void()>("fake_reset")();
  }
  ~FakeControls() { dlclose(handle_); }
  FakeControls(const FakeControls&) = delete;
  FakeControls& operator=(const FakeControls&) = delete;

  // The next call of `function` returns `code`.
  void fail(const std::string& function, int code) const {
    call<void(const char*, int)>("fake_fail")(function.c_str(), code);
  }
  void set(const char* setting, int value) const {
    call<void(const char*, int)>("fake_set")(setting, value);
  }
  using Kernel = void(const void*, std::size_t, unsigned, unsigned);
  void kernel(const char* name, Kernel* run) const {
    call<void(const char*, Kernel*)>("fake_kernel")(name, run);
  }
  int live() const { return call<int()>("fake_live")(); }
  std::string launch() const { return call<const char*()>("fake_launch")(); }
  void clear_log() const { call<void()>("fake_clear_log")(); }
  std::vector<std::string> log() const {
    std::istringstream lines(call<const char*()>("fake_log")());
    std::vector<std::string> calls;
    for (std::string line; std::getline(lines, line);) calls.push_back(line);
    return calls;
  }

 private:
  template <class F>
  F* call(const char* name) const {
    return reinterpret_cast<F*>(dlsym(handle_, name));
  }

  void* handle_;
};

}  // namespace harness::testing
