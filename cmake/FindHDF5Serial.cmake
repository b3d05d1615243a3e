# The serial C library of HDF5 as HDF5Serial::hdf5. CMake's own FindHDF5 takes seconds, wants the C language in every
# project that uses ours, and may pick the MPI build that stands beside it on Debian.

find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(HDF5Serial_INCLUDE_DIR HDF5Serial_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial REQUIRED_VARS HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
if(HDF5Serial_FOUND AND NOT TARGET HDF5Serial::hdf5)
  add_library(HDF5Serial::hdf5 UNKNOWN IMPORTED)
  set_target_properties(HDF5Serial::hdf5 PROPERTIES
    IMPORTED_LOCATION ${HDF5Serial_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HDF5Serial_INCLUDE_DIR})
endif()
