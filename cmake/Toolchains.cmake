# SPDX-License-Identifier: Apache-2.0
# Finds the optional device compilers. For each it sets FP4CTS_<X>_ABSENT to the reason why its
# modules are not built (empty when they are); the reason is compiled into the binary, so that
# `fp4cts list` can say it.
#
#   nvcc   FP4CTS_NVCC, else the newest of: the virtual environment that tools/setup makes under
#          build/cuda, and nvcc on the PATH. CUDA 13.4 or newer is needed for QMUL4 alone.
#   hipcc  FP4CTS_HIPCC, else hipcc on the PATH.

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
  if(NOT FP4CTS_NVCC)
    set(FP4CTS_NVCC_ABSENT "built without CUDA: no nvcc was found")
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

set(FP4CTS_HIPCC_ABSENT "")
if(NOT FP4CTS_ENABLE_HIP)
  set(FP4CTS_HIPCC_ABSENT "built without HIP (FP4CTS_ENABLE_HIP=OFF)")
else()
  find_program(FP4CTS_HIPCC hipcc DOC "HIP compiler")
  if(NOT FP4CTS_HIPCC)
    set(FP4CTS_HIPCC_ABSENT "built without HIP: no hipcc was found")
  else()
    execute_process(COMMAND "${FP4CTS_HIPCC}" --version OUTPUT_VARIABLE hipcc_says ERROR_QUIET)
    string(REGEX MATCH "HIP version: ([0-9.]+)" _ "${hipcc_says}")
    set(FP4CTS_HIPCC_VERSION "${CMAKE_MATCH_1}")
    # Which of the architectures that modules ask for this compiler knows; asked once.
    if(NOT FP4CTS_HIPCC_ARCHITECTURES)
      set(known "")
      foreach(architecture gfx90a gfx940 gfx942 gfx950 gfx1030 gfx1201)
        execute_process(COMMAND "${FP4CTS_HIPCC}" --cuda-device-only -E -x hip "--offload-arch=${architecture}" /dev/null
                        RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
        if(NOT refused)
          list(APPEND known ${architecture})
        endif()
      endforeach()
      set(FP4CTS_HIPCC_ARCHITECTURES "${known}" CACHE INTERNAL "Architectures that hipcc knows")
    endif()
    message(STATUS "HIP compiler: ${FP4CTS_HIPCC} (${FP4CTS_HIPCC_VERSION}; ${FP4CTS_HIPCC_ARCHITECTURES})")
  endif()
endif()
if(FP4CTS_HIPCC_ABSENT)
  message(STATUS "HIP modules: off, ${FP4CTS_HIPCC_ABSENT}")
endif()
