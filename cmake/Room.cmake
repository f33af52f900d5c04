# SPDX-License-Identifier: Apache-2.0
# fp4cts_add_room(NAME SOURCES file... [PUBLIC target...] [PRIVATE target...] [QUICK])
#
# A room of the house is a static library fp4cts_NAME, alias fp4cts::NAME, whose headers lie beside its
# sources. There is one include root, the project's: `#include "harness/model/problem.hpp"`. Which room
# may use which is held by a test (tools/check_rooms).
#
# QUICK    code that formats, parses and prints: compiled with -O1, which takes half the time
#
# With FP4CTS_UNITY sources are compiled in groups, which takes a fifth of the time; a job of CI compiles
# without, so that each file includes what it uses.
function(fp4cts_add_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QUICK" "" "SOURCES;PUBLIC;PRIVATE")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "fp4cts_add_room(${name}): SOURCES is required; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(library fp4cts_${name})
  add_library(${library} STATIC ${arg_SOURCES})
  add_library(fp4cts::${name} ALIAS ${library})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_include_directories(${library} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
  target_link_libraries(${library} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE}
                        $<BUILD_INTERFACE:fp4cts_warnings>)
  set_target_properties(${library} PROPERTIES UNITY_BUILD ${FP4CTS_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  if(arg_QUICK)
    target_compile_options(${library} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()
