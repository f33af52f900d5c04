// Where the committed vectors lie: the source tree, which the tests only read.
#pragma once

#include <filesystem>

namespace harness {

inline std::filesystem::path vectors_folder() { return FP4CTS_VECTORS_DIR; }
inline std::filesystem::path data_folder() { return vectors_folder() / "data"; }
inline std::filesystem::path curated_folder() { return data_folder() / "curated"; }

}  // namespace harness
