#include "fake_runtime.hpp"

namespace harness::testing {

FakeState& fake_state() {
  static FakeState state;
  return state;
}

}  // namespace harness::testing

using harness::testing::fake_state;

void fake_reset() { fake_state() = {}; }
const char* fake_log() { return fake_state().log.c_str(); }
void fake_clear_log() { fake_state().log.clear(); }
void fake_fail(const char* function, int code) { fake_state().failures[function] = code; }
void fake_set(const char* setting, int value) { fake_state().settings[setting] = value; }
int fake_live() { return fake_state().live; }
void fake_kernel(const char* name, harness::testing::FakeKernel kernel) {
  fake_state().kernels[name] = kernel;
}
