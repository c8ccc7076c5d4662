# What `cmake --install` installs, and how other projects find it: find_package(dolmen) with the target
# dolmen::dolmen, or with COMPONENTS and a target for each, and dolmen.pc for pkg-config.
#
# A component is a room with all rooms below it. Rooms that several components need belong to the first of them, so that
# a user of one component needs neither the libraries nor the archives of another.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The rooms at the top of each component. The component `dolmen` is all that public headers declare.
set(DOLMEN_COMPONENT_ROOMS_core store)
# The rooms that both kinds of stores need, so that neither depends on the other.
set(DOLMEN_COMPONENT_ROOMS_protocol protocol partiql)
set(DOLMEN_COMPONENT_ROOMS_embedded embedded)
set(DOLMEN_COMPONENT_ROOMS_remote remote)
set(DOLMEN_COMPONENT_ROOMS_models model)
set(DOLMEN_COMPONENT_ROOMS_dolmen embedded remote document model kms entity relation isr)
# dolmen/testing.h has servers.
set(DOLMEN_COMPONENT_ROOMS_testing server remote)
# What `open` (dolmen/open.h) must know of a program's stores.
set(DOLMEN_COMPONENT_DEFINITIONS_embedded DOLMEN_LINKS_EMBEDDED)
set(DOLMEN_COMPONENT_DEFINITIONS_remote DOLMEN_LINKS_REMOTE)
set(DOLMEN_COMPONENT_DEFINITIONS_dolmen DOLMEN_LINKS_EMBEDDED DOLMEN_LINKS_REMOTE)
set(DOLMEN_COMPONENT_DEFINITIONS_testing DOLMEN_LINKS_EMBEDDED DOLMEN_LINKS_REMOTE)

# How a user's project finds the libraries: for find_dependency, or pkg-config:MODULE where there is no package, and for
# pkg-config.
set(DOLMEN_PACKAGE_fmt::fmt fmt)
set(DOLMEN_PACKAGE_simdjson::simdjson simdjson)
set(DOLMEN_PACKAGE_${DOLMEN_ROCKSDB} "RocksDB CONFIG")
set(DOLMEN_PACKAGE_Threads::Threads Threads)
set(DOLMEN_PACKAGE_CURL::libcurl CURL)
set(DOLMEN_PACKAGE_ICU::i18n "ICU COMPONENTS i18n uc")
set(DOLMEN_PACKAGE_ICU::uc "ICU COMPONENTS i18n uc")
set(DOLMEN_PACKAGE_OpenSSL::Crypto OpenSSL)
set(DOLMEN_PACKAGE_OpenSSL::SSL OpenSSL)
set(DOLMEN_PACKAGE_Boost::headers "")
set(DOLMEN_PACKAGE_PkgConfig::libdeflate pkg-config:libdeflate)
set(DOLMEN_PACKAGE_PkgConfig::libfyaml pkg-config:libfyaml)
set(DOLMEN_PACKAGE_ZLIB::ZLIB ZLIB)
set(DOLMEN_PACKAGE_PkgConfig::libzstd pkg-config:libzstd)
set(DOLMEN_PKGCONFIG_fmt::fmt fmt)
set(DOLMEN_PKGCONFIG_simdjson::simdjson simdjson)
set(DOLMEN_PKGCONFIG_${DOLMEN_ROCKSDB} rocksdb)
set(DOLMEN_PKGCONFIG_Threads::Threads "")
set(DOLMEN_PKGCONFIG_CURL::libcurl libcurl)
set(DOLMEN_PKGCONFIG_ICU::i18n icu-i18n)
set(DOLMEN_PKGCONFIG_ICU::uc icu-uc)
set(DOLMEN_PKGCONFIG_OpenSSL::Crypto libcrypto)
set(DOLMEN_PKGCONFIG_OpenSSL::SSL libssl)
set(DOLMEN_PKGCONFIG_Boost::headers "")
set(DOLMEN_PKGCONFIG_PkgConfig::libdeflate libdeflate)
set(DOLMEN_PKGCONFIG_PkgConfig::libfyaml libfyaml)
set(DOLMEN_PKGCONFIG_ZLIB::ZLIB zlib)
set(DOLMEN_PKGCONFIG_PkgConfig::libzstd libzstd)

