# MPFR::MPFR and MPFR_VERSION. Debian ships no CMake configuration for this library.
include(CMakeFindDependencyMacro)
find_dependency(GMP)
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
if(MPFR_INCLUDE_DIR)
  file(STRINGS "${MPFR_INCLUDE_DIR}/mpfr.h" line REGEX "^#define MPFR_VERSION_STRING ")
  string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" MPFR_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MPFR REQUIRED_VARS MPFR_LIBRARY MPFR_INCLUDE_DIR VERSION_VAR MPFR_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libmpfr-dev")
if(MPFR_FOUND AND NOT TARGET MPFR::MPFR)
  add_library(MPFR::MPFR UNKNOWN IMPORTED)
  set_target_properties(MPFR::MPFR PROPERTIES IMPORTED_LOCATION "${MPFR_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MPFR_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES GMP::GMP)
endif()
mark_as_advanced(MPFR_INCLUDE_DIR MPFR_LIBRARY)
