// docs/faults.md describes the classes that a diagnosis names, all of them and in its words.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "harness/diagnosis/fault_classes.hpp"

namespace harness {
namespace {

struct Row {
  std::string id;
  std::string title;
};

// The rows of its tables, "| A01 | `name` | title |" and "| `name` | title |", by name.
std::map<std::string, Row> rows_of_page() {
  const std::regex form(R"(\| (?:([A-Z][0-9]+) \| )?`([a-z0-9_]+)` \| ([^|]+) \|.*)");
  std::map<std::string, Row> rows;
  std::ifstream page(FP4CTS_FAULTS_PAGE);
  std::smatch found;
  for (std::string line; std::getline(page, line);) {
    if (line == "## Without a faulty kernel") break;
    if (!std::regex_match(line, found, form)) continue;
    EXPECT_TRUE(rows.emplace(found[2], Row{found[1], found[3]}).second) << found[2] << " twice";
  }
  return rows;
}

TEST(FaultsPage, DescribesEveryClass) {
  const std::map<std::string, Row> rows = rows_of_page();
  for (const FaultClass& fault : fault_classes()) {
    const auto row = rows.find(std::string(fault.name));
    ASSERT_NE(row, rows.end()) << fault.name;
    EXPECT_EQ(row->second.id, fault.id) << fault.name;
    EXPECT_EQ(row->second.title, fault.title) << fault.name;
  }
}

TEST(FaultsPage, DescribesNoOther) {
  for (const auto& [name, row] : rows_of_page()) {
    EXPECT_NE(fault_class_named(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace harness
