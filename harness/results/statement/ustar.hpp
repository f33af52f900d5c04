// A ustar archive (POSIX.1-1988, the "ustar" interchange format) of named byte strings: what a
// statement is packed in, so that any tar reads it. It is deterministic: mode 0644, owner 0, time
// 0, entries in the order given; equal contents give equal bytes. Only plain files with names of at
// most 100 bytes; no folders, links, extensions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

struct ArchiveEntry {
  std::string name;   // relative, "/" between folders
  std::string bytes;  // below 8 GiB

  bool operator==(const ArchiveEntry&) const = default;
};

// Error: a name that is empty, absolute, longer than 100 bytes, has ".." or a byte below 21 hex, or
// occurs twice.
Result<std::string> write_ustar(std::span<const ArchiveEntry> entries);

// Reads exactly what write_ustar writes: writing the entries again gives the same bytes, so that
// nothing can hide in padding, in a header or behind the end. Error: the offset and what differs.
Result<std::vector<ArchiveEntry>> read_ustar(std::string_view archive);

}  // namespace harness
