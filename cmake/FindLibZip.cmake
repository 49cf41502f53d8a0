# LibZip::LibZip and LIBZIP_VERSION. Debian's CMake configuration of this library asks for tools that its package lacks.
find_path(LIBZIP_INCLUDE_DIR zip.h)
find_path(LIBZIP_CONFIG_INCLUDE_DIR zipconf.h)
find_library(LIBZIP_LIBRARY zip)
if(LIBZIP_CONFIG_INCLUDE_DIR)
  file(STRINGS "${LIBZIP_CONFIG_INCLUDE_DIR}/zipconf.h" line REGEX "^#define LIBZIP_VERSION \"")
  string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" LIBZIP_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibZip REQUIRED_VARS LIBZIP_LIBRARY LIBZIP_INCLUDE_DIR LIBZIP_CONFIG_INCLUDE_DIR
  VERSION_VAR LIBZIP_VERSION REASON_FAILURE_MESSAGE "on Debian: apt-get install libzip-dev")
if(LibZip_FOUND AND NOT TARGET LibZip::LibZip)
  add_library(LibZip::LibZip UNKNOWN IMPORTED)
  set_target_properties(LibZip::LibZip PROPERTIES IMPORTED_LOCATION "${LIBZIP_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LIBZIP_INCLUDE_DIR};${LIBZIP_CONFIG_INCLUDE_DIR}")
endif()
mark_as_advanced(LIBZIP_INCLUDE_DIR LIBZIP_CONFIG_INCLUDE_DIR LIBZIP_LIBRARY)
