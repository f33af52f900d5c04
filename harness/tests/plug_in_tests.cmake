# Tests of implementations under test that are not in the box.
# Sanitizers have a say of their own on crashes and on memory.
if(TARGET fp4cts AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  # A plug-in for each misbehaviour, and one that lacks a function. Right bytes come from the template.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/plugins")
  foreach(name misbehaving without_declare)
    add_library(${name}_plugin MODULE plugins/misbehaving.cpp plugins/right.cpp)
    target_include_directories(${name}_plugin PRIVATE ${PROJECT_SOURCE_DIR}/harness/include)
    target_compile_features(${name}_plugin PRIVATE cxx_std_20)
    target_link_libraries(${name}_plugin PRIVATE fp4cts_warnings)
    set_target_properties(${name}_plugin PROPERTIES
      PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY "${folder}" CXX_VISIBILITY_PRESET hidden)
  endforeach()
  target_compile_definitions(without_declare_plugin PRIVATE WITHOUT_DECLARE)

  set(compilers "")
  if(FP4CTS_NVCC AND NOT FP4CTS_NVCC_ABSENT)
    list(APPEND compilers "${FP4CTS_NVCC}")
  endif()
  if(FP4CTS_HIPCC AND NOT FP4CTS_HIPCC_ABSENT)
    list(APPEND compilers "${FP4CTS_HIPCC}")
  endif()
  add_test(NAME plug_ins_test
    COMMAND "${FP4CTS_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/plug_ins_test.py" $<TARGET_FILE:fp4cts>
            "${PROJECT_SOURCE_DIR}" "${folder}" ${compilers})
  set_tests_properties(plug_ins_test PROPERTIES LABELS unit TIMEOUT 900)
endif()
