#include "harness/cli/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace harness::cli {

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(column.title.size());
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], row.cells[i].size());
    }
  }
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells, const std::string& rest) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i != 0) line += "  ";
      line += columns_[i].align == Align::left ? fmt::format("{:<{}}", cells[i], widths[i])
                                               : fmt::format("{:>{}}", cells[i], widths[i]);
    }
    if (!rest.empty()) line += "  " + rest;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  add_line(titles, {});
  for (const Row& row : rows_) add_line(row.cells, row.rest);
  return text;
}

std::string human_bytes(double bytes) {
  constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  constexpr double step = 1000;
  std::size_t unit = 0;
  while (bytes >= step && unit + 1 < units.size()) {
    bytes /= step;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace harness::cli
