// The CPU's template on GPUs whose memory is the host's, those of the fake CUDA driver, on whose
// stream it puts its work. What it does beside that comes from the environment:
//
//   FAKE_BOARD_MILLISECONDS   that each call takes
//   FAKE_BOARD_WRONG          the ordinal of the board that gives a wrong byte
//   FAKE_BOARD_STREAM         "default": works on the default stream instead
#define fp4cts_dut_version template_dut_version
#define fp4cts_dut_declare template_dut_declare
#include "examples/dut/cpu/my_kernels.cpp"
#undef fp4cts_dut_version
#undef fp4cts_dut_declare

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

namespace {

int setting(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : otherwise;
}

struct Work {
  fp4cts_call call;
  fp4cts_qmul4 arguments;
};

void work(void* given) {
  const std::unique_ptr<Work> work(static_cast<Work*>(given));
  template_dut_declare()->qmul4(&work->call, &work->arguments);
  if (setting("FAKE_BOARD_WRONG", -1) == work->call.device_ordinal) work->arguments.d[0] ^= 1;
}

// The driver's, in the library that this process has.
using LaunchHostFunction = int(void* stream, void (*function)(void*), void* argument);
LaunchHostFunction* launch_host_function() {
  void* const driver = dlopen(std::getenv("FP4CTS_CUDA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<LaunchHostFunction*>(dlsym(driver, "cuLaunchHostFunc"));
}

int32_t on_board(const fp4cts_call* call, const fp4cts_qmul4* arguments) {
  std::this_thread::sleep_for(std::chrono::milliseconds(setting("FAKE_BOARD_MILLISECONDS", 0)));
  const bool on_its_stream = std::getenv("FAKE_BOARD_STREAM") == nullptr;
  const int code = launch_host_function()(on_its_stream ? call->stream : nullptr, &work,
                                          new Work{*call, *arguments});
  return code == 0 ? FP4CTS_OK : FP4CTS_FAILED;
}

}  // namespace

extern "C" FP4CTS_DUT_EXPORT uint32_t fp4cts_dut_version() { return FP4CTS_DUT_VERSION; }

extern "C" FP4CTS_DUT_EXPORT const fp4cts_dut_declaration* fp4cts_dut_declare() {
  static fp4cts_dut_declaration declaration{};
  declaration.sizes = fp4cts_dut_sizes_here();
  declaration.name = "on_boards";
  declaration.profile = "ocp";
  declaration.device_kinds = FP4CTS_CUDA;
  declaration.qmul4 = on_board;
  return &declaration;
}
