# `tidy` runs clang-tidy over the sources of the program and the library, `format` puts every file into the house style
# and `format-check` says which files are not. clang-tidy 19, since 14 cannot read libstdc++ 12's <ranges>; clang-format is
# Debian's default, 14, since each version has its own idea of the same style.

find_program(LITHE_CLANG_TIDY NAMES clang-tidy-19)
find_program(LITHE_RUN_CLANG_TIDY NAMES run-clang-tidy-19)
find_program(LITHE_CLANG_FORMAT NAMES clang-format-14 clang-format)
mark_as_advanced(LITHE_CLANG_TIDY LITHE_RUN_CLANG_TIDY LITHE_CLANG_FORMAT)

if(LITHE_CLANG_TIDY AND LITHE_RUN_CLANG_TIDY)
  # A compilation database of its own: clang cannot read GCC's precompiled headers, and files are looked at one by one.
  add_custom_target(tidy
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B tidy -G Ninja -DLITHE_PCH=OFF -DLITHE_UNITY=OFF -DLITHE_TESTS=OFF
    COMMAND ${LITHE_PYTHON} ${LITHE_RUN_CLANG_TIDY} -clang-tidy-binary ${LITHE_CLANG_TIDY} -quiet -p tidy
            "${PROJECT_SOURCE_DIR}/src/.*"
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM USES_TERMINAL)
endif()

if(LITHE_CLANG_FORMAT)
  file(GLOB_RECURSE lithe_all_code CONFIGURE_DEPENDS
       include/*.hpp src/*.hpp src/*.cpp tests/*.hpp tests/*.cpp bench/*.hpp bench/*.cpp fuzz/*.cpp
       python/src/*.hpp python/src/*.cpp examples/cpp/*.cpp)
  add_custom_target(format COMMAND ${LITHE_CLANG_FORMAT} -i ${lithe_all_code} VERBATIM)
  add_custom_target(format-check COMMAND ${LITHE_CLANG_FORMAT} --dry-run --Werror ${lithe_all_code} VERBATIM)
endif()
