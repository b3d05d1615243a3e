# The XML parser behind URDF, which tells line and column; Debian package libtinyxml-dev. Gives TinyXML::tinyxml.

find_path(TINYXML_INCLUDE_DIR tinyxml.h)
find_library(TINYXML_LIBRARY tinyxml)
mark_as_advanced(TINYXML_INCLUDE_DIR TINYXML_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TinyXML REQUIRED_VARS TINYXML_LIBRARY TINYXML_INCLUDE_DIR)
if(TinyXML_FOUND AND NOT TARGET TinyXML::tinyxml)
  add_library(TinyXML::tinyxml UNKNOWN IMPORTED)
  set_target_properties(TinyXML::tinyxml PROPERTIES
    IMPORTED_LOCATION ${TINYXML_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${TINYXML_INCLUDE_DIR})
endif()
