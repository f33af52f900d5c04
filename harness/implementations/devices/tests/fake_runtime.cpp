#include "harness/implementations/devices/tests/fake_runtime.hpp"

#include <sstream>
#include <utility>

namespace harness::testing {

FakeState& fake_state() {
  static FakeState state;
  return state;
}

void put_on_stream(const void* stream, std::function<void()> work) {
  if (stream == nullptr) {
    work();
  } else {
    fake_state().on_stream.push_back(std::move(work));
  }
}

void finish_streams() {
  for (const auto& work : std::exchange(fake_state().on_stream, {})) work();
}

void run_fake_kernel(void* function, const std::array<unsigned, 3>& grid,
                     const std::array<unsigned, 3>& threads, unsigned shared_bytes,
                     const void* arguments, std::size_t bytes) {
  std::ostringstream launch;
  launch << "grid " << grid[0] << ' ' << grid[1] << ' ' << grid[2] << " threads " << threads[0]
         << ' ' << threads[1] << ' ' << threads[2] << " shared " << shared_bytes << " bytes "
         << bytes;
  fake_state().launch = launch.str();
  reinterpret_cast<FakeKernel>(function)(arguments, bytes, grid[0] * grid[1] * grid[2],
                                         threads[0] * threads[1] * threads[2]);
}

}  // namespace harness::testing

using harness::testing::fake_state;

void fake_reset() { fake_state() = {}; }
const char* fake_log() { return fake_state().log.c_str(); }
void fake_clear_log() { fake_state().log.clear(); }
void fake_fail(const char* function, int code) { fake_state().failures[function] = code; }
void fake_set(const char* setting, int value) { fake_state().settings[setting] = value; }
int fake_live() { return fake_state().live; }
const char* fake_launch() { return fake_state().launch.c_str(); }
void fake_kernel(const char* name, harness::testing::FakeKernel kernel) {
  fake_state().kernels[name] = kernel;
}
