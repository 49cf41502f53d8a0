# Install rules, so that find_package(rankfall) gives others rankfall::numerics, rankfall::theory, rankfall::verify.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rankfall")

# Headers include each other as "numerics/ball.hpp"; others write <rankfall/numerics/ball.hpp>.
install(TARGETS rankfall rankfall_numerics rankfall_theory rankfall_verify EXPORT rankfallTargets
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" "${CMAKE_INSTALL_INCLUDEDIR}/rankfall")
install(DIRECTORY numerics theory verify "${PROJECT_BINARY_DIR}/generated/numerics"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/rankfall" FILES_MATCHING PATTERN "*.hpp" PATTERN mpi EXCLUDE)
install(EXPORT rankfallTargets NAMESPACE rankfall:: DESTINATION "${package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/rankfallConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/rankfallConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rankfallConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rankfallConfig.cmake" "${PROJECT_BINARY_DIR}/rankfallConfigVersion.cmake"
  cmake/FindFLINT.cmake cmake/FindGMP.cmake cmake/FindLibZip.cmake cmake/FindMPFI.cmake cmake/FindMPFR.cmake
  DESTINATION "${package_dir}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
