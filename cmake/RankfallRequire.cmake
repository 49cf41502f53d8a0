# rankfall_require(NAME VERSION PACKAGE [ARGUMENTS...]): find_package that says how to get what it does not find.
macro(rankfall_require name version package)
  find_package(${name} ${version} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "rankfall needs ${name} ${version}, which was not found or is too old.\n"
                        "scripts/deps.sh installs what is missing; on Debian, this is the package ${package}.")
  endif()
endmacro()
