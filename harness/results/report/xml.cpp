#include "harness/results/report/xml.hpp"

#include <sstream>

namespace harness::xml {

std::string legal(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view three = text.substr(i, 3);
    const bool control =
        static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
    const bool no_character = three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf";  // U+FFFE, U+FFFF
    result += control || no_character ? '?' : c;
    if (no_character) i += 2;
  }
  return result;
}

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(legal(value).c_str());
}

void set(pugi::xml_node node, const char* name, std::uint64_t value) {
  node.append_attribute(name).set_value(static_cast<unsigned long long>(value));
}

void add_text(pugi::xml_node node, std::string_view text) {
  node.append_child(pugi::node_pcdata).set_value(legal(text).c_str());
}

pugi::xml_document document() {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", std::string_view("1.0"));
  set(declaration, "encoding", std::string_view("UTF-8"));
  return document;
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream stream;
  document.save(stream, "  ");
  return stream.str();
}

}  // namespace harness::xml
