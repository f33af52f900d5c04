// JsonObject with defaults and names, as specs need: members may be missing, bytes are two hex
// digits, enumerators are words.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/strict_json.hpp"

namespace harness {

template <class Enum>
using EnumNames = std::span<const std::pair<Enum, std::string_view>>;

template <class Enum>
std::string_view word_of(EnumNames<Enum> names, Enum value) {
  for (const auto& [each, word] : names) {
    if (each == value) return word;
  }
  return "?";
}

// Bytes as hex digits, "7f" or "7f80"; empty where the text is not that.
std::vector<std::uint8_t> bytes_from_hex(std::string_view hex);
std::string hex_from_bytes(std::span<const std::uint8_t> bytes);

class SpecReader : public JsonObject {
 public:
  using JsonObject::JsonObject;

  std::int64_t integer_or(const char* key, std::int64_t min, std::int64_t max,
                          std::int64_t otherwise) {
    return optional_value(key) == nullptr ? otherwise : integer(key, min, max);
  }
  // Seeds are 63 bits, so that every JSON reader holds them.
  std::uint64_t seed_or(const char* key, std::uint64_t otherwise) {
    return static_cast<std::uint64_t>(
        integer_or(key, 0, INT64_MAX, static_cast<std::int64_t>(otherwise)));
  }
  // At least one byte.
  std::vector<std::uint8_t> bytes(const char* key) {
    const std::string hex = text(key);
    std::vector<std::uint8_t> found = bytes_from_hex(hex);
    if (found.empty()) {
      fault(key, fmt::format("expected bytes of two hex digits each, got \"{}\"", hex));
    }
    return found;
  }
  std::uint8_t byte_or(const char* key, std::uint8_t otherwise) {
    if (optional_value(key) == nullptr) return otherwise;
    const std::vector<std::uint8_t> found = bytes(key);
    if (found.size() != 1) fault(key, fmt::format("expected one byte, got {}", found.size()));
    return found.empty() ? otherwise : found.front();
  }
  template <class Enum>
  Enum word(const char* key, EnumNames<Enum> names) {
    const std::string found = text(key);
    std::string known;
    for (const auto& [value, word] : names) {
      if (word == found) return value;
      known += known.empty() ? "" : ", ";
      known += word;
    }
    fault(key, fmt::format("expected one of {}, got \"{}\"", known, found));
    return names.front().first;
  }
  template <class Enum>
  Enum word_or(const char* key, EnumNames<Enum> names, Enum otherwise) {
    return optional_value(key) == nullptr ? otherwise : word(key, names);
  }
  std::vector<std::int64_t> integers(const char* key, std::int64_t min, std::int64_t max) {
    return integers_of(key, value(key), min, max);
  }
  std::vector<std::int64_t> integers_of(const char* key, const nlohmann::json& list,
                                        std::int64_t min, std::int64_t max) {
    std::vector<std::int64_t> found;
    if (!list.is_array()) {
      fault(key, fmt::format("expected an array of integers, got {}", describe(list)));
      return found;
    }
    for (const nlohmann::json& item : list) {
      const bool fits =
          item.is_number_integer() &&
          !(item.is_number_unsigned() && item.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) &&
          item.get<std::int64_t>() >= min && item.get<std::int64_t>() <= max;
      if (!fits) {
        fault(key, fmt::format("expected integers in [{}, {}], got {}", min, max, describe(item)));
        return found;
      }
      found.push_back(item.get<std::int64_t>());
    }
    return found;
  }
  // Takes over the first fault of a member that was read by a reader of its own.
  void adopt(std::string_view key, const Result<void>& member) {
    if (!member) fault(key, member.error().message);
  }
};

}  // namespace harness
