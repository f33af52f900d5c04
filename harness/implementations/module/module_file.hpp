// Files of GPU code: what they are, by their first bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

struct ModuleFile {
  std::string name;                       // without its folder
  std::vector<std::string> device_kinds;  // "cuda", "hip"; of PTX text "cuda" and "ptx"
  std::vector<std::uint8_t> image;        // as the runtime takes it, with a 0 behind it for text
  std::string sha256;                     // of the file
};

// A cubin or fatbin of nvcc, PTX text, a code object (.hsaco) or bundle of hipcc. Error: io_error;
// malformed where it is none of them, or shorter than it says of itself.
Result<ModuleFile> read_module_file(const std::filesystem::path& path);

}  // namespace harness
