#include "harness/implementations/devices/runtime_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace harness {

void RuntimeLibrary::Close::operator()(void* handle) const { dlclose(handle); }

void say_who_named_it(nlohmann::ordered_json& facts, const char* override_variable) {
  const char* const path = std::getenv(override_variable);
  if (path != nullptr) facts["library_named_by"] = fmt::format("{}={}", override_variable, path);
}

Result<RuntimeLibrary> RuntimeLibrary::open(const char* override_variable,
                                            std::span<const char* const> names,
                                            std::span<const std::filesystem::path> folders) {
  const auto load = [](const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); };
  if (const char* file = std::getenv(override_variable); file != nullptr && *file != '\0') {
    if (void* handle = load(file); handle != nullptr) return RuntimeLibrary(file, handle);
    return oracle::fail(ErrorCode::device_absent,
                        fmt::format("{}: {}", override_variable, dlerror()));
  }
  std::string found_but_broken;
  for (const char* name : names) {
    if (void* handle = load(name); handle != nullptr) return RuntimeLibrary(name, handle);
    // A library that is there and does not load says more than its absence.
    const std::string why = dlerror();
    if (why.find("cannot open shared object file") == std::string::npos) found_but_broken = why;
  }
  std::string looked_in;
  for (const std::filesystem::path& folder : folders) {
    looked_in += ", " + folder.string();
    for (const char* name : names) {
      const std::string file = folder / name;
      if (void* handle = load(file.c_str()); handle != nullptr) return RuntimeLibrary(file, handle);
      std::error_code error;
      const std::string why = dlerror();
      if (std::filesystem::exists(file, error)) found_but_broken = why;
    }
  }
  if (!found_but_broken.empty()) return oracle::fail(ErrorCode::device_absent, found_but_broken);
  return oracle::fail(ErrorCode::device_absent,
                      fmt::format("{} was not found (looked for by the loader{}; {} names a file)",
                                  fmt::join(names, " or "), looked_in, override_variable));
}

Result<void*> RuntimeLibrary::find(const char* symbol) const {
  void* address = dlsym(handle_.get(), symbol);
  if (address != nullptr) return address;
  return oracle::fail(ErrorCode::device_absent,
                      fmt::format("{} is too old: it lacks {}", name_, symbol));
}

bool RuntimeLibrary::has(const char* symbol) const {
  return dlsym(handle_.get(), symbol) != nullptr;
}

std::string RuntimeLibrary::file_name(const void* address_inside) const {
  Dl_info info{};
  if (dladdr(address_inside, &info) == 0 || info.dli_fname == nullptr) return name_;
  std::error_code error;
  const auto path = std::filesystem::canonical(info.dli_fname, error);
  return error ? name_ : path.filename().string();
}

}  // namespace harness
