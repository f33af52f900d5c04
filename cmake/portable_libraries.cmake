# SPDX-License-Identifier: Apache-2.0
# Included after project() in a portable build. What packages name /usr/include for lies in
# build/hosts/include: CMake leaves folders out that the compiler is said to have anyway.
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)

# GoogleTest from Debian's sources, for the same reason.
if(FP4CTS_BUILD_TESTS)
  include(FetchContent)
  FetchContent_Declare(GTest SOURCE_DIR /usr/src/googletest OVERRIDE_FIND_PACKAGE)
endif()

# pugixml as headers: Debian's library is for another C++ library.
add_library(pugixml::static INTERFACE IMPORTED GLOBAL)
target_compile_definitions(pugixml::static INTERFACE PUGIXML_HEADER_ONLY)
