// Adding to a folder of frozen vectors: what is new is entered, what is there stays.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/model/result.hpp"
#include "vectors/src/manifest.hpp"

namespace harness {

struct Freeze {
  Manifest manifest;
  std::vector<std::string> added;  // paths
};

// Enters new curated ids into their registry and new files into the manifest; every folder in
// `folder` is a set. Error: a file of the old manifest is gone or has other bytes (curated files
// may grow: the registry guards their vectors), a folder is no set, or two files of a set have not
// the same seed. Nothing is written then.
Result<Freeze> freeze_vectors(const std::filesystem::path& folder);

// Rewrites curated files in their canonical layout. Gives the names of those that changed.
Result<std::vector<std::string>> format_curated(const std::filesystem::path& curated_folder);

}  // namespace harness
