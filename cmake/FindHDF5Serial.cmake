# The serial C library of HDF5: HDF5Serial_INCLUDE_DIR, and HDF5Serial_SONAME by which the program loads it when it is needed
# (src/lithe/io/hdf5_library.hpp). CMake's own FindHDF5 takes seconds, wants the C language in every project that uses
# ours, and may pick the MPI build that stands beside it on Debian.

find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(HDF5Serial_INCLUDE_DIR HDF5Serial_LIBRARY)

if(HDF5Serial_LIBRARY)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${HDF5Serial_LIBRARY} OUTPUT_VARIABLE HDF5Serial_HEADERS ERROR_QUIET)
  string(REGEX MATCH "SONAME +([^ \n]+)" HDF5Serial_FOUND_NAME "${HDF5Serial_HEADERS}")
  set(HDF5Serial_SONAME ${CMAKE_MATCH_1})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial REQUIRED_VARS HDF5Serial_LIBRARY HDF5Serial_SONAME HDF5Serial_INCLUDE_DIR)
