#include "harness/implementations/isolation/frame.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

namespace harness {
namespace {

constexpr std::string_view magic = "fp4cts w";
constexpr std::size_t version_at = 8;
constexpr std::size_t length_at = 12;

void put(std::string& frame, std::uint32_t value) {
  for (unsigned byte = 0; byte < 4; ++byte) frame += static_cast<char>(value >> (8 * byte) & 0xff);
}

std::uint32_t get(const FrameHeader& header, std::size_t at) {
  std::uint32_t value = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    value |= std::uint32_t{static_cast<unsigned char>(header[at + byte])} << (8 * byte);
  }
  return value;
}

}  // namespace

Result<std::string> to_frame(const nlohmann::ordered_json& message) {
  const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > max_frame_bytes) {
    return oracle::fail(ErrorCode::too_small, fmt::format("a message of {} bytes; at most {}",
                                                          text.size(), max_frame_bytes));
  }
  std::string frame(magic);
  put(frame, worker_protocol_version);
  put(frame, static_cast<std::uint32_t>(text.size()));
  return frame + text;
}

Result<std::uint32_t> frame_text_bytes(const FrameHeader& header) {
  if (std::memcmp(header.data(), magic.data(), magic.size()) != 0) {
    std::string shown;
    for (const char c : header) {
      const auto byte = static_cast<unsigned char>(c);
      shown += std::isprint(byte) != 0 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
    }
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("expected \"{}\", got \"{}\"", magic, shown));
  }
  if (const std::uint32_t version = get(header, version_at); version != worker_protocol_version) {
    return oracle::fail(ErrorCode::malformed, fmt::format("expected protocol version {}, got {}",
                                                          worker_protocol_version, version));
  }
  const std::uint32_t length = get(header, length_at);
  if (length > max_frame_bytes) {
    return oracle::fail(
        ErrorCode::malformed,
        fmt::format("expected a text of at most {} bytes, got {}", max_frame_bytes, length));
  }
  return length;
}

}  // namespace harness
