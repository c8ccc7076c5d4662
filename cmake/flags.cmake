# Compiler and linker flags shared by every target.
add_library(dolmen_flags INTERFACE)
target_compile_options(dolmen_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wundef -Werror
  -fno-omit-frame-pointer
  # Every room can be part of the shared library (shared.cmake), which shows the symbols of dolmen/c.h and no others.
  -fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
target_include_directories(dolmen_flags INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src
  # Groups of sources name them by their path from here (unity.cmake).
  ${CMAKE_SOURCE_DIR})

# Tests are optimised for compile time, and stop at a misuse of the standard library.
add_library(dolmen_test_flags INTERFACE)
target_compile_definitions(dolmen_test_flags INTERFACE _GLIBCXX_ASSERTIONS)
if(NOT DOLMEN_SANITIZE)
  target_compile_options(dolmen_test_flags INTERFACE -O0)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these inside the standard library's own inlined code, or, the last two, for groups of sources.
  target_compile_options(dolmen_flags INTERFACE -Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-subobject-linkage -Wno-maybe-uninitialized -Wno-missing-field-initializers)
else()
  # Designated initialisers that leave trailing members to their defaults are the style of this code base. Clang's
  # -Wconversion includes signs, unlike that of g++. g++ 12's std::stable_sort uses a deprecated function.
  target_compile_options(dolmen_flags INTERFACE -Wno-missing-field-initializers -Wno-missing-designated-field-initializers
    -Wno-sign-conversion -Wno-deprecated-declarations)
endif()

# A program loads only the libraries that it uses: ICU, for example, is slow to load. Sanitizers bring their own.
if(NOT DOLMEN_SANITIZE)
  target_link_options(dolmen_flags INTERFACE LINKER:--as-needed)
endif()

# Paths in messages and debug information start at the project's root, so a binary does not reveal where it was built
# and the compiler cache serves every clone. The cache writes paths relative to the build folder, hence two maps. Debug
# builds keep full paths for debuggers that are not started in the root.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  cmake_path(RELATIVE_PATH CMAKE_SOURCE_DIR BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE root_from_build)
  target_compile_options(dolmen_flags INTERFACE
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${root_from_build}/=)
endif()

if(DOLMEN_SANITIZE MATCHES "thread")
  # ThreadSanitizer does not understand fences. Asio's are not needed here: its queues hand work over under a mutex.
  target_compile_definitions(dolmen_flags INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()
if(DOLMEN_SANITIZE)
  # With a sanitizer g++ cannot see that the right member of a variant was set; the sanitizer itself checks it.
  target_compile_options(dolmen_flags INTERFACE -fsanitize=${DOLMEN_SANITIZE} -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(dolmen_flags INTERFACE -fsanitize=${DOLMEN_SANITIZE})
  # Every program carries its sanitizer's options, so that it behaves the same under ctest, in a debugger and by hand.
  set(options_address asan_options.cc)
  set(options_thread tsan_options.cc)
  foreach(sanitizer address thread)
    if(DOLMEN_SANITIZE MATCHES ${sanitizer})
      target_sources(dolmen_flags INTERFACE
        "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_SOURCE_DIR}/cmake/${options_${sanitizer}}>")
    endif()
  endforeach()
endif()

find_program(DOLMEN_MOLD mold)
if(DOLMEN_MOLD)
  target_link_options(dolmen_flags INTERFACE -fuse-ld=mold)
endif()
find_program(DOLMEN_CCACHE ccache)
if(DOLMEN_CCACHE)
  # The compiler cache accepts precompiled headers only when macros and times are declared irrelevant.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${DOLMEN_CCACHE})
  target_compile_options(dolmen_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
