#include "harness/results/report/page.hpp"

// Written by CMake: each file of page/ lies between two labels.
extern "C" {
extern const char fp4cts_page_template[];
extern const char fp4cts_page_template_end[];
extern const char fp4cts_page_style[];
extern const char fp4cts_page_style_end[];
extern const char fp4cts_page_dom[];
extern const char fp4cts_page_dom_end[];
extern const char fp4cts_page_heat_map[];
extern const char fp4cts_page_heat_map_end[];
extern const char fp4cts_page_failures[];
extern const char fp4cts_page_failures_end[];
extern const char fp4cts_page_coverage[];
extern const char fp4cts_page_coverage_end[];
extern const char fp4cts_page_page[];
extern const char fp4cts_page_page_end[];
}

namespace harness {

std::string_view page_template() { return {fp4cts_page_template, fp4cts_page_template_end}; }

std::string_view page_style() { return {fp4cts_page_style, fp4cts_page_style_end}; }

std::vector<std::string_view> page_scripts() {
  return {{fp4cts_page_dom, fp4cts_page_dom_end},
          {fp4cts_page_heat_map, fp4cts_page_heat_map_end},
          {fp4cts_page_failures, fp4cts_page_failures_end},
          {fp4cts_page_coverage, fp4cts_page_coverage_end},
          {fp4cts_page_page, fp4cts_page_page_end}};
}

}  // namespace harness
