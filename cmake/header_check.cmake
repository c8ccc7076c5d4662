# Proves that every header compiles alone and may be included twice: the target header_check compiles one tiny source
# per header. It is not part of a plain build. The objects are never linked, so they are built as cheaply as possible
# while the compiler cache still takes them.
function(dolmen_add_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
    ${CMAKE_SOURCE_DIR}/include/*.h ${CMAKE_SOURCE_DIR}/src/*.h)
  set(sources "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "^(include|src)/" "" name ${header})
    set(source ${CMAKE_BINARY_DIR}/header_check/${header}.cc)
    file(GENERATE OUTPUT ${source} CONTENT "#include \"${name}\"\n#include \"${name}\"\n")
    list(APPEND sources ${source})
  endforeach()
  if(NOT sources)
    add_custom_target(header_check)
    return()
  endif()

  add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
  target_compile_options(header_check PRIVATE -O0 -g0)
  # A header may use what its room may use; the sum of all rooms serves them all, and tools/check_layers tells them apart.
  list(TRANSFORM DOLMEN_ROOMS PREPEND dolmen_ OUTPUT_VARIABLE rooms)
  target_link_libraries(header_check PRIVATE ${rooms})
  if(DOLMEN_TESTS)
    target_link_libraries(header_check PRIVATE GTest::gtest GTest::gmock rapidcheck)
  endif()
endfunction()
