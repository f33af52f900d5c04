# SPDX-License-Identifier: Apache-2.0
# Toolchain of the portable binary: it starts wherever glibc is 2.28 or newer (tools/portable_toolchain
# lays the compiler and the libraries into build/hosts). FP4CTS_HOST is x86_64 or aarch64.
if(NOT FP4CTS_HOST)
  set(FP4CTS_HOST x86_64)
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FP4CTS_HOST)
get_filename_component(portable "${CMAKE_CURRENT_LIST_DIR}/../build/hosts" ABSOLUTE)
if(NOT EXISTS "${portable}/${FP4CTS_HOST}/c++")
  message(FATAL_ERROR "${portable}/${FP4CTS_HOST}/c++ does not exist: tools/portable_toolchain makes it")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${FP4CTS_HOST})
set(CMAKE_CXX_COMPILER "${portable}/${FP4CTS_HOST}/c++")
set(CMAKE_ASM_COMPILER "${CMAKE_CXX_COMPILER}")
set(CMAKE_AR "${portable}/${FP4CTS_HOST}/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${portable}/${FP4CTS_HOST}/ranlib" CACHE FILEPATH "")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-s")

# Packages are found where this system has them, for their headers alone.
file(GLOB CMAKE_PREFIX_PATH /usr/lib/*-linux-gnu/cmake)
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES "${portable}/${FP4CTS_HOST}/include" "${portable}/include")
set(CMAKE_PROJECT_fp4cts_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/portable_libraries.cmake")
set(OPENSSL_INCLUDE_DIR "${portable}/${FP4CTS_HOST}/include" CACHE PATH "")
set(OPENSSL_CRYPTO_LIBRARY "${portable}/${FP4CTS_HOST}/lib/libcrypto.a" CACHE FILEPATH "")
