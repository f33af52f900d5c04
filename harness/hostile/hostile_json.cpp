#include "harness/files/strict_json.hpp"
#include "harness/hostile/targets.hpp"

namespace harness::hostile {

// Both readers accept the same texts, and what was read is written and read back equal.
void hostile_json(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const auto read = parse_json(text, source);
  const auto ordered = parse_ordered_json(text, source);
  law(read.has_value() == ordered.has_value(), "sorted and ordered readers agree");
  if (!accepted(read)) return;
  const std::string again = read->dump();
  law(must(parse_json(again, source), "JSON that was written") == *read, "JSON reads back equal");
  const std::string in_order = ordered->dump();
  law(must(parse_ordered_json(in_order, source), "JSON that was written") == *ordered,
      "JSON reads back equal, in order");
}

}  // namespace harness::hostile