# Sets `result` to the given rooms and every room below them, those above first.
function(dolmen_rooms_below rooms result)
  set(reached ${rooms})
  set(waiting ${rooms})
  while(waiting)
    list(POP_FRONT waiting current)
    list(APPEND reached ${DOLMEN_USES_${current}})
    list(APPEND waiting ${DOLMEN_USES_${current}})
  endwhile()
  # tools/layers.txt lists a room after those that it uses.
  set(ordered "")
  foreach(candidate IN LISTS DOLMEN_ROOMS)
    if(candidate IN_LIST reached)
      list(PREPEND ordered ${candidate})
    endif()
  endforeach()
  set(${result} ${ordered} PARENT_SCOPE)
endfunction()

# The external libraries of rooms, as what they are called in the variables DOLMEN_<kind>_<target>.
function(dolmen_libraries_of rooms kind result)
  set(names "")
  foreach(room IN LISTS rooms)
    foreach(library IN LISTS DOLMEN_EXTERNAL_${room})
      if(NOT DEFINED DOLMEN_${kind}_${library})
        message(FATAL_ERROR "room ${room} uses ${library}: say in cmake/install.cmake how a user's project finds it")
      endif()
      list(APPEND names ${DOLMEN_${kind}_${library}})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# One export set for the rooms that earlier components do not have. Appends the lines of the package file that load it
