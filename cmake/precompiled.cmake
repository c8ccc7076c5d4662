# Headers that nearly every source includes, compiled once for the product and once for its tests, which have other
# flags. They never include a header of this project: a change of it would recompile everything, and a source that
# forgets to include it would go unnoticed.
set(DOLMEN_PRECOMPILED
  <algorithm> <array> <atomic> <charconv> <chrono> <compare> <condition_variable> <cstddef> <cstdint> <deque> <expected>
  <filesystem> <functional> <iterator> <map> <memory> <mutex> <optional> <random> <ranges> <set> <span> <stop_token>
  <string> <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
set(DOLMEN_PRECOMPILED_TESTS ${DOLMEN_PRECOMPILED} <gmock/gmock.h> <gtest/gtest.h>)

option(DOLMEN_PRECOMPILE "Read common headers once" ON)

function(dolmen_add_precompiled name)
  if(NOT DOLMEN_PRECOMPILE)
    return()
  endif()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cc CONTENT "// Precompiled headers need a source to go with.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE dolmen_flags fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# Lets a target use the headers of dolmen_add_precompiled.
function(dolmen_use_precompiled target name)
  if(DOLMEN_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

dolmen_add_precompiled(dolmen_precompiled ${DOLMEN_PRECOMPILED})
if(DOLMEN_TESTS)
  dolmen_add_precompiled(dolmen_precompiled_tests ${DOLMEN_PRECOMPILED_TESTS})
  if(DOLMEN_PRECOMPILE)
    target_link_libraries(dolmen_precompiled_tests PRIVATE dolmen_test_flags GTest::gtest GTest::gmock)
  endif()
endif()
