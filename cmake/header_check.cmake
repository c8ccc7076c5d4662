# Proves that every header compiles alone: one tiny source for each, which is never linked. That would be a third of a whole
# build, so `./dev lint` builds them, and nothing else does. They are read after the precompiled headers, so tools/check_layers checks that no header forgets one of those.
function(dolmen_add_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
    ${CMAKE_SOURCE_DIR}/include/*.h ${CMAKE_SOURCE_DIR}/src/*.h)
  set(sources "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "^(include|src)/" "" name ${header})
    set(source ${CMAKE_BINARY_DIR}/header_check/${header}.cc)
    file(GENERATE OUTPUT ${source} CONTENT "#include \"${name}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
  dolmen_use_precompiled(header_check dolmen_precompiled)
  # A header may use what its room may use. All rooms are linked here; tools/check_layers checks each one's own limits.
  list(TRANSFORM DOLMEN_ROOMS PREPEND dolmen_ OUTPUT_VARIABLE rooms)
  target_link_libraries(header_check PRIVATE ${rooms} GTest::gtest GTest::gmock rapidcheck)
endfunction()
