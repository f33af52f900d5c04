# SPDX-License-Identifier: Apache-2.0
# Device code is built into modules by one function:
#
#   add_kernel_module(NAME SOURCE file ARGUMENTS type ENTRIES entry... THREADS n
#                     [CUDA_ARCHITECTURES 80 90 100a 90-virtual ...] [HIP_ARCHITECTURES gfx90a ...]
#                     [PROFILE name] [NVCC_AT_LEAST version] [DEFINITIONS NAME=VALUE...] [FAULTY] [NO_HOST]
#                     [INSTRUCTION_IN_SOFTWARE])
#
# SOURCE     one .cu or .hip file, which includes "kernels/portability/device.hpp" for its dialect
# ARGUMENTS  the struct of include/fp4cts/abi.h that every entry takes by value
# ENTRIES    the extern "C" __global__ functions of the source
# THREADS    threads per block, the compile-time launch bound of every entry
# PROFILE    the profile that its entries keep, ocp unless stated
# INSTRUCTION_IN_SOFTWARE  its host form has software in the place of a GPU's instruction, and results say so
# FAULTY     deliberately wrong: goes into the library of faulty kernels, never into the right one
#
# It makes (a) a fatbin by nvcc with machine code for CUDA_ARCHITECTURES (PTX for N-virtual, stamped with
# the oldest version that it needs, cmake/cuda_fatbin.py; what the compiler does not know is left out; uncompressed, so
# that any driver and any tool can read it), (b) a bundle of code objects by hipcc or clang for HIP_ARCHITECTURES, (c) an object by the host compiler unless NO_HOST. A module
# whose compiler is absent stays in the table with the reason.
#
#   finish_kernel_modules()
#
# writes the tables of kernels/module.hpp and makes the libraries fp4cts_kernels and
# fp4cts_faulty_kernels; a library without modules has empty tables.

set(FP4CTS_KERNEL_DIR "${PROJECT_SOURCE_DIR}/kernels")
set(FP4CTS_KERNEL_FLAGS -std=c++20 -O3 -I${PROJECT_SOURCE_DIR})

# Appends one image row to the table of `library`; `image` is empty where `absent` says why.
function(_fp4cts_add_image library module backend architectures toolkit image absent)
  set(never_executed "")
  if(image)
    string(REPLACE " " ";" never_executed "${architectures}")
    list(REMOVE_ITEM never_executed ${FP4CTS_${backend}_EXECUTED})
    list(JOIN never_executed " " never_executed)
  endif()
  string(TOLOWER "${backend}" suffix)
  set(symbol "fp4cts_image_${module}_${suffix}")
  if(image AND FP4CTS_IMAGES_FROM)
    string(REPLACE "${PROJECT_BINARY_DIR}" "${FP4CTS_IMAGES_FROM}" image "${image}")
    if(NOT EXISTS "${image}")
      message(FATAL_ERROR "FP4CTS_IMAGES_FROM: ${image} does not exist: build ${FP4CTS_IMAGES_FROM} first")
    endif()
  endif()
  if(image)
    set(assembly "${CMAKE_CURRENT_BINARY_DIR}/${module}.${suffix}.S")
    file(CONFIGURE OUTPUT "${assembly}" CONTENT [[
  .section .rodata
  .balign 64
  .global @symbol@
  .global @symbol@_end
@symbol@:
  .incbin "@image@"
@symbol@_end:
  .byte 0
  .section .note.GNU-stack,"",@progbits
]] @ONLY)
    # The image is an input of the assembler that CMake cannot see.
    set_source_files_properties("${assembly}" PROPERTIES OBJECT_DEPENDS "${image}")
    target_sources(${library} PRIVATE "${assembly}")
    set_property(GLOBAL APPEND_STRING PROPERTY ${library}_declarations
      "extern \"C\" const unsigned char ${symbol}[];\nextern \"C\" const unsigned char ${symbol}_end[];\n")
    set(range "${symbol}, ${symbol}_end")
  else()
    set(range "nullptr, nullptr")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY ${library}_images
    "    {\"${module}\", Backend::${suffix}, \"${architectures}\", \"${toolkit}\", ${range}, \"${absent}\", \"${never_executed}\"},\n")
endfunction()

