# Compiler settings shared by every target: warnings, sanitizers, ccache, reproducible floating point.
add_library(rankfall_options INTERFACE)
target_compile_options(rankfall_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${RANKFALL_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms inside std::string, GCC bugs 105651 and 105329; behind a precompiled header they are not held back.
  target_compile_options(rankfall_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(RANKFALL_SANITIZE)
  target_compile_options(rankfall_options INTERFACE -fsanitize=${RANKFALL_SANITIZE} -fno-omit-frame-pointer
                                                    -fno-sanitize-recover=all)
  target_link_options(rankfall_options INTERFACE -fsanitize=${RANKFALL_SANITIZE})
endif()

configure_file("${PROJECT_SOURCE_DIR}/cmake/version.hpp.in" "${PROJECT_BINARY_DIR}/generated/numerics/version.hpp" @ONLY)

# Headers of other libraries that nearly every source reads. Ours are not among them: they change. Nor are CLI11 and
# nlohmann-json: a source that includes them pays for them, by a header or not, and most do not.
set(CMAKE_PCH_WARN_INVALID OFF) # a header that cannot be reused is read again
function(rankfall_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <optional> <string> <string_view> <variant> <vector>
    <boost/multiprecision/gmp.hpp> <Eigen/Core> <fmt/format.h> ${ARGN})
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these two ccache refuses sources with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(rankfall_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# rankfall_group(SOURCES...): those of one folder that are compiled together, four at a time, so that a new file moves the
# groups of its own folder only.
function(rankfall_group)
  list(SORT ARGN)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
    string(REPLACE "/" "_" folder "${folder}")
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / 4")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
  endforeach()
endfunction()

# rankfall_library(NAME LEVEL [DEPENDENCIES...]): one room of the house, built from every source below it. A release is
# optimised at LEVEL: time is spent in Arb and GMP, and a higher level takes the compiler longer without a gain.
function(rankfall_library name level)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "(/main|/mpi/[^/]*)\\.cpp$") # those are the program's
  add_library(rankfall_${name} STATIC ${sources})
  add_library(rankfall::${name} ALIAS rankfall_${name})
  set_target_properties(rankfall_${name} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD ${RANKFALL_GROUP}
                                                    UNITY_BUILD_MODE GROUP)
  rankfall_group(${sources})
  target_compile_features(rankfall_${name} PUBLIC cxx_std_20)
  target_include_directories(rankfall_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  # Also for those who include our headers: results must not depend on whether a machine has fused multiply-add.
  target_compile_options(rankfall_${name} PUBLIC -ffp-contract=off)
  target_compile_options(rankfall_${name} PRIVATE $<$<CONFIG:Release>:${level}>)
  target_link_libraries(rankfall_${name} PUBLIC ${ARGN} PRIVATE $<BUILD_INTERFACE:rankfall_options>)
  rankfall_precompile(rankfall_${name})
endfunction()
