#include "harness/hostile/targets.hpp"
#include "vectors/src/manifest.hpp"

namespace harness::hostile {

// A manifest has one form: what was accepted is what is written.
void hostile_manifest(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const auto manifest = manifest_from(text, source);
  if (!accepted(manifest)) return;
  law(manifest_text(*manifest) == text, "an accepted manifest is in canonical form");
  law(manifest_faults(manifest->files, *manifest).empty(), "its own files agree with a manifest");
  law(manifest_faults({}, *manifest).size() == manifest->files.size(),
      "every file that is missing is a fault");
}

}  // namespace harness::hostile
