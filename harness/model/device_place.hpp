// A device's name taken apart: "cpu", "cuda:0", "hip:1".
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace harness {

struct DevicePlace {
  std::string_view kind;  // of the name that was given
  unsigned ordinal = 0;   // 0 of a kind alone
};

// "cuda" of "cuda:0" and of "cuda".
inline std::string_view device_kind(std::string_view name) {
  return name.substr(0, name.find(':'));
}

// Whether a device's name is that of one GPU: the others have no number.
inline bool is_one_gpu(std::string_view name) { return name.find(':') != std::string_view::npos; }

// None where what follows the colon is no number, or nothing does.
inline std::optional<DevicePlace> device_place(std::string_view name) {
  const std::size_t colon = name.find(':');
  DevicePlace place{name.substr(0, colon), 0};
  if (colon == std::string_view::npos) return place;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + colon + 1, end, place.ordinal);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return place;
}

}  // namespace harness
