# SPDX-License-Identifier: Apache-2.0
# cmake --install: the oracle as a package for find_package(fp4cts), and the suite where it was built.
#
#   fp4cts::oracle    the C++ headers, #include "oracle/pages/gather.hpp"; needs tl::expected and Eigen
#   fp4cts::oracle_c  libfp4cts_oracle.so with fp4cts/oracle.h; needs nothing
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/fp4cts")

# The C++ headers begin with "oracle/": a folder of their own keeps that name out of everybody's way.
install(TARGETS fp4cts_oracle EXPORT fp4cts COMPONENT oracle
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fp4cts/cpp")
install(TARGETS fp4cts_oracle_c EXPORT fp4cts COMPONENT oracle
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/include/fp4cts/dut.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fp4cts"
        COMPONENT oracle)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT oracle)
if(FP4CTS_BUILD_SUITE)
  install(TARGETS fp4cts RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT suite)
endif()

install(EXPORT fp4cts NAMESPACE fp4cts:: DESTINATION "${package_dir}" FILE fp4cts-targets.cmake COMPONENT oracle)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/fp4cts-config.cmake" CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
find_dependency(Eigen3 3.4 NO_MODULE)
include("${CMAKE_CURRENT_LIST_DIR}/fp4cts-targets.cmake")
]] @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/fp4cts-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/fp4cts-config.cmake" "${PROJECT_BINARY_DIR}/fp4cts-config-version.cmake"
        DESTINATION "${package_dir}" COMPONENT oracle)
