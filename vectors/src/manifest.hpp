// MANIFEST.json of a folder of vectors: the sets in it, and size and SHA-256 of every file
// (schema: vectors/schema/manifest.schema.json). Written in one canonical form, so that a manifest
// with any byte changed is refused or reports a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

inline constexpr std::string_view manifest_name = "MANIFEST.json";
// For people; neither it nor the manifest is listed in the manifest.
inline constexpr std::string_view readme_name = "README.md";
// The version of the vectors' own definitions. A change of data that is already out gets a new one.
inline constexpr std::string_view vector_source = "fp4cts vectors 1";

struct ManifestSet {
  std::string name;  // and the folder of its files
  std::uint64_t seed = 0;
  std::uint64_t files = 0;
  bool operator==(const ManifestSet&) const = default;
};

struct ManifestFile {
  std::string path;  // under the folder, '/' between its parts; sorted
  std::uint64_t bytes = 0;
  std::string sha256;
  bool operator==(const ManifestFile&) const = default;
};

struct Manifest {
  std::vector<ManifestSet> sets;
  std::vector<ManifestFile> files;
  bool operator==(const Manifest&) const = default;
};

// Files in the folder of that set.
std::uint64_t count_files(const std::vector<ManifestFile>& files, std::string_view set);

std::string manifest_text(const Manifest& manifest);
std::string manifest_sha256(const Manifest& manifest);

// Error: malformed, naming `source`: not the schema, paths unsorted, repeated or leading out of the
// folder, files beyond those of the sets, a count that is wrong, or text not in canonical form.
Result<Manifest> manifest_from(std::string_view text, std::string_view source);
Result<Manifest> read_manifest(const std::filesystem::path& folder);

// Every file under the folder but the manifest itself, in order. Error: io_error, or malformed for
// what is neither a file nor a folder.
Result<std::vector<ManifestFile>> list_files(const std::filesystem::path& folder);

// Everything in which the files of a folder differ from its manifest, one line each: a file that is
// missing, unlisted, of another size or of another digest.
std::vector<std::string> manifest_faults(const std::vector<ManifestFile>& present,
                                         const Manifest& manifest);

}  // namespace harness
