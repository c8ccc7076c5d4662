# The Debian packages that `./dev package` makes with CPack: dolmen (server and command), libdolmen-dev (headers, archives,
# files of CMake and pkg-config), and libdolmen1 (the shared library), where that is built.

# Where the files of a Debian package go that no other installation has. They are left out of `cmake --install` without
# a component, because they are outside of its prefix.
function(dolmen_install_debian)
  set(debian ${CMAKE_SOURCE_DIR}/packaging/debian)
  install(FILES ${debian}/dolmen.yaml DESTINATION /etc/dolmen COMPONENT server EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/systemd/dolmen.service DESTINATION /lib/systemd/system
    COMPONENT server EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/dolmen.yaml DESTINATION /usr/share/doc/dolmen/examples
    RENAME production.yaml COMPONENT server EXCLUDE_FROM_ALL)
  foreach(package IN ITEMS server:dolmen dev:libdolmen-dev library:libdolmen1)
    string(REPLACE ":" ";" package ${package})
    list(GET package 0 component)
    list(GET package 1 name)
    if(NOT component STREQUAL library OR TARGET dolmen_shared)
      install(FILES ${debian}/copyright DESTINATION /usr/share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endfunction()

# A macro, because CPack reads the variables of the folder.
macro(dolmen_add_packages)
  dolmen_install_debian()
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME dolmen)
  set(CPACK_PACKAGE_VENDOR Dolmen)
  set(CPACK_PACKAGE_CONTACT "The Dolmen authors <dolmen@localhost>")
  set(CPACK_PACKAGE_DIRECTORY ${CMAKE_SOURCE_DIR}/build/packages)
  # Everything below DESTDIR, with the prefix of a package.
  set(CPACK_SET_DESTDIR ON)
  set(CPACK_INSTALL_PREFIX /usr)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL server dev)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  # Versions of the libraries that the files were linked with.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)

  set(debian ${CMAKE_SOURCE_DIR}/packaging/debian)
  set(CPACK_DEBIAN_SERVER_PACKAGE_NAME dolmen)
  set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION database)
  set(CPACK_COMPONENT_SERVER_DESCRIPTION "DynamoDB-compatible table store: server and command
 A durable table store that speaks the protocol of DynamoDB, and the dolmen
 command for tables, items, models, documents, relations and pages.")
  set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "adduser")
  set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
    ${debian}/postinst ${debian}/prerm ${debian}/postrm ${debian}/conffiles)

  file(STRINGS ${debian}/dev-depends libraries)
  list(JOIN libraries ", " libraries)
  set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdolmen-dev)
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ${libraries})
  set(CPACK_COMPONENT_DEV_DESCRIPTION "DynamoDB-compatible table store: files for development
 Headers and static libraries to embed the store in C++ programs, and files by
 which CMake and pkg-config find them.")

  if(TARGET dolmen_shared)
    list(APPEND CPACK_COMPONENTS_ALL library)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libdolmen1)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
    set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "DynamoDB-compatible table store: shared library
 The store as a library with functions of C, for programs in any language.")
    string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libdolmen1 (= ${PROJECT_VERSION})")
  endif()
  include(CPack)
endmacro()
