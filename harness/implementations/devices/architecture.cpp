#include "harness/implementations/devices/architecture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace harness {
namespace {

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end != 0) found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

// One name of Image::architectures.
struct CudaTarget {
  bool ptx = false;
  Version capability;
  char suffix = '\0';  // 'a': this chip alone; 'f': its family

  bool runs_on(Version device) const {
    if (suffix == 'a') return device == capability;
    if (ptx && suffix == '\0') return device >= capability;
    return device.major == capability.major && device.minor >= capability.minor;
  }
};

std::optional<CudaTarget> parse(std::string_view name) {
  CudaTarget target;
  target.ptx = name.starts_with("compute_");
  if (!target.ptx && !name.starts_with("sm_")) return std::nullopt;
  name.remove_prefix(target.ptx ? 8 : 3);
  int number = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{}) return std::nullopt;
  target.capability = {number / 10, number % 10};
  if (rest != name.data() + name.size()) target.suffix = *rest;
  return target;
}

// The processors that a code object for a generic target runs on: LLVM's AMDGPU usage page, "AMDGPU
// Generic Processors".
struct GenericTarget {
  std::string_view name;
  std::string_view processors;
};
constexpr GenericTarget generic_targets[]{
    {"gfx9-4-generic", "gfx940 gfx941 gfx942 gfx950"},
    {"gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153"},
    {"gfx12-generic", "gfx1200 gfx1201"}};

bool runs_on(std::string_view target, std::string_view processor) {
  if (target == processor) return true;
  for (const GenericTarget& generic : generic_targets) {
    if (target != generic.name) continue;
    const std::vector<std::string_view> names = words(generic.processors);
    return std::find(names.begin(), names.end(), processor) != names.end();
  }
  return false;
}

std::string not_built(const kernels::Image& image) {
  return image.built() ? "" : fmt::format("not built: {}", image.absent_reason);
}

std::string both(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty()) return first + second;
  return first + "; " + second;
}

// Why none of the image's architectures fits the device; empty where one does.
std::string no_target(const kernels::Image& image, std::string_view device, Version capability,
                      Version driver, bool ptx_alone) {
  const std::vector<std::string_view> names = words(image.architectures);
  std::vector<CudaTarget> targets;
  for (const std::string_view name : names) {
    if (const auto target = parse(name); target) targets.push_back(*target);
  }
  bool ptx_fits = false;
  for (const CudaTarget& target : targets) {
    if (!target.runs_on(capability) || (ptx_alone && !target.ptx)) continue;
    if (!target.ptx) return {};
    ptx_fits = true;
  }
  const Version assembler = ptx_release(image);
  if (ptx_fits && assembler <= driver) return {};
  if (ptx_fits) {
    return fmt::format(
        "only PTX fits compute capability {}, and it needs a driver of CUDA {} or "
        "newer; {} has CUDA {}",
        to_string(capability), to_string(assembler), device, to_string(driver));
  }
  if (ptx_alone) {
    return fmt::format(
        "CUDA_FORCE_PTX_JIT is set, and no PTX fits compute capability {} of {}: the module holds "
        "{}",
        to_string(capability), device, fmt::join(names, ", "));
  }
  const bool one_chip_each = std::all_of(targets.begin(), targets.end(),
                                         [](const CudaTarget& t) { return t.suffix == 'a'; });
  if (one_chip_each) {
    std::vector<std::string> capabilities;
    capabilities.reserve(targets.size());
    for (const CudaTarget& target : targets) capabilities.push_back(to_string(target.capability));
    return fmt::format("needs compute capability {} ({}); {} has {}",
                       fmt::join(capabilities, " or "), fmt::join(names, ", "), device,
                       to_string(capability));
  }
  return fmt::format("no image for compute capability {} of {}: the module holds {}",
                     to_string(capability), device, fmt::join(names, ", "));
}

}  // namespace

std::string to_string(Version version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

Version toolkit_version(std::string_view toolkit) {
  const std::size_t space = toolkit.rfind(' ');
  if (space == std::string_view::npos) return {};
  const char* const end = toolkit.data() + toolkit.size();
  Version version;
  const auto major = std::from_chars(toolkit.data() + space + 1, end, version.major);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return {};
  std::from_chars(major.ptr + 1, end, version.minor);
  return version;
}

Version ptx_release(const kernels::Image& image) {
  constexpr std::string_view words = ".version ";
  if (!image.built()) return toolkit_version(image.toolkit);
  const std::string_view text(reinterpret_cast<const char*>(image.begin), image.size());
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return toolkit_version(image.toolkit);
  // The same form as a toolkit's name: a word, a space, a version.
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  const Version isa = toolkit_version(line);
  if (isa.major != 8) return {isa.major + 4, isa.minor};    // 9.0 is CUDA 13.0, 7.8 is 11.8
  return {12, isa.minor <= 5 ? isa.minor : isa.minor + 1};  // 8.5 is CUDA 12.5, 8.6 is 12.7
}

std::string why_not_on_cuda(const kernels::Image* image, std::string_view device,
                            Version capability, Version driver, bool ptx_alone) {
  if (image == nullptr) return "has no CUDA form";
  const bool known = !words(image->architectures).empty();
  return both(known ? no_target(*image, device, capability, driver, ptx_alone) : "",
              not_built(*image));
}

std::string_view processor_of(std::string_view architecture) {
  return architecture.substr(0, architecture.find(':'));
}

std::string why_not_on_hip(const kernels::Image* image, std::string_view device,
                           std::string_view architecture) {
  if (image == nullptr) return "has no HIP form";
  const std::vector<std::string_view> names = words(image->architectures);
  const std::string_view processor = processor_of(architecture);
  std::string reason;
  const bool fits = std::any_of(names.begin(), names.end(),
                                [&](std::string_view name) { return runs_on(name, processor); });
  if (!names.empty() && !fits) {
    reason = fmt::format("no image for {} of {}: the module holds {}", processor, device,
                         fmt::join(names, ", "));
  }
  return both(reason, not_built(*image));
}

}  // namespace harness