function(_fp4cts_cuda_image library module source)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "NVCC_AT_LEAST" "ARCHITECTURES;DEFINITIONS")
  set(names "")
  foreach(architecture IN LISTS arg_ARCHITECTURES)
    if(FP4CTS_CUDA_CHIPS AND NOT architecture IN_LIST FP4CTS_CUDA_CHIPS)
      continue()
    endif()
    set(code "sm_${architecture}")
    if(architecture MATCHES "^(.*)-virtual$")
      set(architecture "${CMAKE_MATCH_1}")
      set(code "compute_${architecture}")
    endif()
    string(REGEX REPLACE "[af]$" "" family "compute_${architecture}")
    if(FP4CTS_NVCC_ABSENT OR family IN_LIST FP4CTS_NVCC_ARCHITECTURES)
      list(APPEND names "${code}")
    endif()
  endforeach()
  set(targets ${names})
  list(JOIN names " " names)
  set(toolkit "nvcc ${FP4CTS_NVCC_VERSION}")
  if(FP4CTS_NVCC_ABSENT)
    _fp4cts_add_image(${library} ${module} CUDA "${names}" "" "" "${FP4CTS_NVCC_ABSENT}")
  elseif(arg_NVCC_AT_LEAST AND FP4CTS_NVCC_VERSION VERSION_LESS arg_NVCC_AT_LEAST)
    _fp4cts_add_image(${library} ${module} CUDA "${names}" "${toolkit}" ""
      "needs CUDA ${arg_NVCC_AT_LEAST} or newer to assemble; built with ${FP4CTS_NVCC_VERSION}")
  elseif(NOT targets)
    list(JOIN arg_ARCHITECTURES " " wanted)
    _fp4cts_add_image(${library} ${module} CUDA "" "${toolkit}" ""
      "nvcc ${FP4CTS_NVCC_VERSION} assembles for none of ${wanted}")
  else()
    set(strict "")
    if(FP4CTS_WARNINGS_AS_ERRORS)
      set(strict --Werror all-warnings)
      if(NOT library STREQUAL fp4cts_faulty_kernels)  # those may be slow
        list(APPEND strict -Xptxas --warn-on-spills,--warn-on-local-memory-usage)
      endif()
    endif()
    set(image "${CMAKE_CURRENT_BINARY_DIR}/${module}.fatbin")
    set(script "${PROJECT_SOURCE_DIR}/cmake/cuda_fatbin.py")
    add_custom_command(OUTPUT "${image}"
      COMMAND "${FP4CTS_PYTHON}" "${script}" --nvcc "${FP4CTS_NVCC}" --output "${image}" --depfile "${image}.d"
              --targets ${targets} -- ${FP4CTS_KERNEL_FLAGS} ${arg_DEFINITIONS} ${strict} "${source}"
      DEPENDS "${source}" "${script}" DEPFILE "${image}.d" COMMENT "nvcc ${module} (${names})" VERBATIM)
    _fp4cts_add_image(${library} ${module} CUDA "${names}" "${toolkit}" "${image}" "")
  endif()
endfunction()

# The PTX text of a module; with the lines of its sources, which double it, unless it is wrong on purpose.
function(_fp4cts_ptx_image library module source)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "NVCC_AT_LEAST" "ARCHITECTURES;DEFINITIONS")
  list(GET arg_ARCHITECTURES 0 chip)
  if("90" IN_LIST arg_ARCHITECTURES)
    set(chip 90)
  endif()
  set(toolkit "nvcc ${FP4CTS_NVCC_VERSION}")
  if(FP4CTS_NVCC_ABSENT)
    _fp4cts_add_image(${library} ${module} PTX "sm_${chip}" "" "" "${FP4CTS_NVCC_ABSENT}")
    return()
  elseif(arg_NVCC_AT_LEAST AND FP4CTS_NVCC_VERSION VERSION_LESS arg_NVCC_AT_LEAST)
    _fp4cts_add_image(${library} ${module} PTX "sm_${chip}" "${toolkit}" ""
      "needs CUDA ${arg_NVCC_AT_LEAST} or newer to compile; built with ${FP4CTS_NVCC_VERSION}")
    return()
  endif()
  set(lines -lineinfo)
  if(library STREQUAL "fp4cts_faulty_kernels")
    set(lines "")
  endif()
  set(text "${CMAKE_CURRENT_BINARY_DIR}/${module}.ptx")
  set(script "${PROJECT_SOURCE_DIR}/cmake/cuda_ptx.py")
  add_custom_command(OUTPUT "${text}"
    COMMAND "${FP4CTS_PYTHON}" "${script}" --nvcc "${FP4CTS_NVCC}" --output "${text}" --depfile "${text}.d"
            --root "${PROJECT_SOURCE_DIR}" --target compute_${chip} -- ${FP4CTS_KERNEL_FLAGS} ${arg_DEFINITIONS} ${lines} "${source}"
    DEPENDS "${source}" "${script}" DEPFILE "${text}.d" COMMENT "nvcc -ptx ${module} (sm_${chip})" VERBATIM)
  _fp4cts_add_image(${library} ${module} PTX "sm_${chip}" "${toolkit}" "${text}" "")
