# Compiles many sources as few: `dolmen_unite` groups sources into files that include them, so that the headers that they
# share are read, and their templates instantiated, once for each group. Files of one room therefore see each other's
# unnamed namespaces, and a name in one of them must be unique in its room.
#
# The generated files name the sources by their path from the root, so that the compiler cache serves every clone.
option(DOLMEN_UNITY "Compile the sources of a room in groups" ON)
# The approximate bytes of sources in one group: small enough that a changed file is recompiled in seconds.
set(DOLMEN_UNITY_BYTES 40000)

# g++ inlines less in large sources, which would make the product slower by 5 %; groups of sources are not to count as one.
if(DOLMEN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(dolmen_flags INTERFACE --param=large-unit-insns=200000)
endif()

# Usage: dolmen_unite(RESULT NAME SOURCE...). Sets RESULT to the sources to compile.
function(dolmen_unite result name)
  if(NOT DOLMEN_UNITY OR DOLMEN_SANITIZE MATCHES "fuzzer")
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(united "")
  set(group "")
  set(group_bytes 0)
  set(number 0)
  set(sources ${ARGN})
  list(SORT sources)
  list(APPEND sources "")
  foreach(source IN LISTS sources)
    set(bytes 0)
    if(source)
      file(SIZE ${source} bytes)
    endif()
    math(EXPR sum "${group_bytes} + ${bytes}")
    if(group AND (NOT source OR sum GREATER DOLMEN_UNITY_BYTES))
      math(EXPR number "${number} + 1")
      set(file ${CMAKE_BINARY_DIR}/unity/${name}_${number}.cc)
      set(text "")
      foreach(member IN LISTS group)
        file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${member})
        string(APPEND text "#include \"${path}\"\n")
      endforeach()
      file(GENERATE OUTPUT ${file} CONTENT "${text}")
      list(APPEND united ${file})
      set(group "")
      set(sum ${bytes})
    endif()
    list(APPEND group ${source})
    set(group_bytes ${sum})
  endforeach()
  set(${result} ${united} PARENT_SCOPE)
endfunction()
