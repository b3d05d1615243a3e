# The HTTP server behind `lithe live`; Debian package libcpp-httplib-dev. Gives CppHttplib::httplib.

find_path(CPPHTTPLIB_INCLUDE_DIR httplib.h)
find_library(CPPHTTPLIB_LIBRARY cpp-httplib)
mark_as_advanced(CPPHTTPLIB_INCLUDE_DIR CPPHTTPLIB_LIBRARY)
# Debian compiles the library with these; a file that includes its header must have them, or a request has another layout.
set(CppHttplib_DEFINITIONS CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CppHttplib REQUIRED_VARS CPPHTTPLIB_LIBRARY CPPHTTPLIB_INCLUDE_DIR)
if(CppHttplib_FOUND AND NOT TARGET CppHttplib::httplib)
  find_package(Threads REQUIRED)
  add_library(CppHttplib::httplib UNKNOWN IMPORTED)
  set_target_properties(CppHttplib::httplib PROPERTIES
    IMPORTED_LOCATION ${CPPHTTPLIB_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CPPHTTPLIB_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "Threads::Threads")
endif()
