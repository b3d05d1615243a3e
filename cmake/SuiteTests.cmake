# One test of ctest for each suite of a GoogleTest program. A process for each of its tests, which is what
# gtest_discover_tests() makes, starts two thousand more: seven seconds of processor time, most of it ctest's own. The suites are
# listed when the program has been built. This file is also the script that lists them: cmake -D PROGRAM= -D LIST= -P.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    file(REMOVE ${LIST} ${PROGRAM})  # so that it is built, and listed, again
    message(FATAL_ERROR "${PROGRAM} does not list its tests: ${result}\n${text}")
  endif()
  # A suite stands at the start of a line and ends with a dot; a typed one is followed by its type.
  string(REGEX MATCHALL "(^|\n)[^ \n]+[.](  #[^\n]*)?\n" lines "${text}")
  set(tests "")
  foreach(line ${lines})
    string(REGEX MATCH "[^ \n]+[.]" suite "${line}")
    string(REGEX REPLACE "[.]$" "" name ${suite})
    string(APPEND tests "add_test(\"${name}\" \"${PROGRAM}\" \"--gtest_filter=${suite}*\")\n")
  endforeach()
  if(NOT tests)
    message(FATAL_ERROR "${PROGRAM} has no tests")
  endif()
  file(WRITE ${LIST} "${tests}")
  return()
endif()

set(LITHE_SUITE_LISTER ${CMAKE_CURRENT_LIST_FILE})
function(lithe_suite_tests program)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
  set(stub ${CMAKE_CURRENT_BINARY_DIR}/${program}_include.cmake)
  add_custom_command(TARGET ${program} POST_BUILD BYPRODUCTS ${list}
                     COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${program}> -D LIST=${list} -P ${LITHE_SUITE_LISTER} VERBATIM)
  file(WRITE ${stub} "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n  add_test(${program}_NOT_BUILT ${program}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${stub})
endfunction()
