# SPDX-License-Identifier: Apache-2.0
# fp4cts_embed_files(OUTPUT_VARIABLE NAME=file...)
#
# Writes the table of harness/cli/embedded_files.hpp with these files, and sets the variable to the
# sources that hold it.
function(fp4cts_embed_files variable)
  set(assembly "  .section .rodata\n")
  set(declarations "")
  set(rows "")
  set(files "")
  set(number 0)
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" _ "${pair}")
    set(name "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    set(symbol "fp4cts_embedded_${number}")
    math(EXPR number "${number} + 1")
    list(APPEND files "${file}")
    string(APPEND assembly "  .global ${symbol}\n  .global ${symbol}_end\n"
                           "${symbol}:\n  .incbin \"${file}\"\n${symbol}_end:\n  .byte 0\n")
    string(APPEND declarations "extern \"C\" const char ${symbol}[];\nextern \"C\" const char ${symbol}_end[];\n")
    string(APPEND rows "      {\"${name}\", ${symbol}, ${symbol}_end},\n")
  endforeach()
  string(APPEND assembly "  .section .note.GNU-stack,\"\",@progbits\n")
  set(listing "${CMAKE_CURRENT_BINARY_DIR}/embedded_files.S")
  set(table "${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cpp")
  file(CONFIGURE OUTPUT "${listing}" CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT "${table}" CONTENT [[
// Written by cmake/EmbedFiles.cmake.
#include "harness/cli/embedded_files.hpp"

@declarations@
namespace harness::cli {

std::span<const EmbeddedFile> embedded_files() {
  static const EmbeddedFile files[] = {
@rows@  };
  return files;
}

const EmbeddedFile* embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace harness::cli
]] @ONLY)
  # The embedded files are inputs of the assembler that CMake cannot see.
  set_source_files_properties("${listing}" PROPERTIES OBJECT_DEPENDS "${files}")
  set(${variable} "${listing}" "${table}" PARENT_SCOPE)
endfunction()
