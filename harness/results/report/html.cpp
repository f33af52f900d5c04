#include <array>
#include <string_view>
#include <utility>

#include "harness/results/report/page.hpp"
#include "harness/results/report/report.hpp"
#include "harness/results/report/report_data.hpp"

namespace harness {
namespace {

// Text between tags.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// JSON in a script element: "</script>" and "<!--" in a string must not end or change it.
std::string script_safe(const nlohmann::ordered_json& json) {
  std::string result;
  for (const char c : json.dump()) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string html_report(const ConcludedRun& run) {
  constexpr std::size_t listed_in_plain = 200;
  const nlohmann::ordered_json data = page_data(run);
  std::string script;
  for (const std::string_view part : page_scripts()) script += part;
  const std::array<std::pair<std::string_view, std::string>, 5> values{{
      {"@title@", escaped(data.at("verdict_line").get<std::string>() + " - fp4cts")},
      {"@style@", std::string(page_style())},
      {"@plain@", escaped(text_summary(run, listed_in_plain))},
      {"@data@", script_safe(data)},
      {"@script@", script},
  }};
  // One pass over the template, so that nothing inside a value is taken for a mark.
  std::string page;
  std::string_view rest = page_template();
  for (const auto& [mark, value] : values) {
    const std::size_t at = rest.find(mark);
    page += rest.substr(0, at);
    page += value;
    rest.remove_prefix(at + mark.size());
  }
  page += rest;
  return page;
}

}  // namespace harness
