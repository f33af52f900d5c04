# Tests of what works on results.
add_library(fp4cts_results_fixture STATIC results_fixture.cpp)
target_include_directories(fp4cts_results_fixture PUBLIC ${PROJECT_SOURCE_DIR}/harness)
target_link_libraries(fp4cts_results_fixture
  PUBLIC fp4cts::harness_gate PRIVATE fp4cts::harness_files fp4cts_warnings)

fp4cts_add_test(harness_gate_test LABELS unit LIBRARIES fp4cts_results_fixture SOURCES
  conclusion_test.cpp
  diff_test.cpp
  merge_test.cpp
  waivers_test.cpp)

find_package(pugixml REQUIRED)
fp4cts_add_test(harness_report_test LABELS unit SOURCES report_test.cpp
  LIBRARIES fp4cts::harness_report fp4cts_results_fixture pugixml::static)
fp4cts_add_test(harness_report_page_test LABELS unit SOURCES report_page_test.cpp
  LIBRARIES fp4cts::harness_report fp4cts_results_fixture)
target_compile_definitions(harness_report_page_test PRIVATE
  FP4CTS_PAGE_CHECK="${CMAKE_CURRENT_SOURCE_DIR}/report_page_check.js")
fp4cts_add_test(harness_statement_test LABELS unit SOURCES statement_test.cpp ustar_test.cpp
  LIBRARIES fp4cts::harness_statement fp4cts_results_fixture)
fp4cts_add_test(harness_completion_test LABELS unit SOURCES completion_test.cpp
  LIBRARIES fp4cts::harness_cli)
find_package(CLI11 REQUIRED)
target_link_libraries(harness_completion_test PRIVATE CLI11::CLI11)

add_test(NAME harness_gate_cli_test
  COMMAND "${FP4CTS_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/gate_cli_test.py" $<TARGET_FILE:fake_fp4cts>
          "${PROJECT_SOURCE_DIR}")
set_tests_properties(harness_gate_cli_test PROPERTIES LABELS unit TIMEOUT 600)
