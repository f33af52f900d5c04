// JsonObject with the kinds of members that records have.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/strict_json.hpp"

namespace harness {

// "0x7e"
inline std::string hex_bits(std::uint32_t bits) { return fmt::format("0x{:02x}", bits); }

class RecordReader : public JsonObject {
 public:
  RecordReader(const nlohmann::json& object, std::string_view place)
      : JsonObject(object, std::string(place)), place_(place) {}

  // What errors call the value of `key`.
  std::string place_of(const char* key) const { return fmt::format("{}: {}", place_, key); }

  std::uint64_t count(const char* key) {
    return static_cast<std::uint64_t>(integer(key, 0, INT64_MAX));
  }

  double number(const char* key) {
    const nlohmann::json& found = value(key);
    if (found.is_number() && found.get<double>() >= 0) return found.get<double>();
    fault(key, "expected a number of at least 0, got " + describe(found));
    return 0;
  }

  // The bits of a value written as hex_bits writes them.
  std::uint32_t bits(const char* key, std::uint32_t max) {
    const std::string digits = text(key);
    std::uint32_t bits = 0;
    const char* end = digits.data() + digits.size();
    if (digits.size() > 2 && digits.starts_with("0x")) {
      const auto [rest, error] = std::from_chars(digits.data() + 2, end, bits, 16);
      if (error == std::errc{} && rest == end && bits <= max) return bits;
    }
    fault(key, fmt::format("expected bits of at most {:#x} as \"0x\" and hex digits, got \"{}\"",
                           max, digits));
    return 0;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> result;
    for (const nlohmann::json& item : list(key)) {
      if (!item.is_string()) fault(key, "expected strings, got " + describe(item));
      if (item.is_string()) result.push_back(item.get<std::string>());
    }
    return result;
  }

  // An array; an empty one where it is missing or something else.
  const nlohmann::json& list(const char* key) {
    static const nlohmann::json empty = nlohmann::json::array();
    const nlohmann::json& found = value(key);
    if (found.is_array()) return found;
    fault(key, "expected an array, got " + describe(found));
    return empty;
  }

  const nlohmann::json& object(const char* key) {
    static const nlohmann::json empty = nlohmann::json::object();
    const nlohmann::json& found = value(key);
    if (found.is_object()) return found;
    fault(key, "expected an object, got " + describe(found));
    return empty;
  }

  // An enumerator by its name.
  template <class T>
  T named(const char* key, std::optional<T> (*parse)(std::string_view), std::string_view choices) {
    const std::string name = text(key);
    const std::optional<T> found = parse(name);
    if (!found) fault(key, fmt::format("expected one of {}, got \"{}\"", choices, name));
    return found.value_or(T{});
  }

  // A value that another reader took; its error is the first fault here.
  template <class T>
  T taken(const char* key, Result<T> result) {
    if (result) return std::move(*result);
    fault(key, result.error().message);
    return T{};
  }

  // Each item of an array, by `read(item, place)`.
  template <class T>
  std::vector<T> each(const char* key, Result<T> (*read)(const nlohmann::json&, std::string_view)) {
    std::vector<T> result;
    for (const nlohmann::json& item : list(key)) {
      const std::string place = fmt::format("{}/{}", place_of(key), result.size());
      Result<T> taken_item = read(item, place);
      if (!taken_item) {
        fault(key, taken_item.error().message);
        break;
      }
      result.push_back(std::move(*taken_item));
    }
    return result;
  }

  // What was read, or the first fault.
  template <class T>
  Result<T> finish(T read) {
    if (Result<void> status = done(); !status) return tl::make_unexpected(status.error());
    return read;
  }

 private:
  std::string place_;
};

}  // namespace harness
