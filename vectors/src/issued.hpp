// What of the kept data was issued when this build was made: a folder that has less of it, or
// something else under its names, is not that data, whatever its own manifest says.
#pragma once

#include <span>
#include <string_view>

namespace harness {

struct IssuedFile {
  std::string_view path;
  std::string_view sha256;
};
// Files of the set `real`, which never change.
std::span<const IssuedFile> issued_files();

// The registry of curated ids, curated/ids.txt. Later ones may follow those.
std::string_view issued_curated_ids();

}  // namespace harness
