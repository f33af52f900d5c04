// What goes over the socket between parent and child: frames of a fixed header and a JSON text.
//
//   bytes 0..7    "fp4cts w"
//   bytes 8..11   protocol version, little endian
//   bytes 12..15  length of the text in bytes, little endian, at most max_frame_bytes
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/model/result.hpp"

namespace harness {

inline constexpr std::uint32_t worker_protocol_version = 2;
inline constexpr std::uint32_t max_frame_bytes = 16u << 20;
inline constexpr std::size_t frame_header_bytes = 16;
using FrameHeader = std::array<char, frame_header_bytes>;

// The frame of a JSON value. Error: too_small for one that is too long.
Result<std::string> to_frame(const nlohmann::ordered_json& message);
// The length of the text behind a header. Error: malformed, with what is wrong.
Result<std::uint32_t> frame_text_bytes(const FrameHeader& header);

}  // namespace harness
