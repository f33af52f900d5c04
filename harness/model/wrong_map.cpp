#include "harness/model/wrong_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

namespace harness {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

tl::unexpected<Error> malformed(std::string message) {
  return tl::make_unexpected(
      Error{ErrorCode::invalid_argument, "wrong map: " + std::move(message)});
}

tl::unexpected<Error> wrong_row(std::uint32_t row, std::string_view digits, std::uint32_t columns) {
  return malformed(fmt::format("row {}: expected at most {} bits as hex digits, got '{}'", row,
                               columns, digits));
}

}  // namespace

WrongMap::WrongMap(std::string row_axis, std::uint32_t rows, std::string column_axis,
                   std::uint32_t columns)
    : row_axis_(std::move(row_axis)),
      column_axis_(std::move(column_axis)),
      rows_(rows),
      columns_(columns),
      bits_(std::size_t{rows} * columns) {
  assert(rows >= 1 && rows <= max_side && columns >= 1 && columns <= max_side);
}

std::uint64_t WrongMap::count() const {
  return static_cast<std::uint64_t>(std::count(bits_.begin(), bits_.end(), true));
}

nlohmann::ordered_json to_json(const WrongMap& map) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::uint32_t row = 0; row < map.rows(); ++row) {
    std::string digits;
    for (std::uint32_t column = 0; column < map.columns(); column += 4) {
      unsigned digit = 0;
      for (std::uint32_t bit = 0; bit < 4; ++bit) {
        const bool wrong = column + bit < map.columns() && map.wrong(row, column + bit);
        digit = digit * 2 + (wrong ? 1u : 0u);
      }
      digits += hex_digits[digit];
    }
    digits.erase(digits.find_last_not_of('0') + 1);
    rows.push_back(std::move(digits));
  }
  return {{"axes", {map.row_axis(), map.column_axis()}},
          {"shape", {map.rows(), map.columns()}},
          {"rows", std::move(rows)}};
}

Result<WrongMap> wrong_map_from_json(const nlohmann::json& json) {
  const auto axes = json.find("axes");
  if (axes == json.end() || !axes->is_array() || axes->size() != 2 || !(*axes)[0].is_string() ||
      !(*axes)[1].is_string()) {
    return malformed("axes: expected two names, got " +
                     (axes == json.end() ? "nothing" : axes->dump()));
  }
  const auto shape = json.find("shape");
  const auto is_side = [](const nlohmann::json& side) {
    return side.is_number_unsigned() && side.get<std::uint64_t>() >= 1 &&
           side.get<std::uint64_t>() <= WrongMap::max_side;
  };
  if (shape == json.end() || !shape->is_array() || shape->size() != 2 || !is_side((*shape)[0]) ||
      !is_side((*shape)[1])) {
    return malformed(fmt::format("shape: expected two numbers in 1..{}, got {}", WrongMap::max_side,
                                 shape == json.end() ? "nothing" : shape->dump()));
  }
  WrongMap map((*axes)[0].get<std::string>(), (*shape)[0].get<std::uint32_t>(),
               (*axes)[1].get<std::string>(), (*shape)[1].get<std::uint32_t>());
  const auto rows = json.find("rows");
  if (rows == json.end() || !rows->is_array() || rows->size() != map.rows()) {
    return malformed(fmt::format("rows: expected {} strings of hex digits", map.rows()));
  }
  for (std::uint32_t row = 0; row < map.rows(); ++row) {
    if (!(*rows)[row].is_string()) return malformed(fmt::format("row {}: not a string", row));
    const auto& digits = (*rows)[row].get_ref<const std::string&>();
    const bool hex = digits.find_first_not_of(hex_digits) == std::string::npos;
    for (std::size_t bit = 0; hex && bit < digits.size() * 4; ++bit) {
      if ((hex_digits.find(digits[bit / 4]) >> (3 - bit % 4) & 1u) == 0) continue;
      if (bit >= map.columns()) return wrong_row(row, digits, map.columns());
      map.mark(row, static_cast<std::uint32_t>(bit));
    }
    if (!hex) return wrong_row(row, digits, map.columns());
  }
  return map;
}

}  // namespace harness
