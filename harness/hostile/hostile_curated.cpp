#include "harness/hostile/targets.hpp"
#include "vectors/src/curated.hpp"

namespace harness::hostile {

// A file that was read has a canonical text, which reads back to the same text; its vectors enter a
// registry once; and inputs of every kind get an answer or a reason. After a line feed comes a
// registry of the file's ids, for which the file ends with the line "---".
void hostile_curated(Bytes bytes) {
  std::string_view text = text_of(bytes);
  std::string_view registry;
  constexpr std::string_view mark = "\n---\n";
  if (const std::size_t at = text.find(mark); at != std::string_view::npos) {
    registry = text.substr(at + mark.size());
    text = text.substr(0, at + 1);
  }
  const auto file = curated_file_in_any_layout(text, source);
  accepted(curated_file_from(text, source));
  if (!accepted(file)) return;
  const std::string canonical = curated_text(*file);
  law(curated_text(must(curated_file_from(canonical, source), "a canonical text")) == canonical,
      "a curated file reads back equal");
  const std::vector<CuratedFile> files{*file};
  if (const auto extended = extended_registry(files, registry, source); accepted(extended)) {
    must(check_registry(files, *extended, source).map([] { return 0; }), "an extended registry");
  }
  for (const CuratedVector& vector : file->vectors) {
    accepted(curated_answer(file->kind, vector), file->kind);
  }
}

}  // namespace harness::hostile
