// Which elements and attributes a JUnit file may have, after junit-10.xsd of Jenkins' xUnit plug-in
// (src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd): a file with another one is
// refused there as a whole.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>

namespace harness::fixture {

struct JunitElement {
  std::set<std::string> attributes;
  std::set<std::string> required;
  std::set<std::string> children;
  bool text = false;
};

// What does not fit, empty where all of it does.
inline std::string junit_fault(const pugi::xml_node& node) {
  static const JunitElement outcome{{"type", "message"}, {}, {}, true};
  static const std::map<std::string, JunitElement> elements{
      {"testsuites",
       {{"name", "time", "tests", "failures", "disabled", "errors"}, {}, {"testsuite"}, false}},
      {"testsuite",
       {{"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp",
         "hostname", "id", "package"},
        {"tests"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
        false}},
      {"testcase",
       {{"name", "time", "timestamp", "classname", "status", "file", "line"},
        {"name"},
        {"skipped", "error", "failure", "system-out", "system-err"},
        false}},
      {"properties", {{}, {}, {"property"}, false}},
      {"property", {{"name", "value"}, {"name", "value"}, {}, false}},
      {"failure", outcome},
      {"error", outcome},
      {"skipped", outcome},
      {"system-out", {{}, {}, {}, true}},
      {"system-err", {{}, {}, {}, true}}};
  const auto known = elements.find(node.name());
  if (known == elements.end()) return std::string("no element is named ") + node.name();
  const JunitElement& element = known->second;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (!element.attributes.contains(attribute.name())) {
      return std::string(node.name()) + " has the attribute " + attribute.name();
    }
  }
  for (const std::string& name : element.required) {
    if (!node.attribute(name.c_str())) return std::string(node.name()) + " lacks " + name;
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata) {
      if (!element.text) return std::string(node.name()) + " has text";
      continue;
    }
    if (!element.children.contains(child.name())) {
      return std::string(node.name()) + " holds " + child.name();
    }
    std::string fault = junit_fault(child);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace harness::fixture
