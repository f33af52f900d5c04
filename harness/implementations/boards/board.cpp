#include "harness/implementations/boards/board.hpp"

#include <array>
#include <fstream>
#include <regex>
#include <sstream>

#include "harness/implementations/boards/nvidia_board.hpp"
#include "harness/implementations/boards/nvml.hpp"
#include "harness/model/device_place.hpp"

namespace harness {

std::string number_in_nvidia_version(const std::string& text) {
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 ...". The compiler's
  // version stands in another line.
  static const std::regex form(R"(NVRM version:[^\n]*?\s(\d+\.\d+(\.\d+)?)\s)");
  std::smatch found;
  return std::regex_search(text, found, form) ? found[1].str() : std::string();
}

std::string nvidia_driver_number(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/driver/nvidia/version");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string number = number_in_nvidia_version(text.str());
  if (!number.empty()) return number;
  // On WSL there is no such file.
  const Result<nvml::Library>& library = nvml::library();
  if (!library || library->nvmlSystemGetDriverVersion == nullptr) return "unknown";
  std::array<char, nvml::version_bytes> version{};
  const nvml::Code code =
      library->nvmlSystemGetDriverVersion(version.data(), nvml::version_bytes - 1);
  return code == nvml::success ? version.data() : "unknown";
}

nlohmann::json boards_spec(std::span<const DeviceInfo> devices) {
  nlohmann::json list = nlohmann::json::array();
  for (const DeviceInfo& device : devices) {
    if (!is_one_gpu(device.name)) continue;
    const auto fact = [&](const char* name) {
      const auto found = device.facts.find(name);
      return found == device.facts.end() || !found->is_string() ? std::string()
                                                                : found->get<std::string>();
    };
    list.push_back({{"name", device.name}, {"pci", fact("pci")}, {"uuid", fact("uuid")}});
  }
  return {{"kind", "boards"}, {"devices", std::move(list)}};
}

Result<OpenedSource> open_boards(const nlohmann::json& spec) {
  nlohmann::ordered_json boards = nlohmann::ordered_json::array();
  for (const nlohmann::json& device : spec.at("devices")) {
    const auto name = device.at("name").get<std::string>();
    const auto pci = device.at("pci").get<std::string>();
    nlohmann::ordered_json board{{"device", name}, {"pci", pci}};
    board.update(name.starts_with("cuda") ? nvidia_board(nvml::library(), pci, device.at("uuid"))
                                          : amd_board("/", pci));
    boards.push_back(std::move(board));
  }
  OpenedSource source;
  source.facts = {{"boards", std::move(boards)}};
  return source;
}

}  // namespace harness
