// Text that others wrote (a plug-in, a driver, a file, a file's name), made harmless once, where it
// comes in: afterwards it is one line of UTF-8 that can be shown on a terminal, in HTML after
// escaping, in XML and in a log, and can forge none of their lines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace harness {

// Control characters, line and paragraph separators, marks that turn the direction of text, code
// points that are no characters, and bytes that are no UTF-8 are spelled out: "\x1b", "\u202e".
// A tab or a line feed becomes a space. All else, '\' too, stays as it is.
std::string clean_text(std::string_view text);

// Cleans every string of a JSON value, the names of its members too.
void clean_texts(nlohmann::json& json);

}  // namespace harness
