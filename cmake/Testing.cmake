# SPDX-License-Identifier: Apache-2.0
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
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main fp4cts_warnings)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# fp4cts_add_python_test(NAME LABELS label... COMMAND script argument... [TIMEOUT seconds])
# runs a Python script by the system's interpreter, Debian's first: that is where python3-jsonschema is.
find_program(FP4CTS_TEST_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(FP4CTS_TEST_PYTHON python3 REQUIRED)
function(fp4cts_add_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;COMMAND")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND "${FP4CTS_TEST_PYTHON}" ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# fp4cts_add_numpy_test(NAME LABELS label... COMMAND script argument...)
# runs a Python script that needs numpy, ml_dtypes and safetensors, by the interpreter of the virtual
# environment that tools/setup --tests makes. Without it the test is reported as skipped.
set(FP4CTS_NUMPY_PYTHON "${PROJECT_SOURCE_DIR}/build/python/bin/python3" CACHE FILEPATH
  "Interpreter with numpy, ml_dtypes and safetensors")
function(fp4cts_add_numpy_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS;COMMAND")
  if(EXISTS "${FP4CTS_NUMPY_PYTHON}")
    add_test(NAME ${name} COMMAND "${FP4CTS_NUMPY_PYTHON}" ${arg_COMMAND})
  else()
    set(why "not run: ${FP4CTS_NUMPY_PYTHON} does not exist; tools/setup --tests makes it")
    message(WARNING "${name}: ${why}")
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "${why}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^not run:")
  endif()
  set_property(TEST ${name} APPEND PROPERTY LABELS ${arg_LABELS})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()
