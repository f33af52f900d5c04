// The CPU's template on GPUs whose memory is the host's, those of the fake CUDA driver. What it
// does beside that comes from the environment:
//
//   FAKE_BOARD_MILLISECONDS   that each call takes
//   FAKE_BOARD_WRONG          the ordinal of the board that gives a wrong byte
#define fp4cts_dut_version template_dut_version
#define fp4cts_dut_declare template_dut_declare
#include "examples/dut/cpu/my_kernels.cpp"
#undef fp4cts_dut_version
#undef fp4cts_dut_declare

#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

int setting(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : otherwise;
}

int32_t on_board(const fp4cts_call* call, const fp4cts_qmul4* arguments) {
  std::this_thread::sleep_for(std::chrono::milliseconds(setting("FAKE_BOARD_MILLISECONDS", 0)));
  const int32_t status = template_dut_declare()->qmul4(call, arguments);
  if (setting("FAKE_BOARD_WRONG", -1) == call->device_ordinal) arguments->d[0] ^= 1;
  return status;
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
