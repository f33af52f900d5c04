# SPDX-License-Identifier: Apache-2.0
# Finds the optional device compilers. For each it sets FP4CTS_<X>_ABSENT to the reason why its
# modules are not built (empty when they are); the reason is compiled into the binary, so that
# `fp4cts list` can say it.
#
#   nvcc   FP4CTS_NVCC, else the newest of: the virtual environment that tools/setup makes under
#          build/cuda, and nvcc on the PATH. CUDA 13.4 or newer is needed for QMUL4 alone.
#   AMD    FP4CTS_HIPCC, else hipcc on the PATH, where it knows every GPU that images are for; else the clang of
#          PyPI's ziglang, which tools/setup fetches into build/zig; else such a hipcc for what it knows.

include(Executed)

set(FP4CTS_NVCC_ABSENT "")
if(NOT FP4CTS_ENABLE_CUDA)
  set(FP4CTS_NVCC_ABSENT "built without CUDA (FP4CTS_ENABLE_CUDA=OFF)")
else()
  file(GLOB venv_nvcc "${PROJECT_SOURCE_DIR}/build/cuda/lib/python3*/site-packages/nvidia/cu*/bin/nvcc")
  # Looked for in every configuration, so that a build folder takes up a newer compiler that
  # tools/setup has fetched since.
  if(venv_nvcc AND NOT FP4CTS_NVCC)
    list(GET venv_nvcc 0 FP4CTS_NVCC)
  elseif(NOT FP4CTS_NVCC)
    find_program(nvcc_on_path nvcc PATHS /usr/local/cuda/bin NO_CACHE)
    if(nvcc_on_path)
      set(FP4CTS_NVCC "${nvcc_on_path}")
    endif()
  endif()
  find_program(FP4CTS_PYTHON python3 DOC "Interpreter of the scripts that call device compilers")
  if(NOT FP4CTS_NVCC)
    set(FP4CTS_NVCC_ABSENT "built without CUDA: no nvcc was found")
  elseif(NOT FP4CTS_PYTHON)
    set(FP4CTS_NVCC_ABSENT "built without CUDA: no python3 was found, which calls nvcc")
  else()
    execute_process(COMMAND "${FP4CTS_NVCC}" --version OUTPUT_VARIABLE nvcc_says)
    if(NOT nvcc_says MATCHES "release ([0-9]+\\.[0-9]+), V([0-9.]+)")
      message(FATAL_ERROR "${FP4CTS_NVCC} --version: expected 'release X.Y, V...', got: ${nvcc_says}")
    endif()
    set(FP4CTS_NVCC_VERSION "${CMAKE_MATCH_2}")
    execute_process(COMMAND "${FP4CTS_NVCC}" --list-gpu-arch OUTPUT_VARIABLE FP4CTS_NVCC_ARCHITECTURES)
    string(REGEX MATCHALL "compute_[0-9a-z]+" FP4CTS_NVCC_ARCHITECTURES "${FP4CTS_NVCC_ARCHITECTURES}")
    message(STATUS "CUDA compiler: ${FP4CTS_NVCC} (${FP4CTS_NVCC_VERSION})")
  endif()
endif()
if(FP4CTS_NVCC_ABSENT)
  message(STATUS "CUDA modules: off, ${FP4CTS_NVCC_ABSENT}")
endif()

# The GPUs that AMD images are for, and what stands behind them for their successors: a code object
# for a generic target runs on each GPU of its family.
set(FP4CTS_AMD_ARCHITECTURES
    gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1101 gfx1102 gfx1150 gfx1151 gfx1200 gfx1201 gfx1250
    gfx9-4-generic gfx11-generic gfx12-generic
    CACHE STRING "GPUs that AMD images are made for")

# Which of them hipcc knows; asked once for each hipcc.
function(fp4cts_ask_hipcc)
  if(FP4CTS_HIPCC_ASKED STREQUAL FP4CTS_HIPCC)
    return()
  endif()
  set(known "")
  foreach(architecture IN LISTS FP4CTS_AMD_ARCHITECTURES)
    execute_process(COMMAND "${FP4CTS_HIPCC}" --cuda-device-only -E -x hip "--offload-arch=${architecture}" /dev/null
                    RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
    if(NOT refused)
      list(APPEND known ${architecture})
    endif()
  endforeach()
  set(FP4CTS_HIPCC_ARCHITECTURES "${known}" CACHE INTERNAL "Architectures that hipcc knows")
  set(FP4CTS_HIPCC_ASKED "${FP4CTS_HIPCC}" CACHE INTERNAL "The hipcc that was asked")
endfunction()

set(FP4CTS_AMD_ABSENT "")
set(FP4CTS_AMD_COMPILER "")
if(NOT FP4CTS_ENABLE_HIP)
  set(FP4CTS_AMD_ABSENT "built without HIP (FP4CTS_ENABLE_HIP=OFF)")
else()
  find_program(FP4CTS_HIPCC hipcc DOC "HIP compiler")
  if(FP4CTS_HIPCC)
    fp4cts_ask_hipcc()
    execute_process(COMMAND "${FP4CTS_HIPCC}" --version OUTPUT_VARIABLE hipcc_says ERROR_QUIET)
    string(REGEX MATCH "HIP version: ([0-9.]+)" _ "${hipcc_says}")
    set(FP4CTS_HIPCC_VERSION "${CMAKE_MATCH_1}")
  endif()
  set(zig_python "${PROJECT_SOURCE_DIR}/build/zig/bin/python3")
  if(FP4CTS_HIPCC AND (FP4CTS_HIPCC_ARCHITECTURES STREQUAL FP4CTS_AMD_ARCHITECTURES OR NOT EXISTS "${zig_python}"))
    set(FP4CTS_AMD_COMPILER hipcc)
    set(FP4CTS_AMD_TOOLKIT "hipcc ${FP4CTS_HIPCC_VERSION}")
    set(FP4CTS_AMD_KNOWN ${FP4CTS_HIPCC_ARCHITECTURES})
  elseif(EXISTS "${zig_python}")
    execute_process(COMMAND "${zig_python}" -m ziglang clang --version OUTPUT_VARIABLE clang_says)
    if(NOT clang_says MATCHES "clang version ([0-9.]+)")
      message(FATAL_ERROR "${zig_python} -m ziglang clang --version: expected 'clang version ...', got: ${clang_says}")
    endif()
    set(FP4CTS_AMD_COMPILER "${zig_python}")
    set(FP4CTS_AMD_TOOLKIT "clang ${CMAKE_MATCH_1}")
    set(FP4CTS_AMD_KNOWN ${FP4CTS_AMD_ARCHITECTURES})
  else()
    set(FP4CTS_AMD_ABSENT "built without HIP: no hipcc was found, and no build/zig, which tools/setup fetches")
  endif()
endif()
if(FP4CTS_AMD_ABSENT)
  message(STATUS "HIP modules: off, ${FP4CTS_AMD_ABSENT}")
else()
  list(JOIN FP4CTS_AMD_KNOWN " " known)
  message(STATUS "HIP modules: by ${FP4CTS_AMD_TOOLKIT}, for ${known}")
endif()
