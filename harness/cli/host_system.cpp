#include "harness/cli/host_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

}  // namespace

std::string os_release(const fs::path& root) {
  constexpr std::string_view key = "PRETTY_NAME=";
  for (const char* const name : {"etc/os-release", "usr/lib/os-release"}) {
    std::ifstream file(root / name);
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(key)) continue;
      std::string value = line.substr(key.size());
      if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) {
        value = value.substr(1, value.size() - 2);
      }
      return value;
    }
  }
  return "not available: no PRETTY_NAME in " + (root / "etc/os-release").string();
}

std::string container(const fs::path& root, const Lookup& variable) {
  std::set<std::string> seen;
  if (is_there(root / ".dockerenv")) seen.insert("docker");
  if (is_there(root / "run/.containerenv")) seen.insert("podman");
  const auto is_set = [&](const char* name) { return variable(name) != nullptr; };
  if (is_set("KUBERNETES_SERVICE_HOST")) seen.insert("kubernetes");
  if (is_set("APPTAINER_NAME") || is_set("SINGULARITY_NAME")) seen.insert("apptainer");
  if (is_set("ENROOT_ROOTFS")) seen.insert("enroot");
  // systemd's word for it, for whatever sets it.
  if (const char* const name = variable("container"); name != nullptr && *name != '\0') {
    seen.insert(name);
  }
  std::ifstream groups(root / "proc/1/cgroup");
  for (std::string line; std::getline(groups, line);) {
    for (const auto& [word, name] : {std::pair{"docker", "docker"},
                                     {"kubepods", "kubernetes"},
                                     {"libpod", "podman"},
                                     {"lxc", "lxc"}}) {
      if (line.find(word) != std::string::npos) seen.insert(name);
    }
  }
  return seen.empty() ? "none seen" : fmt::format("{}", fmt::join(seen, ", "));
}

}  // namespace harness::cli
