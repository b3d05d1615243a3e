# Install rules and Debian packages: component `program` (lithe), component `development` (liblithe-dev) and component
# `python` (python3-lithe, in python/CMakeLists.txt).

include(CMakePackageConfigHelpers)
set(lithe_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lithe)

install(TARGETS lithe EXPORT lithe-targets
        ARCHIVE COMPONENT development
        FILE_SET HEADERS COMPONENT development)
install(EXPORT lithe-targets NAMESPACE lithe:: DESTINATION ${lithe_cmake_dir} COMPONENT development)
configure_package_config_file(cmake/lithe-config.cmake.in lithe-config.cmake INSTALL_DESTINATION ${lithe_cmake_dir})
write_basic_package_version_file(lithe-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lithe-config.cmake ${PROJECT_BINARY_DIR}/lithe-config-version.cmake
              cmake/FindTinyXML.cmake
        DESTINATION ${lithe_cmake_dir} COMPONENT development)
install(FILES LICENSE NOTICE cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/liblithe-dev COMPONENT development)

# For builds without CMake. Paths are relative to the file, so that an installed tree may be moved.
file(RELATIVE_PATH lithe_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" lithe_pc_prefix ${lithe_pc_prefix})
configure_file(cmake/lithe.pc.in lithe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lithe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(TARGET lithe-cli)
  install(TARGETS lithe-cli RUNTIME COMPONENT program)
  foreach(module lithe-http lithe-mpi)
    if(TARGET ${module})
      install(TARGETS ${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lithe COMPONENT program)
    endif()
  endforeach()
  install(FILES ${completions}/lithe DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT program OPTIONAL)
  install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program OPTIONAL)
  install(FILES ${completions}/_lithe DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
          COMPONENT program OPTIONAL)
  install(FILES ${completions}/lithe.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT program OPTIONAL)
endif()
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/lithe COMPONENT program OPTIONAL
        FILES_MATCHING PATTERN *.yaml PATTERN *.json PATTERN *.csv PATTERN *.urdf PATTERN *.stl PATTERN *.obj PATTERN *.glb
        PATTERN README.md PATTERN cpp/*.cpp
        PATTERN cpp/CMakeLists.txt)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lithe COMPONENT program OPTIONAL)
install(FILES LICENSE NOTICE README.md CHANGELOG.md cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lithe COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lithe)
# The maintainer of a package is who makes it: DEBFULLNAME and DEBEMAIL, as Debian's own tools have it.
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(lithe_maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(lithe_maintainer "The Lithe authors <lithe@packages.invalid>")
endif()
set(LITHE_MAINTAINER "${lithe_maintainer}" CACHE STRING "Maintainer of the Debian packages: Name <address>")
set(CPACK_PACKAGE_CONTACT "${LITHE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${LITHE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lithe)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# Loaded when they are needed, so that no tool finds them among the linked libraries.
set(lithe_loaded_packages "libhdf5-103-1, liblapack3")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS ${lithe_loaded_packages})
# Figures become PNG and PDF with librsvg2-bin; a browser opens the report pages.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "librsvg2-bin, chromium | firefox-esr | www-browser")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3-lithe, liblithe-dev, bash-completion, octave")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Dynamics of robot mechanisms with closed loops
 Reads a mechanism of links and joints in any topology from a text file, checks it, and computes its kinematics,
 inverse dynamics and motion in minimal coordinates.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liblithe-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev, libfmt-dev, libyaml-cpp-dev, libsundials-dev, libtinyxml-dev, libtbb-dev, libnlopt-dev, ${lithe_loaded_packages}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "lithe")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Dynamics of robot mechanisms with closed loops: C++ library
 Headers and the static library of Lithe, for find_package(lithe) and pkg-config.")
if(LITHE_PYTHON_MODULE)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-lithe)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The compiled part is of one Python version.
  math(EXPR lithe_next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}~), python3 (<< ${Python_VERSION_MAJOR}.${lithe_next_python}), python3-numpy, ${lithe_loaded_packages}")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "lithe")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Dynamics of robot mechanisms with closed loops: Python module
 The package lithe for Python 3: models, runs, single states and controllers in Python, results as numpy arrays.")
endif()
include(CPack)
