// Files that the binary carries, so that nothing but itself is needed where it runs: the plug-in
// header, the schemas, the manifest of the golden vectors. The table is written by CMake.
#pragma once

#include <span>
#include <string_view>

namespace harness::cli {

struct EmbeddedFile {
  std::string_view name;  // as `fp4cts print` takes it: "dut.h", "results.schema.json"
  const char* begin;
  const char* end;

  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

std::span<const EmbeddedFile> embedded_files();
// Null where there is none of that name.
const EmbeddedFile* embedded_file(std::string_view name);

}  // namespace harness::cli
