# LAPACK by its one library, whichever implementation stands behind it (Debian package liblapack-dev, or an alternative
# to it). CMake's own module links the parts of the implementation that it finds. Gives PlainLAPACK::lapack.

find_library(PLAINLAPACK_LIBRARY lapack)
mark_as_advanced(PLAINLAPACK_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PlainLAPACK REQUIRED_VARS PLAINLAPACK_LIBRARY)
if(PlainLAPACK_FOUND AND NOT TARGET PlainLAPACK::lapack)
  add_library(PlainLAPACK::lapack UNKNOWN IMPORTED)
  set_target_properties(PlainLAPACK::lapack PROPERTIES IMPORTED_LOCATION ${PLAINLAPACK_LIBRARY})
endif()
