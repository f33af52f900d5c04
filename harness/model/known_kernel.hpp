#pragma once

#include <string>

namespace harness {

// A kernel in the box, as this build knows it without opening a device.
struct KnownKernel {
  std::string operation;
  std::string path;
  bool on_cpu = false;  // has a host form, so that every machine can run it
};

}  // namespace harness
