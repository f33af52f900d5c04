// An implementation: anything that can run one operation. The kernels in the box, a plug-in, a
// module file and a program over files all answer here, and are judged alike.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

// What computes the bytes: the processor that the image is for, or software in its place. A row
// that is not native says something about the kernel and nothing about the processor.
enum class Machinery {
  native,
  emulated,   // the image's own machine code, executed by software
  simulated,  // the image's intermediate code (PTX), executed by software
};
std::string_view name_of(Machinery machinery);  // "native", "emulated", "simulated"
std::optional<Machinery> machinery_named(std::string_view name);

struct ImplementationInfo {
  std::string operation;
  std::string path;    // "fp32", "table", ..., or the plug-in's name
  std::string device;  // "cpu", "cuda:0", "hip:0"
  std::string origin;  // "built-in", or the file or command line it came from, as it was written
  std::string profile = "ocp";  // declared
  std::string module_sha256;    // of the image that is launched; empty where there is none
  std::string toolkit;          // "g++ 12.2.0", "nvcc 13.5.37"
  // Why it cannot run here; empty where it can. "needs compute capability 10.0 or 10.3; cuda:0
  // has 9.0"
  std::string unavailable;
  Machinery execution = Machinery::native;

  // "operation path device": unique in a run.
  std::string key() const { return operation + ' ' + path + ' ' + device; }
};

// Bytes changed where nothing may be written: a guard zone or an input.
struct Trespass {
  std::string tensor;
  std::string region;     // "guard before", "guard after", "input"
  std::int64_t byte = 0;  // from the first byte of the tensor's storage; negative before it
  std::uint8_t expected = 0;
  std::uint8_t actual = 0;
  std::uint64_t count = 0;  // changed bytes of that region
};

struct Execution {
  Outputs outputs;
  std::vector<Trespass> trespasses;
  double seconds = 0;  // of the call alone, by the device's clock
};

class Implementation {
 public:
  virtual ~Implementation() = default;
  const ImplementationInfo& info() const { return info_; }

  // Runs one call. Calls of one case use the same buffers. Error: device_lost or device_error with
  // the runtime's own error name; after device_lost nothing more can be run in this process.
  virtual Result<Execution> execute(const Problem& problem) = 0;

 protected:
  ImplementationInfo info_;
};

}  // namespace harness
