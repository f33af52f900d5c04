// The inputs of a curated vector, taken apart.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/files/strict_json.hpp"
#include "oracle/pages/page_layout.hpp"

namespace harness {

class CuratedInputs : public JsonObject {
 public:
  using JsonObject::JsonObject;

  // "0x3f800000": exactly the digits of `bits` bits.
  std::uint32_t hex(const char* key, int bits) { return hex_of(key, value(key), bits); }
  // The same where the member is there.
  std::uint32_t hex_or(const char* key, int bits, std::uint32_t otherwise) {
    const nlohmann::json* found = optional_value(key);
    return found == nullptr ? otherwise : hex_of(key, *found, bits);
  }
  std::vector<std::uint32_t> hex_list(const char* key, int bits, std::size_t max_count);
  std::vector<std::int64_t> integers(const char* key, std::int64_t min, std::int64_t max);
  std::vector<std::vector<std::int64_t>> rows(const char* key, std::int64_t min, std::int64_t max);

  // "nvfp4" or "mxfp4".
  oracle::PageLayout layout(const char* key);

 private:
  std::uint32_t hex_of(const char* key, const nlohmann::json& value, int bits);
  std::vector<std::int64_t> integers_of(const char* key, const nlohmann::json& array,
                                        std::int64_t min, std::int64_t max);
};

// `value` with the digits of `bits` bits.
inline std::string hex_text(std::uint64_t value, int bits) {
  return fmt::format("0x{:0{}x}", value, (bits + 3) / 4);
}

}  // namespace harness
