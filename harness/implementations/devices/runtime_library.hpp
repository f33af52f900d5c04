// A runtime opened with dlopen: the binary starts on a machine that has none.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "harness/model/result.hpp"

namespace harness {

// Variables that name the library of a runtime.
inline constexpr const char* cuda_library_variable = "FP4CTS_CUDA_LIBRARY";
inline constexpr const char* hip_library_variable = "FP4CTS_HIP_LIBRARY";

// Where a variable names the runtime's library, which then may be anybody's: says so in a device's
// facts, as "library_named_by". What runs on such a device is never stated.
void say_who_named_it(nlohmann::ordered_json& facts, const char* override_variable);

class RuntimeLibrary {
 public:
  // Opens the file that the environment variable `override_variable` names or, where it is not set,
  // the first of `names` that the loader finds, else the first in one of `folders`. Error:
  // device_absent, which says where it was looked for and which variable helps.
  static Result<RuntimeLibrary> open(const char* override_variable,
                                     std::span<const char* const> names,
                                     std::span<const std::filesystem::path> folders = {});

  // Sets `function` to the symbol. Error: device_absent where the library lacks it, which means
  // that it is too old.
  template <class F>
  Status resolve(const char* symbol, F*& function) const {
    const Result<void*> address = find(symbol);
    if (!address) return tl::make_unexpected(address.error());
    function = reinterpret_cast<F*>(*address);
    return {};
  }
  bool has(const char* symbol) const;

  // What the file is called when all links are followed: "libcuda.so.580.159.04".
  std::string file_name(const void* address_inside) const;

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  RuntimeLibrary(std::string name, void* handle) : name_(std::move(name)), handle_(handle) {}
  Result<void*> find(const char* symbol) const;

  std::string name_;
  std::unique_ptr<void, Close> handle_;
};

}  // namespace harness
