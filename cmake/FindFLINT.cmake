# FLINT::FLINT, which includes Arb: inside FLINT from version 3, a library of its own (libflint-arb on Debian) before.
find_path(FLINT_INCLUDE_DIR flint/fmpz.h)
find_library(FLINT_LIBRARY flint)
find_path(ARB_INCLUDE_DIR NAMES arb.h flint/arb.h)
find_library(ARB_LIBRARY NAMES flint-arb arb flint)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT REQUIRED_VARS FLINT_LIBRARY FLINT_INCLUDE_DIR ARB_LIBRARY ARB_INCLUDE_DIR)
if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
  add_library(FLINT::FLINT UNKNOWN IMPORTED)
  set_target_properties(FLINT::FLINT PROPERTIES IMPORTED_LOCATION "${ARB_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${FLINT_INCLUDE_DIR};${ARB_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${FLINT_LIBRARY};MPFR::MPFR;GMP::GMP")
endif()
mark_as_advanced(FLINT_INCLUDE_DIR FLINT_LIBRARY ARB_INCLUDE_DIR ARB_LIBRARY)
