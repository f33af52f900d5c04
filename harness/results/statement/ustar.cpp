#include "harness/results/statement/ustar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace harness {
namespace {

constexpr std::size_t block_bytes = 512;
constexpr std::size_t end_bytes = 2 * block_bytes;  // two zero blocks close an archive
constexpr std::size_t max_name = 100;
constexpr std::size_t size_digits = 11;

// Where the fields of a header lie: offset and length in bytes.
struct Field {
  std::size_t offset;
  std::size_t length;
};
constexpr Field name_field{0, 100};
constexpr Field mode_field{100, 8};
constexpr Field owner_field{108, 8};
constexpr Field group_field{116, 8};
constexpr Field size_field{124, 12};
constexpr Field time_field{136, 12};
constexpr Field checksum_field{148, 8};
constexpr std::size_t type_offset = 156;
constexpr Field magic_field{257, 8};  // "ustar", a zero byte, version "00"

using Header = std::array<char, block_bytes>;

tl::unexpected<Error> fail(std::string message) {
  return oracle::fail(ErrorCode::malformed, std::move(message));
}

void put(Header& header, Field field, std::string_view text) {
  std::copy(text.begin(), text.end(),
            header.begin() + static_cast<Header::difference_type>(field.offset));
}

std::size_t padded(std::size_t bytes) {
  return (bytes + block_bytes - 1) / block_bytes * block_bytes;
}

Header header_of(const ArchiveEntry& entry) {
  Header header{};
  put(header, name_field, entry.name);
  put(header, mode_field, "0000644");
  put(header, owner_field, "0000000");
  put(header, group_field, "0000000");
  put(header, size_field, fmt::format("{:011o}", entry.bytes.size()));
  put(header, time_field, "00000000000");
  header[type_offset] = '0';
  put(header, magic_field, std::string_view("ustar\00000", 8));
  // The sum of all bytes of the header, those of the sum itself counted as spaces.
  put(header, checksum_field, "        ");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(header, checksum_field, fmt::format("{:06o}", sum) + '\0' + ' ');
  return header;
}

std::string fault_of(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > max_name) return fmt::format("is longer than {} bytes", max_name);
  if (name.front() == '/') return "is absolute";
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<signed char>(c) < 0x21; })) {
    return "has a space, a control character or a byte that is not ASCII";
  }
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string_view part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") return "has an empty part, '.' or '..'";
    start = end + 1;
  }
  return {};
}

}  // namespace

Result<std::string> write_ustar(std::span<const ArchiveEntry> entries) {
  std::set<std::string_view> names;
  std::size_t total = end_bytes;
  for (const ArchiveEntry& entry : entries) {
    const std::string fault = fault_of(entry.name);
    if (!fault.empty()) return fail(fmt::format("archive: the name '{}' {}", entry.name, fault));
    if (!names.insert(entry.name).second) {
      return fail(fmt::format("archive: '{}' occurs twice", entry.name));
    }
    if (entry.bytes.size() >> (3 * size_digits) != 0) {
      return fail(
          fmt::format("archive: '{}' has {} bytes, 8 GiB or more", entry.name, entry.bytes.size()));
    }
    total += block_bytes + padded(entry.bytes.size());
  }
  std::string archive;
  archive.reserve(total);
  for (const ArchiveEntry& entry : entries) {
    const Header header = header_of(entry);
    archive.append(header.data(), header.size());
    archive += entry.bytes;
    archive.append(padded(entry.bytes.size()) - entry.bytes.size(), '\0');
  }
  archive.append(end_bytes, '\0');
  return archive;
}

Result<std::vector<ArchiveEntry>> read_ustar(std::string_view archive) {
  std::vector<ArchiveEntry> entries;
  std::set<std::string, std::less<>> names;
  std::size_t at = 0;
  while (true) {
    if (archive.size() - at < end_bytes) {
      return fail(fmt::format("archive: cut short at byte {}", archive.size()));
    }
    if (archive.size() - at == end_bytes) break;
    const std::string_view header = archive.substr(at, block_bytes);
    const std::string_view name = header.substr(0, name_field.length);
    const std::string_view digits = header.substr(size_field.offset, size_digits);
    ArchiveEntry entry{std::string(name.substr(0, name.find('\0'))), {}};
    std::size_t bytes = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '7') {
        return fail(fmt::format("archive: no header of ours at byte {}", at));
      }
      bytes = bytes * 8 + static_cast<std::size_t>(digit - '0');
    }
    const std::size_t room = archive.size() - at - block_bytes;
    if (padded(bytes) > room) {
      return fail(fmt::format("archive: '{}' at byte {} has {} bytes, but only {} follow",
                              entry.name, at, bytes, room));
    }
    entry.bytes = archive.substr(at + block_bytes, bytes);
    const Header expected = header_of(entry);
    const std::string_view padding =
        archive.substr(at + block_bytes + bytes, padded(bytes) - bytes);
    const std::string fault = fault_of(entry.name);
    if (!fault.empty() || header != std::string_view(expected.data(), expected.size()) ||
        padding.find_first_not_of('\0') != std::string_view::npos) {
      return fail(fmt::format("archive: the entry '{}' at byte {} is not as it was written{}",
                              entry.name, at, fault.empty() ? "" : ": its name " + fault));
    }
    if (!names.insert(entry.name).second) {
      return fail(fmt::format("archive: '{}' occurs twice", entry.name));
    }
    entries.push_back(std::move(entry));
    at += block_bytes + padded(bytes);
  }
  if (archive.substr(at).find_first_not_of('\0') != std::string_view::npos) {
    return fail(fmt::format("archive: the end mark at byte {} is not zero", at));
  }
  return entries;
}

}  // namespace harness
