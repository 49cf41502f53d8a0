# GMP::GMP and GMP_VERSION. Debian ships no CMake configuration for this library.
find_path(GMP_INCLUDE_DIR gmp.h)
find_library(GMP_LIBRARY gmp)
if(GMP_INCLUDE_DIR)
  file(STRINGS "${GMP_INCLUDE_DIR}/gmp.h" lines REGEX "^#define __GNU_MP_VERSION[_A-Z]* +[0-9]+")
  string(REGEX REPLACE "[^;]* ([0-9]+)[^;]*" "\\1" numbers "${lines}")
  list(JOIN numbers "." GMP_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GMP REQUIRED_VARS GMP_LIBRARY GMP_INCLUDE_DIR VERSION_VAR GMP_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libgmp-dev")
if(GMP_FOUND AND NOT TARGET GMP::GMP)
  add_library(GMP::GMP UNKNOWN IMPORTED)
  set_target_properties(GMP::GMP PROPERTIES IMPORTED_LOCATION "${GMP_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${GMP_INCLUDE_DIR}")
endif()
mark_as_advanced(GMP_INCLUDE_DIR GMP_LIBRARY)
