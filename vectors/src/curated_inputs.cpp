#include "vectors/src/curated_inputs.hpp"

#include <algorithm>
#include <charconv>

namespace harness {

std::uint32_t CuratedInputs::hex_of(const char* key, const nlohmann::json& value, int bits) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    std::uint32_t number = 0;
    const char* end = text.data() + text.size();
    if (text.starts_with("0x")) {
      const auto [stop, error] = std::from_chars(text.data() + 2, end, number, 16);
      if (error == std::errc() && stop == end && hex_text(number, bits) == text &&
          (bits == 32 || number >> bits == 0)) {
        return number;
      }
    }
  }
  fault(key, fmt::format("expected {} bits in lower-case hex, as \"{}\", got {}", bits,
                         hex_text(0, bits), describe(value)));
  return 0;
}

std::vector<std::uint32_t> CuratedInputs::hex_list(const char* key, int bits,
                                                   std::size_t max_count) {
  const nlohmann::json& array = value(key);
  std::vector<std::uint32_t> values;
  if (!array.is_array() || array.empty() || array.size() > max_count) {
    fault(key, fmt::format("expected an array of 1 to {} values", max_count));
    return values;
  }
  for (const auto& item : array) values.push_back(hex_of(key, item, bits));
  return values;
}

std::vector<std::int64_t> CuratedInputs::integers_of(const char* key, const nlohmann::json& array,
                                                     std::int64_t min, std::int64_t max) {
  constexpr std::size_t max_count = 4096;
  std::vector<std::int64_t> values;
  if (!array.is_array() || array.size() > max_count) {
    fault(key, fmt::format("expected an array of at most {} integers, got {}", max_count,
                           describe(array)));
    return values;
  }
  for (const auto& item : array) {
    const bool fits =
        item.is_number_integer() &&
        !(item.is_number_unsigned() && item.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) &&
        item.get<std::int64_t>() >= min && item.get<std::int64_t>() <= max;
    if (!fits) {
      fault(key, fmt::format("expected integers in [{}, {}], got {}", min, max, describe(item)));
      return values;
    }
    values.push_back(item.get<std::int64_t>());
  }
  return values;
}

std::vector<std::int64_t> CuratedInputs::integers(const char* key, std::int64_t min,
                                                  std::int64_t max) {
  return integers_of(key, value(key), min, max);
}

std::vector<std::vector<std::int64_t>> CuratedInputs::rows(const char* key, std::int64_t min,
                                                           std::int64_t max) {
  const nlohmann::json& array = value(key);
  std::vector<std::vector<std::int64_t>> rows;
  if (!array.is_array() || array.size() > 64) {
    fault(key, "expected an array of at most 64 rows");
    return rows;
  }
  for (const auto& row : array) rows.push_back(integers_of(key, row, min, max));
  const auto ragged = [&](const auto& row) { return row.size() != rows.front().size(); };
  if (std::any_of(rows.begin(), rows.end(), ragged)) fault(key, "expected rows of one length");
  return rows;
}

oracle::PageLayout CuratedInputs::layout(const char* key) {
  const std::string name = text(key);
  if (name == "nvfp4") return oracle::nvfp4_index_k;
  if (name != "mxfp4") {
    fault(key, fmt::format("expected \"nvfp4\" or \"mxfp4\", got \"{}\"", name));
  }
  return oracle::mxfp4;
}

}  // namespace harness
