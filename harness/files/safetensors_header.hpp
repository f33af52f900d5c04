// What reader and writer of safetensors both know of a file's first bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace harness {

// A file begins with the length of its header, little-endian; the header is JSON.
inline constexpr std::size_t length_bytes = 8;
inline constexpr std::string_view metadata_key = "__metadata__";

}  // namespace harness