endfunction()

function(_fp4cts_hip_image library module source)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "ARCHITECTURES;DEFINITIONS")
  list(JOIN arg_ARCHITECTURES " " wanted)
  if(FP4CTS_AMD_ABSENT)
    _fp4cts_add_image(${library} ${module} HIP "${wanted}" "" "" "${FP4CTS_AMD_ABSENT}")
    return()
  endif()
  set(known "")
  foreach(architecture IN LISTS arg_ARCHITECTURES)
    if(architecture IN_LIST FP4CTS_AMD_KNOWN)
      list(APPEND known ${architecture})
    endif()
  endforeach()
  if(NOT known)
    _fp4cts_add_image(${library} ${module} HIP "" "${FP4CTS_AMD_TOOLKIT}" ""
      "${FP4CTS_AMD_TOOLKIT} assembles for none of ${wanted}")
    return()
  endif()
  set(image "${CMAKE_CURRENT_BINARY_DIR}/${module}.hsaco")
  fp4cts_add_amd_code_objects("${image}" "${source}" ARCHITECTURES ${known} FLAGS ${FP4CTS_KERNEL_FLAGS} ${arg_DEFINITIONS})
  list(JOIN known " " names)
  _fp4cts_add_image(${library} ${module} HIP "${names}" "${FP4CTS_AMD_TOOLKIT}" "${image}" "")
endfunction()

