// Files that look like modules as far as their headers go.
#pragma once

#include <elf.h>

#include <cstring>
#include <string>

namespace harness::testing {

// An ELF file for a machine with one section header at its end.
inline std::string elf_of(unsigned machine) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = static_cast<Elf64_Half>(machine);
  header.e_shoff = sizeof header;
  header.e_shnum = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  std::string bytes(sizeof header + sizeof(Elf64_Shdr), '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

// A fatbin that holds `bytes` of nothing.
inline std::string fatbin_of(unsigned char bytes) {
  std::string file("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  file += std::string(1, static_cast<char>(bytes)) + std::string(7, '\0');
  return file + std::string(bytes, '\0');
}

}  // namespace harness::testing
