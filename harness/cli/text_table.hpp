// A table for a person: columns as wide as they need to be, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace harness::cli {

enum class Align { left, right };

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}}); }
  // A row whose first cells are columns and whose rest is one text across the others.
  void add(std::vector<std::string> cells, std::string rest) {
    rows_.push_back({std::move(cells), std::move(rest)});
  }
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string rest;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

// "1.23 GB", "512 B": decimal units.
std::string human_bytes(double bytes);

}  // namespace harness::cli
