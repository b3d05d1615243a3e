# Evaluations on several lanes, compiled once more for machines with AVX2; which ones run is decided by the program when
# it starts (src/lithe/dynamics/lanes.cpp). Functions of headers come along in that code, and a linker that takes theirs
# for those of everybody would make a program that other machines cannot run. So the objects are joined into one, of which
# only the two functions that we call stay visible.

# OFF leaves out the code for the other machines, a twentieth of the time of a build of the program.
option(LITHE_PORTABLE "Code for every machine of the architecture; OFF: for machines like this one" ON)
if(LITHE_TESTS AND NOT LITHE_PORTABLE)
  message(FATAL_ERROR "The tests compare the code for every machine with that for AVX2: LITHE_TESTS needs LITHE_PORTABLE=ON")
endif()

# Numbers with lanes are long: what an operation is made of must not be called piece by piece. That is a fifth of the time
# of derivatives. Functions of the plain code that return four doubles are called by themselves only.
set(whole_operations "")
set(plain_options "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(whole_operations --param=max-inline-insns-auto=300 --param=max-inline-insns-single=1500
                       --param=inline-unit-growth=300 --param=large-function-growth=1000
                       --param=large-unit-insns=100000)
  set(plain_options -Wno-psabi ${whole_operations})
endif()
set(machine_code ${PROJECT_SOURCE_DIR}/src/lithe/dynamics/machines)
set(plain_files ${machine_code}/plain_packs.cpp ${machine_code}/plain_slopes.cpp)
set_source_files_properties(${plain_files} PROPERTIES COMPILE_OPTIONS "${plain_options}")

# GNU ld, which keeps what belongs together when it joins objects; CMake takes lld beside clang, which does not know the option.
find_program(LITHE_JOINER ld.bfd)
mark_as_advanced(LITHE_JOINER)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_OBJCOPY AND LITHE_JOINER)
  add_library(lithe_avx2 OBJECT ${machine_code}/avx2_packs.cpp ${machine_code}/avx2_slopes.cpp)
  set_target_properties(lithe_avx2 PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(lithe_avx2 PRIVATE include src)
  target_link_libraries(lithe_avx2 PRIVATE Eigen3::Eigen)
  # Products and sums round one by one, as on every other machine; Eigen's types keep the layout they have elsewhere.
  target_compile_options(lithe_avx2 PRIVATE -mavx2 -ffp-contract=off ${whole_operations} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  target_compile_definitions(lithe_avx2 PRIVATE EIGEN_MAX_ALIGN_BYTES=16 EIGEN_MAX_STATIC_ALIGN_BYTES=16)
  set(joined ${PROJECT_BINARY_DIR}/lithe_avx2_joined.o)
  set(avx2_object ${PROJECT_BINARY_DIR}/lithe_avx2.o)
  add_custom_command(OUTPUT ${avx2_object}
    COMMAND ${LITHE_JOINER} -r --force-group-allocation -o ${joined} $<TARGET_OBJECTS:lithe_avx2>
    # The other name is a note of the address sanitizer of clang that the globals of the program are known: with two of them all
    # would be made known twice.
    COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=*make_avx2_*" --keep-global-symbol=___asan_globals_registered ${joined} ${avx2_object}
    DEPENDS lithe_avx2 $<TARGET_OBJECTS:lithe_avx2> COMMENT "Joining the code for AVX2"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${avx2_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(lithe PRIVATE ${avx2_object})
  set(kinds LITHE_AVX2)
  if(NOT LITHE_PORTABLE AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags_with_avx2 REGEX "^flags.* avx2( |$)" LIMIT_COUNT 1)
    if(flags_with_avx2)
      set(kinds LITHE_AVX2;LITHE_ONLY_AVX2)
      set_source_files_properties(${plain_files} PROPERTIES HEADER_FILE_ONLY ON)
    endif()
  endif()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/lithe/dynamics/lanes.cpp PROPERTIES COMPILE_DEFINITIONS "${kinds}")
endif()
