# Build type, optimisation, compiler cache, sanitizers, precompiled headers, united sources.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
# No -march: the numbers and the package must be the same on every machine of the architecture.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# GCC throws out what it no longer needs whenever its heap has doubled from 128 MB on, which takes a tenth of its time.
# Here it first does so at 1.2 GB, and then after every half more: most files never get there, the largest needs 2 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=800000" "SHELL:--param ggc-min-expand=50")
endif()

# ccache, when installed. It can cache a compilation that reads a precompiled header only when told that macros and
# times inside that header do not matter (they do not: a changed header changes the file). Names of files are taken from
# the build folder on, so that another clone finds what this one compiled. What a file hashed to is kept by its inode: the
# precompiled headers, 200 MB each, would be read for every file that uses them.
find_program(LITHE_CCACHE ccache)
find_program(LITHE_ENV env)
mark_as_advanced(LITHE_CCACHE LITHE_ENV)
if(LITHE_CCACHE AND (NOT CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$"))
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LITHE_ENV} CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=1
                                  CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${LITHE_CCACHE})
endif()

if(LITHE_SANITIZE)
  add_compile_options(-fsanitize=${LITHE_SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LITHE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignored.txt)
  endif()
endif()
if(LITHE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "LITHE_FUZZ needs clang (libFuzzer): use `cmake --preset fuzz`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Heavy templates are compiled once, in the library: src/lithe/matrices/compiled_once.hpp keeps `target` from doing it again.
function(lithe_compile_once target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE "SHELL:-include lithe/matrices/compiled_once.hpp")
endfunction()

# The same with precompiled headers, this one and the given ones, or those of another target:
# lithe_precompile(target REUSE_FROM other). GCC only: with clang the gain is small, and clang-tidy could not read the result.
function(lithe_precompile target)
  if(NOT LITHE_PCH OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    lithe_compile_once(${target})
    return()
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    get_target_property(position_independent ${ARGV2} POSITION_INDEPENDENT_CODE)
    if(position_independent)
      target_compile_options(${target} PRIVATE -fPIC)  # as the header, also in a program
    endif()
  else()
    target_precompile_headers(${target} PRIVATE <lithe/matrices/compiled_once.hpp> ${ARGN})
  endif()
  # Keeps the name of the precompiled header in the preprocessed text, from which ccache knows that it is used.
  target_compile_options(${target} PRIVATE -fpch-preprocess)
endfunction()

# Compiles the sources of `target`, which lie below `root`, a few at a time, so that headers are read and templates are
# instantiated once for all of them: a full build takes half the time. Only files of one folder meet in a unit; they
# share its anonymous namespace, so their helpers need different names. Not CMake's UNITY_BUILD: its units name the
# files by absolute paths, which keeps ccache from knowing them again in another clone. The files of the folders named
# after APART are compiled one by one.
function(lithe_unite target root)
  cmake_parse_arguments(PARSE_ARGV 2 folders "" "" "APART")
  if(NOT LITHE_UNITY)
    return()
  endif()
  set(files_in_unit 8)  # enough to save time, few enough that a changed file is soon compiled again
  set(units "")
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(definitions OR NOT source MATCHES "[.]cpp$")
      continue()
    endif()
    file(RELATIVE_PATH name ${root} ${source})
    get_filename_component(folder ${name} DIRECTORY)
    if(folder IN_LIST folders_APART)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER ${folder} folder)
    math(EXPR unit "0${count_${folder}} / ${files_in_unit}")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    list(APPEND units ${folder}_${unit})
    string(APPEND ${folder}_${unit} "#include \"${name}\"\n")
    set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES units)
  foreach(unit ${units})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/united/${target}/${unit}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${${unit}}" @ONLY)
    target_sources(${target} PRIVATE ${file})
  endforeach()
endfunction()
