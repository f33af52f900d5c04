#include "harness/implementations/module/module_file.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>
#include <utility>

#include "harness/files/file.hpp"
#include "harness/files/sha256.hpp"

namespace harness {
namespace {

constexpr std::uint64_t largest_module = std::uint64_t{1} << 30;
constexpr unsigned machine_cuda = 190;    // EM_CUDA
constexpr unsigned machine_amdgpu = 224;  // EM_AMDGPU
constexpr std::string_view hip_bundle = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view hip_compressed_bundle = "CCOB";

// What nvcc's fatbinary begins with (fatbinary.h of its toolkit): behind the header come as many
// bytes as it says.
struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t following_bytes;
};
constexpr std::uint32_t fatbin_magic = 0xba55ed50;

template <class T>
T first(std::string_view bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return value;
}

using Kinds = std::vector<std::string>;

Result<Kinds> too_short(std::uint64_t expected, std::size_t actual) {
  return oracle::fail(
      ErrorCode::malformed,
      fmt::format("expected {} bytes, as it says of itself, got {}", expected, actual));
}

Result<Kinds> kinds_of_elf(std::string_view bytes) {
  const auto header = first<Elf64_Ehdr>(bytes);
  if (bytes.size() < sizeof header || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return oracle::fail(ErrorCode::malformed, "expected an ELF file of 64 bits");
  }
  if (header.e_machine != machine_cuda && header.e_machine != machine_amdgpu) {
    return oracle::fail(
        ErrorCode::malformed,
        fmt::format("expected an ELF file for a GPU (machine {} or {}), got one for machine {}",
                    machine_cuda, machine_amdgpu, header.e_machine));
  }
  const std::uint64_t sections =
      header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  if (header.e_shoff > bytes.size() || sections > bytes.size()) {
    return too_short(sections, bytes.size());
  }
  return Kinds{header.e_machine == machine_cuda ? "cuda" : "hip"};
}

// PTX ISA 5: a module begins with .version, before which only comments and blanks may stand.
bool is_ptx(std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) return false;
  while (!bytes.empty()) {
    if (std::isspace(static_cast<unsigned char>(bytes.front())) != 0) {
      bytes.remove_prefix(1);
    } else if (bytes.starts_with("//")) {
      bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
    } else if (bytes.starts_with("/*")) {
      const std::size_t end = bytes.find("*/");
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 2);
    } else {
      return bytes.starts_with(".version");
    }
  }
  return false;
}

std::string first_bytes(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, 16)) {
    const auto byte = static_cast<unsigned char>(c);
    text += std::isprint(byte) != 0 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text;
}

Result<Kinds> device_kinds(std::string_view bytes) {
  if (bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) return kinds_of_elf(bytes);
  if (const auto header = first<FatbinHeader>(bytes);
      bytes.size() >= sizeof header && header.magic == fatbin_magic) {
    const std::uint64_t room =
        bytes.size() - std::min<std::size_t>(header.header_bytes, bytes.size());
    if (header.following_bytes > room) {
      return too_short(header.header_bytes + header.following_bytes, bytes.size());
    }
    return Kinds{"cuda"};
  }
  if (bytes.starts_with(hip_bundle) || bytes.starts_with(hip_compressed_bundle)) {
    return Kinds{"hip"};
  }
  if (is_ptx(bytes)) return Kinds{"cuda", "ptx"};
  return oracle::fail(ErrorCode::malformed,
                      fmt::format("expected a cubin, a fatbin, PTX text, an AMD code object or a "
                                  "bundle of them; it begins with \"{}\"",
                                  first_bytes(bytes)));
}

}  // namespace

Result<ModuleFile> read_module_file(const std::filesystem::path& path) {
  Result<std::vector<std::uint8_t>> bytes = read_file(path, largest_module);
  if (!bytes) return tl::make_unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  Result<Kinds> kinds = device_kinds(text);
  if (!kinds) {
    return oracle::fail(kinds.error().code,
                        fmt::format("{}: {}", path.string(), kinds.error().message));
  }
  ModuleFile file{path.filename().string(), std::move(*kinds), {}, sha256_hex(*bytes)};
  bytes->push_back(0);
  file.image = std::move(*bytes);
  return file;
}

}  // namespace harness
