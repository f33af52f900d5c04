// The files of page/ as they are embedded in the binary.
#pragma once

#include <string_view>
#include <vector>

namespace harness {

std::string_view page_template();  // with the marks @title@ @style@ @plain@ @data@ @script@
std::string_view page_style();
std::vector<std::string_view> page_scripts();  // in the order in which they run

}  // namespace harness
