# Installs the build tree to a fresh prefix, then builds the sample project beside this script against it and runs it.
file(REMOVE_RECURSE "${work}")
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
if(sanitize)
  set(flags "-D CMAKE_CXX_FLAGS=-fsanitize=${sanitize}")
endif()
run(${CMAKE_COMMAND} --install "${build}" --prefix "${work}/prefix")
run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${generator}"
  -D "CMAKE_PREFIX_PATH=${work}/prefix" -D "CMAKE_CXX_COMPILER=${compiler}" -D "CMAKE_BUILD_TYPE=${type}" ${flags})
run(${CMAKE_COMMAND} --build "${work}/build")
run("${work}/build/sample")
