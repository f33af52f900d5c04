#include "harness/implementations/plugin/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "harness/implementations/plugin/plugin_border.hpp"
#include "harness/implementations/plugin/plugin_entries.hpp"

namespace harness {
namespace {

constexpr std::size_t longest_name = 64;

tl::unexpected<Error> refused(std::string reason) {
  return oracle::fail(ErrorCode::malformed, std::move(reason));
}

// A function of the library; an error where it exports none of this name.
template <class Function>
Result<Function*> function_of(void* library, const char* name) {
  void* symbol = ::dlsym(library, name);
  if (symbol != nullptr) return reinterpret_cast<Function*>(symbol);
  return refused(fmt::format(
      "it exports no function {}, as a plug-in after include/fp4cts/dut.h does (with C linkage)",
      name));
}

// What version 1 began with. Each operation that was added since has one more member in both.
constexpr std::size_t first_sizes = offsetof(fp4cts_dut_sizes, nvfp4_write_index_k);
constexpr std::size_t first_declaration = offsetof(fp4cts_dut_declaration, nvfp4_write_index_k);

// A plug-in that was built with an older header knows fewer operations, and those just as this
// suite does.
Status check_sizes(const fp4cts_dut_sizes& built_with) {
  const fp4cts_dut_sizes& here = *fp4cts_dut_sizes_here();
  const auto refuse = [](std::string_view name, std::size_t there, std::string_view expected) {
    return refused(
        fmt::format("its {} has {} bytes; expected {}: it was built with another "
                    "include/fp4cts/dut.h than this suite",
                    name, there, expected));
  };
  const std::size_t added = built_with.sizes - first_sizes;
  if (built_with.sizes < first_sizes || built_with.sizes > here.sizes ||
      added % sizeof(std::size_t) != 0) {
    return refuse("fp4cts_dut_sizes", built_with.sizes,
                  fmt::format("{} to {}", first_sizes, here.sizes));
  }
  if (built_with.declaration != first_declaration + added) {
    return refuse("fp4cts_dut_declaration", built_with.declaration,
                  fmt::format("{}", first_declaration + added));
  }
  if (built_with.call != here.call) {
    return refuse("fp4cts_call", built_with.call, fmt::format("{}", here.call));
  }
  for (const PluginEntry& entry : plugin_entries()) {
    const auto* const first = reinterpret_cast<const char*>(&here);
    const auto* const member = reinterpret_cast<const char*>(&(here.*entry.struct_bytes));
    if (static_cast<std::size_t>(member - first) >= built_with.sizes) continue;
    if (built_with.*entry.struct_bytes != here.*entry.struct_bytes) {
      return refuse(entry.struct_name, built_with.*entry.struct_bytes,
                    fmt::format("{}", here.*entry.struct_bytes));
    }
  }
  return {};
}

// What can be a path in results, in globs and on a command line.
bool is_name(std::string_view text) {
  const auto fits = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_.+-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= longest_name && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), fits);
}

std::vector<std::string> kinds_of(std::uint32_t bits) {
  std::vector<std::string> kinds;
  if ((bits & FP4CTS_CPU) != 0) kinds.emplace_back("cpu");
  if ((bits & FP4CTS_CUDA) != 0) kinds.emplace_back("cuda");
  if ((bits & FP4CTS_HIP) != 0) kinds.emplace_back("hip");
  return kinds;
}

std::string or_empty(const char* text) { return text == nullptr ? std::string() : text; }

Result<Plugin> read_declaration(const fp4cts_dut_declaration* declaration) {
  if (declaration == nullptr) return refused("fp4cts_dut_declare returned null");
  if (declaration->sizes == nullptr) {
    return refused("its declaration: sizes: expected fp4cts_dut_sizes_here(), got null");
  }
  if (Status status = check_sizes(*declaration->sizes); !status) {
    return tl::make_unexpected(status.error());
  }
  Plugin plugin{declaration, or_empty(declaration->name), or_empty(declaration->profile),
                or_empty(declaration->toolkit), kinds_of(declaration->device_kinds)};
  if (!is_name(plugin.name)) {
    return refused(fmt::format(
        "its declaration: name: expected 1 to {} letters, digits and _ . + -, got \"{}\"",
        longest_name, plugin.name.substr(0, 2 * longest_name)));
  }
  if (plugin.profile.empty()) {
    return refused("its declaration: profile: expected a name such as \"ocp\", got none");
  }
  constexpr std::uint32_t known = FP4CTS_CPU | FP4CTS_CUDA | FP4CTS_HIP;
  if (plugin.device_kinds.empty() || (declaration->device_kinds & ~known) != 0) {
    return refused(fmt::format(
        "its declaration: device_kinds: expected some of FP4CTS_CPU, FP4CTS_CUDA and FP4CTS_HIP "
        "(the bits {:#x}), got {:#x}",
        known, declaration->device_kinds));
  }
  const auto entries = plugin_entries();
  if (std::none_of(entries.begin(), entries.end(),
                   [&](const PluginEntry& entry) { return entry.declared(*declaration); })) {
    return refused("its declaration has no entry: every operation is null");
  }
  return plugin;
}

}  // namespace

Result<Plugin> load_plugin(const std::string& file) {
  // A name without a slash would be looked for in the system's folders.
  const std::string path = std::filesystem::absolute(file).string();
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return refused(or_empty(::dlerror()));
  const auto version = function_of<decltype(fp4cts_dut_version)>(library, "fp4cts_dut_version");
  if (!version) return tl::make_unexpected(version.error());
  if (const std::uint32_t built_with = border::version(*version);
      built_with != FP4CTS_DUT_VERSION) {
    return refused(fmt::format(
        "fp4cts_dut_version: expected {}, got {}: it was built for another version of the suite",
        FP4CTS_DUT_VERSION, built_with));
  }
  const auto declare = function_of<decltype(fp4cts_dut_declare)>(library, "fp4cts_dut_declare");
  if (!declare) return tl::make_unexpected(declare.error());
  return read_declaration(border::declare(*declare));
}

}  // namespace harness
