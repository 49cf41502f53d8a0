# FLINT::FLINT and FLINT_VERSION, with Arb: part of FLINT from version 3, a library of its own before (libflint-arb on
# Debian, libarb elsewhere).
include(CMakeFindDependencyMacro)
find_dependency(MPFR)
find_path(FLINT_INCLUDE_DIR flint/fmpz.h)
find_library(FLINT_LIBRARY flint)
find_path(ARB_INCLUDE_DIR NAMES flint/arb.h arb.h)
find_library(ARB_LIBRARY NAMES flint-arb arb flint)
if(FLINT_INCLUDE_DIR)
  file(STRINGS "${FLINT_INCLUDE_DIR}/flint/flint.h" line REGEX "^#define FLINT_VERSION ")
  string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" FLINT_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT
  REQUIRED_VARS FLINT_LIBRARY FLINT_INCLUDE_DIR ARB_LIBRARY ARB_INCLUDE_DIR VERSION_VAR FLINT_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libflint-dev, and libflint-arb-dev where there is one")
if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
  add_library(FLINT::FLINT UNKNOWN IMPORTED)
  set_target_properties(FLINT::FLINT PROPERTIES IMPORTED_LOCATION "${ARB_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${FLINT_INCLUDE_DIR};${ARB_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${FLINT_LIBRARY};MPFR::MPFR;GMP::GMP")
endif()
mark_as_advanced(FLINT_INCLUDE_DIR FLINT_LIBRARY ARB_INCLUDE_DIR ARB_LIBRARY)
