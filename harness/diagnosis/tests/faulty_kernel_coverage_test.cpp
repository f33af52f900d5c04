// Every class of docs/faults.md has a kernel in kernels/faulty that has it, or a row in the page's
// last table that says why none has.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "harness/diagnosis/fault_classes.hpp"
#include "kernels/module.hpp"

namespace harness {
namespace {

// The classes whose names end the names of entries, without the number of a variant.
std::set<std::string> classes_with_a_kernel() {
  std::set<std::string> classes;
  for (const kernels::Entry& entry : kernels::faulty_entries()) {
    std::string name(entry.name);
    const FaultClass* of = nullptr;
    for (int tries = 0; tries < 2 && of == nullptr; ++tries) {
      for (const FaultClass& fault : fault_classes()) {
        const bool ends = name.ends_with("_" + std::string(fault.name));
        if (ends && (of == nullptr || fault.name.size() > of->name.size())) of = &fault;
      }
      name = std::regex_replace(name, std::regex("_[0-9]+$"), "");
    }
    EXPECT_NE(of, nullptr) << entry.name << " is of no class";
    if (of != nullptr) classes.emplace(of->name);
  }
  return classes;
}

// "| `name` | why |" below the heading of the table.
std::map<std::string, std::string> excused_classes() {
  const std::regex row(R"(\| `([a-z0-9_]+)` \| ([^|]+) \|)");
  std::map<std::string, std::string> excused;
  std::ifstream page(FP4CTS_FAULTS_PAGE);
  bool in_table = false;
  std::smatch found;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) in_table = line == "## Without a faulty kernel";
    if (in_table && std::regex_match(line, found, row)) excused[found[1]] = found[2];
  }
  return excused;
}

TEST(FaultyKernels, AreThereForEveryClassOrThePageSaysWhyNot) {
  const std::set<std::string> kernels = classes_with_a_kernel();
  const std::map<std::string, std::string> excused = excused_classes();
  EXPECT_FALSE(kernels.empty());
  for (const FaultClass& fault : fault_classes()) {
    const std::string name(fault.name);
    EXPECT_NE(kernels.count(name), excused.count(name))
        << name << (kernels.count(name) != 0 ? " has a kernel and an excuse" : " has neither");
  }
  for (const auto& [name, why] : excused) EXPECT_NE(fault_class_named(name), nullptr) << name;
}

}  // namespace
}  // namespace harness
