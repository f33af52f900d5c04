// Which operating system this process sees, and what it is enclosed in.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace harness::cli {

using Lookup = std::function<const char*(const char* variable)>;

// PRETTY_NAME of os-release: "Debian GNU/Linux 12 (bookworm)", else "not available: " and why.
std::string os_release(const std::filesystem::path& root);

// "docker", "podman", "kubernetes", "apptainer", "lxc" and the like, several of them joined by ",
// "; "none seen" where nothing tells of one.
std::string container(const std::filesystem::path& root, const Lookup& variable);

}  // namespace harness::cli
