# fp4cts_add_test(NAME LABELS label... SOURCES file... [LIBRARIES target...] [TIMEOUT seconds])
# builds a GoogleTest program and registers each of its tests with CTest under the given labels
# (unit, property, vector, exhaustive, cuda, hip). A program without tests is an error.
find_package(GTest REQUIRED)
include(GoogleTest)

function(fp4cts_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_LABELS OR NOT arg_SOURCES)
    message(FATAL_ERROR "fp4cts_add_test(${name}): LABELS and SOURCES are required; "
                        "not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  # Most of a cold build is compiling tests; the code that they call keeps its own level.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main fp4cts_warnings)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
