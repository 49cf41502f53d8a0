# MPFI::MPFI and MPFI_VERSION. Debian ships no CMake configuration for this library.
include(CMakeFindDependencyMacro)
find_dependency(MPFR)
find_path(MPFI_INCLUDE_DIR mpfi.h)
find_library(MPFI_LIBRARY mpfi)
if(MPFI_INCLUDE_DIR)
  file(STRINGS "${MPFI_INCLUDE_DIR}/mpfi.h" line REGEX "^#define MPFI_VERSION_STRING ")
  string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" MPFI_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MPFI REQUIRED_VARS MPFI_LIBRARY MPFI_INCLUDE_DIR VERSION_VAR MPFI_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libmpfi-dev")
if(MPFI_FOUND AND NOT TARGET MPFI::MPFI)
  add_library(MPFI::MPFI UNKNOWN IMPORTED)
  set_target_properties(MPFI::MPFI PROPERTIES IMPORTED_LOCATION "${MPFI_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MPFI_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES MPFR::MPFR)
endif()
mark_as_advanced(MPFI_INCLUDE_DIR MPFI_LIBRARY)
