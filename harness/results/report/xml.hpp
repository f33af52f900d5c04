// XML for machines: what JUnit files are made of.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace harness::xml {

// XML 1.0 has no control characters but tab, line feed and return, and not the last two code points
// of the basic plane: each becomes a question mark.
std::string legal(std::string_view text);

void set(pugi::xml_node node, const char* name, std::string_view value);
void set(pugi::xml_node node, const char* name, std::uint64_t value);
void add_text(pugi::xml_node node, std::string_view text);

// A document that begins with its declaration, and its text.
pugi::xml_document document();
std::string text_of(const pugi::xml_document& document);

}  // namespace harness::xml