# to DOLMEN_COMPONENT_LINES.
function(dolmen_install_component component)
  dolmen_rooms_below("${DOLMEN_COMPONENT_ROOMS_${component}}" rooms)
  # The interface that a user names. Its name differs from that of every room.
  add_library(dolmen_component_${component} INTERFACE)
  list(TRANSFORM DOLMEN_COMPONENT_ROOMS_${component} PREPEND dolmen_ OUTPUT_VARIABLE tops)
  target_link_libraries(dolmen_component_${component} INTERFACE ${tops})
  target_compile_definitions(dolmen_component_${component} INTERFACE ${DOLMEN_COMPONENT_DEFINITIONS_${component}})
  set_target_properties(dolmen_component_${component} PROPERTIES EXPORT_NAME ${component})

  set(targets dolmen_component_${component})
  set(own_rooms "")
  set(needs "")
  foreach(room IN LISTS rooms)
    get_target_property(owner dolmen_${room} DOLMEN_COMPONENT)
    if(owner)
      list(APPEND needs ${owner})
    else()
      set_target_properties(dolmen_${room} PROPERTIES DOLMEN_COMPONENT ${component} EXPORT_NAME room_${room})
      list(APPEND targets dolmen_${room})
      list(APPEND own_rooms ${room})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES needs)
  dolmen_libraries_of("${own_rooms}" PACKAGE packages)
  install(TARGETS ${targets} EXPORT dolmen_${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT dolmen_${component} FILE dolmen-${component}.cmake NAMESPACE dolmen::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dolmen COMPONENT dev)

  list(TRANSFORM packages REPLACE "(.+)" "\"\\1\"")
  list(JOIN packages " " packages)
  list(JOIN needs " " needs)
  set(DOLMEN_COMPONENT_LINES "${DOLMEN_COMPONENT_LINES}
set(dolmen_needs_${component} ${needs})
set(dolmen_packages_${component} ${packages})" PARENT_SCOPE)
endfunction()

# The archives of a component, in the order that a linker wants, as the module `name` of pkg-config.
function(dolmen_install_pkgconfig name component)
  dolmen_rooms_below("${DOLMEN_COMPONENT_ROOMS_${component}}" rooms)
  set(DOLMEN_PC_LIBS "")
  foreach(room IN LISTS rooms)
    get_target_property(type dolmen_${room} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      string(APPEND DOLMEN_PC_LIBS " -ldolmen_${room}")
    endif()
  endforeach()
  dolmen_libraries_of("${rooms}" PKGCONFIG modules)
  list(JOIN modules ", " DOLMEN_PC_REQUIRES)
  # Found from where the file is, so that the whole can be moved.
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    OUTPUT_VARIABLE DOLMEN_PC_PREFIX)
  set(DOLMEN_PC_NAME ${name})
  configure_file(${CMAKE_SOURCE_DIR}/packaging/dolmen.pc.in ${CMAKE_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

# The shared library with the functions of dolmen/c.h, as the component and target `c` and the module `dolmen-c`.
function(dolmen_install_shared)
  target_include_directories(dolmen_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS dolmen_shared EXPORT dolmen_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    NAMELINK_COMPONENT dev)
  install(EXPORT dolmen_c FILE dolmen-c.cmake NAMESPACE dolmen:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dolmen
    COMPONENT dev)
  set(DOLMEN_PC_NAME dolmen-c)
  set(DOLMEN_PC_LIBS " -ldolmen")
  set(DOLMEN_PC_REQUIRES "")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    OUTPUT_VARIABLE DOLMEN_PC_PREFIX)
  configure_file(${CMAKE_SOURCE_DIR}/packaging/dolmen.pc.in ${CMAKE_BINARY_DIR}/package/dolmen-c.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/dolmen-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

# Strips the installed files. The command's debug information goes to lib/debug, where debuggers look for it, unless
# DOLMEN_NO_DEBUG_FILES is set; that of the archives is dropped.
function(dolmen_install_stripped)
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    set(command \"\${prefix}/${CMAKE_INSTALL_BINDIR}/dolmen\")
    set(debug \"\${prefix}/lib/debug/${CMAKE_INSTALL_BINDIR}/dolmen.debug\")
    if(NOT DEFINED ENV{DOLMEN_NO_DEBUG_FILES})
      file(MAKE_DIRECTORY \"\${prefix}/lib/debug/${CMAKE_INSTALL_BINDIR}\")
      execute_process(COMMAND ${CMAKE_OBJCOPY} --only-keep-debug \"\${command}\" \"\${debug}\" COMMAND_ERROR_IS_FATAL ANY)
    endif()
    message(STATUS \"Stripping what was installed\")
    execute_process(COMMAND ${CMAKE_STRIP} --strip-all \"\${command}\" COMMAND_ERROR_IS_FATAL ANY)
    if(NOT DEFINED ENV{DOLMEN_NO_DEBUG_FILES})
      execute_process(COMMAND ${CMAKE_OBJCOPY} --remove-section .gnu_debuglink --add-gnu-debuglink \"\${debug}\"
        \"\${command}\" COMMAND_ERROR_IS_FATAL ANY)
    endif()" COMPONENT server)
  install(CODE "
    file(GLOB archives \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libdolmen_*.a\")
    execute_process(COMMAND ${CMAKE_STRIP} --strip-debug \${archives} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT dev)
  install(CODE "
    execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:dolmen_shared>\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT library)
endfunction()

# Manual pages and completion, which the command writes from its own table of options.
function(dolmen_install_reference)
  set(reference ${CMAKE_BINARY_DIR}/reference)
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:dolmen>\" reference --to \"${reference}\" COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB pages \"${reference}/man/*.1\")
    foreach(page IN LISTS pages)
      execute_process(COMMAND gzip -9nf \"\${page}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT server)
  install(DIRECTORY ${reference}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT server
    FILES_MATCHING PATTERN "*.1.gz")
  install(FILES ${reference}/completion/dolmen.bash RENAME dolmen COMPONENT server
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${reference}/completion/_dolmen COMPONENT server
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${reference}/completion/dolmen.fish COMPONENT server
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()

function(dolmen_add_install)
  set(components "")
  foreach(component core models protocol embedded remote dolmen testing)
    dolmen_install_component(${component})
    list(APPEND components ${component})
  endforeach()
  list(APPEND components c)
  set(DOLMEN_COMPONENTS ${components})

  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/dolmen)
  configure_package_config_file(${CMAKE_SOURCE_DIR}/packaging/dolmenConfig.cmake.in
    ${CMAKE_BINARY_DIR}/package/dolmenConfig.cmake INSTALL_DESTINATION ${package_folder})
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/dolmenConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/package/dolmenConfig.cmake ${CMAKE_BINARY_DIR}/package/dolmenConfigVersion.cmake
    DESTINATION ${package_folder} COMPONENT dev)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/dolmen DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
    FILES_MATCHING PATTERN "*.h")
  install(TARGETS dolmen RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT server)
  dolmen_install_pkgconfig(dolmen dolmen)
  dolmen_install_pkgconfig(dolmen-testing testing)
  dolmen_install_shared()
  dolmen_install_reference()
  dolmen_install_stripped()
endfunction()