# A bundle of code objects from a source, by the compiler that Toolchains.cmake chose.
function(fp4cts_add_amd_code_objects image source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ARCHITECTURES;FLAGS")
  list(JOIN arg_ARCHITECTURES " " names)
  get_filename_component(name "${image}" NAME_WE)
  if(FP4CTS_AMD_COMPILER STREQUAL "hipcc")
    # hipcc writes no dependency file for --genco: every header of the kernels is a dependency.
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${FP4CTS_KERNEL_DIR}/*.hpp" "${FP4CTS_KERNEL_DIR}/*.cuh")
    list(JOIN arg_ARCHITECTURES "," offload)
    add_custom_command(OUTPUT "${image}"
      COMMAND "${FP4CTS_HIPCC}" --genco "--offload-arch=${offload}" ${arg_FLAGS} -Wall -Werror -o "${image}" -x hip "${source}"
      DEPENDS "${source}" ${headers} COMMENT "hipcc ${name} (${names})" VERBATIM)
  else()
    set(script "${PROJECT_SOURCE_DIR}/cmake/amd_code_objects.py")
    add_custom_command(OUTPUT "${image}"
      COMMAND "${FP4CTS_AMD_COMPILER}" "${script}" --output "${image}" --depfile "${image}.d" --architectures
              ${arg_ARCHITECTURES} -- ${arg_FLAGS} -Wall -Werror "${source}"
      DEPENDS "${source}" "${script}" DEPFILE "${image}.d" COMMENT "clang ${name} (${names})" VERBATIM)
  endif()
endfunction()

# The map of an entry of a module (docs/plug-ins.md, "A module file"), beside its image: with it the file is a
# module under test, on a GPU or in an emulator. An operation that shares its struct has a map of its own name.
function(fp4cts_write_module_map module arguments entry threads profile)
  string(REGEX REPLACE "^fp4cts_" "" operation "${arguments}")
  if(entry MATCHES "^(${operation}.*)_[a-z0-9]+$")
    set(operation "${CMAKE_MATCH_1}")
  endif()
  configure_file("${FP4CTS_KERNEL_DIR}/maps/${arguments}.json.in" "${CMAKE_CURRENT_BINARY_DIR}/${entry}.json" @ONLY)
endfunction()

function(add_kernel_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAULTY;NO_HOST;INSTRUCTION_IN_SOFTWARE" "SOURCE;ARGUMENTS;THREADS;PROFILE;NVCC_AT_LEAST"
                        "ENTRIES;CUDA_ARCHITECTURES;HIP_ARCHITECTURES;DEFINITIONS")
  foreach(required SOURCE ARGUMENTS THREADS ENTRIES)
    if(NOT arg_${required})
      message(FATAL_ERROR "add_kernel_module(${name}): ${required} is required")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_kernel_module(${name}): not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_PROFILE)
    set(arg_PROFILE ocp)
  endif()
  set(library fp4cts_kernels)
  if(arg_FAULTY)
    set(library fp4cts_faulty_kernels)
  endif()
  if(NOT TARGET ${library})
    add_library(${library} STATIC)
  endif()
  get_filename_component(source "${arg_SOURCE}" ABSOLUTE)
  list(TRANSFORM arg_DEFINITIONS PREPEND "-D" OUTPUT_VARIABLE definitions)

  if(arg_CUDA_ARCHITECTURES)
    _fp4cts_cuda_image(${library} ${name} "${source}" NVCC_AT_LEAST ${arg_NVCC_AT_LEAST}
                       ARCHITECTURES ${arg_CUDA_ARCHITECTURES} DEFINITIONS ${definitions})
    _fp4cts_ptx_image(${library} ${name} "${source}" NVCC_AT_LEAST ${arg_NVCC_AT_LEAST}
                      ARCHITECTURES ${arg_CUDA_ARCHITECTURES} DEFINITIONS ${definitions})
  endif()
  if(arg_HIP_ARCHITECTURES)
    _fp4cts_hip_image(${library} ${name} "${source}" ARCHITECTURES ${arg_HIP_ARCHITECTURES}
                      DEFINITIONS ${definitions})
    foreach(entry IN LISTS arg_ENTRIES)
      fp4cts_write_module_map(${name} ${arg_ARGUMENTS} ${entry} ${arg_THREADS} ${arg_PROFILE})
    endforeach()
  endif()
  set(in_software "false")
  if(arg_INSTRUCTION_IN_SOFTWARE)
    set(in_software "true")
  endif()
  foreach(entry IN LISTS arg_ENTRIES)
    set(host "nullptr")
    if(NOT arg_NO_HOST)
      set(host "[](const void* arguments) { ${entry}(*static_cast<const ${arg_ARGUMENTS}*>(arguments)); }")
      set_property(GLOBAL APPEND_STRING PROPERTY ${library}_declarations
                   "extern \"C\" void ${entry}(${arg_ARGUMENTS});\n")
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY ${library}_entries
      "    {\"${entry}\", \"${name}\", ${arg_THREADS}, sizeof(${arg_ARGUMENTS}),\n     ${host}, \"${arg_PROFILE}\", ${in_software}},\n")
  endforeach()
  if(NOT arg_NO_HOST)
    add_library(${name}_host OBJECT "${source}")
    set_source_files_properties("${source}" PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
    target_compile_features(${name}_host PRIVATE cxx_std_20)
    target_compile_options(${name}_host PRIVATE ${definitions})
    target_include_directories(${name}_host PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name}_host PRIVATE fp4cts_warnings)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${name}_host>)
  endif()
endfunction()

function(finish_kernel_modules)
  foreach(library fp4cts_kernels fp4cts_faulty_kernels)
    if(NOT TARGET ${library})
      add_library(${library} STATIC)
    endif()
    set(set_name "shipped")
    if(library STREQUAL "fp4cts_faulty_kernels")
      set(set_name "faulty")
    endif()
    get_property(declarations GLOBAL PROPERTY ${library}_declarations)
    foreach(part images entries)
      get_property(rows GLOBAL PROPERTY ${library}_${part})
      set(type Image)
      if(part STREQUAL "entries")
        set(type Entry)
      endif()
      set(${part} "  return {};")
      if(rows)
        set(${part} "  static constexpr ${type} ${part}[] = {\n${rows}  };\n  return ${part};")
      endif()
    endforeach()
    set(table "${CMAKE_CURRENT_BINARY_DIR}/${set_name}_modules.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/kernel_modules.cpp.in" "${table}" @ONLY)
    target_sources(${library} PRIVATE "${table}")
    target_include_directories(${library} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_compile_features(${library} PUBLIC cxx_std_20)
    string(REPLACE "fp4cts_" "" alias ${library})
    add_library(fp4cts::${alias} ALIAS ${library})
  endforeach()
endfunction()
