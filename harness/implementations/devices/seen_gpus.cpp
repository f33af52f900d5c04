#include "harness/implementations/devices/seen_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

namespace harness {
namespace {

namespace fs = std::filesystem;

struct Vendor {
  const char* kind;
  const char* name;
  const char* pci_id;
};
constexpr std::array<Vendor, 2> vendors{{{"cuda", "NVIDIA", "0x10de"}, {"hip", "AMD", "0x1002"}}};

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// PCI class 03: display controllers, 3D controllers (0302) among them. 12: processing accelerators.
bool is_gpu_class(const std::string& pci_class) {
  return pci_class.starts_with("0x03") || pci_class.starts_with("0x12");
}

std::vector<SeenGpu> on_pci(const fs::path& root, const Vendor& vendor) {
  std::vector<SeenGpu> found;
  for (const fs::path& device : entries(root / "sys/bus/pci/devices")) {
    if (first_line(device / "vendor") != vendor.pci_id) continue;
    if (!is_gpu_class(first_line(device / "class"))) continue;
    const std::string id = first_line(device / "device");
    found.push_back(
        {vendor.kind,
         fmt::format("{} {}:{} at PCI {}", vendor.name, std::string(vendor.pci_id).substr(2),
                     id.size() > 2 ? id.substr(2) : "?", device.filename().string())});
  }
  return found;
}

bool is_numbered(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

std::vector<SeenGpu> as_nodes(const fs::path& root, const Vendor& vendor) {
  std::vector<SeenGpu> found;
  const bool nvidia = std::string(vendor.kind) == "cuda";
  for (const fs::path& node : entries(root / "dev")) {
    const std::string name = node.filename().string();
    // dxg: a GPU that Windows shares with Linux on top of it.
    if (nvidia ? is_numbered(name, "nvidia") || name == "dxg" : name == "kfd") {
      found.push_back({vendor.kind, "/dev/" + name});
    }
  }
  return found;
}

std::vector<SeenGpu> by_driver(const fs::path& root, const Vendor& vendor) {
  std::vector<SeenGpu> found;
  if (std::string(vendor.kind) == "cuda") {
    for (const fs::path& gpu : entries(root / "proc/driver/nvidia/gpus")) {
      found.push_back({vendor.kind, "NVIDIA at PCI " + gpu.filename().string()});
    }
    return found;
  }
  // The processors of a machine are nodes there too, with the number 0.
  for (const fs::path& node : entries(root / "sys/class/kfd/kfd/topology/nodes")) {
    const std::string id = first_line(node / "gpu_id");
    if (!id.empty() && id != "0") found.push_back({vendor.kind, "AMD KFD node " + id});
  }
  return found;
}

}  // namespace

std::vector<SeenGpu> seen_gpus(const fs::path& root) {
  std::vector<SeenGpu> all;
  for (const Vendor& vendor : vendors) {
    for (const auto look : {on_pci, as_nodes, by_driver}) {
      const std::vector<SeenGpu> found = look(root, vendor);
      all.insert(all.end(), found.begin(), found.end());
      if (!found.empty()) break;
    }
  }
  return all;
}

}  // namespace harness
