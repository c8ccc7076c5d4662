# Every room of src/ is one static library, linked to the rooms that tools/layers.txt allows it to use. A room's sources
# are its *.cc files. Its *_test.cc files, the tests of pure code, become the program <room>_test; those of tests/<room>,
# which open stores, become <room>_store_test. A folder whose tests open servers and no store calls them
# <room>_network_test in a CMakeLists.txt of its own.

# External libraries per room. Their headers stay inside the room's .cc files.
set(DOLMEN_EXTERNAL_base fmt::fmt)
set(DOLMEN_EXTERNAL_value simdjson::simdjson)
set(DOLMEN_EXTERNAL_config PkgConfig::libfyaml)
set(DOLMEN_EXTERNAL_schema OpenSSL::Crypto)
set(DOLMEN_EXTERNAL_model OpenSSL::Crypto Threads::Threads)
set(DOLMEN_EXTERNAL_entity ICU::i18n ICU::uc Threads::Threads)
set(DOLMEN_EXTERNAL_lease Threads::Threads)
set(DOLMEN_EXTERNAL_relation ICU::uc)
set(DOLMEN_EXTERNAL_storage ${DOLMEN_ROCKSDB} Threads::Threads)
set(DOLMEN_EXTERNAL_protocol simdjson::simdjson OpenSSL::Crypto PkgConfig::libdeflate)
set(DOLMEN_EXTERNAL_http_client CURL::libcurl Threads::Threads)
set(DOLMEN_EXTERNAL_credentials simdjson::simdjson Threads::Threads)
set(DOLMEN_EXTERNAL_remote simdjson::simdjson Threads::Threads)
set(DOLMEN_EXTERNAL_wire Boost::headers simdjson::simdjson Threads::Threads)
set(DOLMEN_EXTERNAL_cli CLI11::CLI11)

file(STRINGS ${CMAKE_SOURCE_DIR}/tools/layers.txt DOLMEN_LAYER_LINES REGEX "^[a-z_]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/layers.txt)
set(DOLMEN_ROOMS "")
foreach(line IN LISTS DOLMEN_LAYER_LINES)
  string(REGEX MATCH "^([a-z_]+):(.*)$" _ "${line}")
  set(room ${CMAKE_MATCH_1})
  list(APPEND DOLMEN_ROOMS ${room})
  string(STRIP "${CMAKE_MATCH_2}" uses)
  separate_arguments(DOLMEN_USES_${room} UNIX_COMMAND "${uses}")
endforeach()

function(dolmen_room_sources room result_sources result_tests)
  set(folder ${CMAKE_SOURCE_DIR}/src/${room})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  set(${result_sources} ${sources} PARENT_SCOPE)
  set(${result_tests} ${tests} PARENT_SCOPE)
endfunction()

function(dolmen_add_rooms)
  foreach(room IN LISTS DOLMEN_ROOMS)
    dolmen_room_sources(${room} sources tests)
    # A room that has only headers has nothing to archive.
    if(sources)
      dolmen_unite(united ${room} ${sources})
      add_library(dolmen_${room} STATIC ${united})
      dolmen_use_precompiled(dolmen_${room} dolmen_precompiled)
      set(scope PUBLIC)
    else()
      add_library(dolmen_${room} INTERFACE)
      set(scope INTERFACE)
    endif()
    target_compile_features(dolmen_${room} ${scope} cxx_std_23)
    # The flags are for this project's own sources, and only the rooms see the headers of other libraries: an installed
    # archive has them on the linker's line alone.
    target_link_libraries(dolmen_${room} ${scope} $<BUILD_INTERFACE:dolmen_flags>)
    foreach(library IN LISTS DOLMEN_EXTERNAL_${room})
      target_link_libraries(dolmen_${room} ${scope}
        $<BUILD_INTERFACE:${library}> $<INSTALL_INTERFACE:$<LINK_ONLY:${library}>>)
    endforeach()
    foreach(used IN LISTS DOLMEN_USES_${room})
      target_link_libraries(dolmen_${room} ${scope} dolmen_${used})
    endforeach()
  endforeach()
  target_compile_definitions(dolmen_base PRIVATE DOLMEN_VERSION="${PROJECT_VERSION}")
endfunction()

# A program from one source file, linked to the given rooms (and other libraries).
function(dolmen_add_binary name source)
  add_executable(${name} ${source})
  dolmen_use_precompiled(${name} dolmen_precompiled)
  dolmen_link(${name} ${ARGN})
endfunction()

# Links a program to rooms and other libraries.
function(dolmen_link name)
  foreach(library IN LISTS ARGN)
    if(TARGET dolmen_${library})
      target_link_libraries(${name} PRIVATE dolmen_${library})
    else()
      target_link_libraries(${name} PRIVATE ${library})
    endif()
  endforeach()
endfunction()

# A program of the tests, from all the given sources: dolmen_add_test_program(NAME SOURCES source... LINKS room...).
# Programs of tests see the headers beside them, and data files by their path from the root.
function(dolmen_add_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  dolmen_unite(united ${name} ${arg_SOURCES})
  add_executable(${name} ${united})
  dolmen_use_precompiled(${name} dolmen_precompiled_tests)
  target_link_libraries(${name} PRIVATE dolmen_test_flags)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  dolmen_link(${name} ${arg_LINKS} GTest::gtest GTest::gmock)
endfunction()

# A program of GoogleTest cases, run by ctest in the project's root: the arguments of dolmen_add_test_program.
function(dolmen_add_gtest name)
  dolmen_add_test_program(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gtest_main rapidcheck)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

function(dolmen_add_tests)
  foreach(room IN LISTS DOLMEN_ROOMS)
    dolmen_room_sources(${room} sources tests)
    if(tests)
      dolmen_add_gtest(${room}_test SOURCES ${tests} LINKS ${room})
    endif()
    # A folder that needs more than its tests has its own CMakeLists.txt.
    set(folder ${CMAKE_SOURCE_DIR}/tests/${room})
    file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cc)
    if(EXISTS ${folder}/CMakeLists.txt)
      add_subdirectory(${folder})
    elseif(tests)
      dolmen_add_gtest(${room}_store_test SOURCES ${tests} LINKS ${room} embedded)
    endif()
  endforeach()
endfunction()
