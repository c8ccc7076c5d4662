# libdolmen.so, which has the functions of dolmen/c.h and shows nothing else, and the Python package on it.
#
# The number of the library's name is that of the interface: it changes when programs must be compiled again.
file(STRINGS ${CMAKE_SOURCE_DIR}/include/dolmen/c.h DOLMEN_C_VERSION REGEX "^#define DOLMEN_C_VERSION ")
string(REGEX REPLACE "[^0-9]" "" DOLMEN_C_VERSION "${DOLMEN_C_VERSION}")

function(dolmen_add_shared_library)
  set(exports ${CMAKE_SOURCE_DIR}/src/c_api/exports.map)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/shared.cc CONTENT "// The library is made of the rooms alone.\n")
  add_library(dolmen_shared SHARED ${CMAKE_BINARY_DIR}/shared.cc)
  target_link_libraries(dolmen_shared PRIVATE dolmen_flags $<LINK_LIBRARY:WHOLE_ARCHIVE,dolmen_c_api>)
  target_link_options(dolmen_shared PRIVATE LINKER:--version-script=${exports} LINKER:-z,nodelete)
  # What sanitizers add is defined in the program that loads the library.
  if(NOT DOLMEN_SANITIZE)
    target_link_options(dolmen_shared PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(dolmen_shared PROPERTIES
    OUTPUT_NAME dolmen EXPORT_NAME c SOVERSION 1 VERSION 1.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH}
    LINK_DEPENDS ${exports} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  if(NOT DOLMEN_C_VERSION)
    message(FATAL_ERROR "include/dolmen/c.h does not define DOLMEN_C_VERSION")
  endif()
endfunction()

# build/release/python, ready for PYTHONPATH, and the wheel in it. The package finds the library beside itself.
function(dolmen_add_python)
  find_program(DOLMEN_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
  if(NOT DOLMEN_PYTHON)
    message(STATUS "no python3: the Python package is not built")
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/python)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/dolmen/*.py ${CMAKE_SOURCE_DIR}/python/dolmen/py.typed)
  set(maker ${CMAKE_SOURCE_DIR}/python/make_package.py)
  add_custom_command(OUTPUT ${folder}/made
    COMMAND ${DOLMEN_PYTHON} ${maker} --library $<TARGET_FILE:dolmen_shared> --version ${PROJECT_VERSION}
      --strip ${CMAKE_STRIP} ${folder}
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}/made
    DEPENDS ${maker} ${sources} dolmen_shared COMMENT "Making the Python package" VERBATIM)
  add_custom_target(dolmen_python ALL DEPENDS ${folder}/made)
endfunction()
