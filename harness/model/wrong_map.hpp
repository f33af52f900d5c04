// Where in a page wrong elements lie, all pages of a case over one another: the picture that shows
// a fault at a glance (every odd element, one scale group, the last token), which a list of the
// first few mismatches cannot. It is a bit per place and not a count, so that a record stays small
// in a file of thousands of failures; a heat map is the sum over cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

class WrongMap {
 public:
  // No picture: what an operation without pages leaves.
  WrongMap() = default;
  // All places right. 1 <= rows, columns <= max_side. Axes are named in the operation's own words:
  // ("token", 128, "element", 128) for decoded pages, ("token", 128, "byte", 72) for written ones.
  WrongMap(std::string row_axis, std::uint32_t rows, std::string column_axis,
           std::uint32_t columns);

  static constexpr std::uint32_t max_side = 4096;

  void mark(std::uint32_t row, std::uint32_t column) { bits_[index(row, column)] = true; }
  bool wrong(std::uint32_t row, std::uint32_t column) const { return bits_[index(row, column)]; }
  std::uint64_t count() const;

  bool empty() const { return rows_ == 0; }
  std::uint32_t rows() const { return rows_; }
  std::uint32_t columns() const { return columns_; }
  const std::string& row_axis() const { return row_axis_; }
  const std::string& column_axis() const { return column_axis_; }

  bool operator==(const WrongMap&) const = default;

 private:
  std::size_t index(std::uint32_t row, std::uint32_t column) const {
    return std::size_t{row} * columns_ + column;
  }

  std::string row_axis_;
  std::string column_axis_;
  std::uint32_t rows_ = 0;
  std::uint32_t columns_ = 0;
  std::vector<bool> bits_;
};

// {"axes": ["token", "element"], "shape": [128, 128], "rows": ["", "8000...", ...]}: one string of
// hex digits a row, read from the left (the highest bit of the first digit is column 0), with
// trailing zero digits left out, so that a row without a wrong place is "".
nlohmann::ordered_json to_json(const WrongMap& map);
// Error: names the field, expected and actual.
Result<WrongMap> wrong_map_from_json(const nlohmann::json& json);

}  // namespace harness
