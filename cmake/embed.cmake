# Text files that become part of the program: every file of src/<room>/support is a member of `kSupportFiles`
# (src/<room>/support.h). They are real files, so that the tools of their own languages can check them.

# Usage: dolmen_embed(RESULT ROOM). Sets RESULT to a source to compile with the room; empty when it embeds nothing.
function(dolmen_embed result room)
  set(folder ${CMAKE_SOURCE_DIR}/src/${room}/support)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.go ${folder}/*.py ${folder}/*.ts)
  set(${result} "" PARENT_SCOPE)
  if(NOT files)
    return()
  endif()
  set(text "#include \"${room}/support.h\"\n\nnamespace dolmen::${room} {\n\n")
  string(APPEND text "const std::span<const SupportFile> kSupportFiles = [] {\n  static constexpr SupportFile kFiles[] = {\n")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    file(READ ${file} content)
    string(APPEND text "      {\"${name}\", R\"=====(${content})=====\"},\n")
  endforeach()
  string(APPEND text "  };\n  return std::span<const SupportFile>(kFiles);\n}();\n\n}  // namespace dolmen::${room}\n")
  set(source ${CMAKE_BINARY_DIR}/embedded/${room}.cc)
  file(WRITE ${source}.new "${text}")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  set(${result} ${source} PARENT_SCOPE)
endfunction()

# The files of the web console, which `./dev` makes with npm (console/, build/console/console.pack). They enter as they are, by the
# assembler, so that compiling them takes no time; without them the pack is empty. Usage: dolmen_embed_console(RESULT). Sets
# RESULT to a source that defines `console_pack` (src/server/console.h).
function(dolmen_embed_console result)
  set(pack ${CMAKE_SOURCE_DIR}/build/console/console.pack)
  if(NOT EXISTS ${pack})
    set(pack ${CMAKE_BINARY_DIR}/embedded/console.pack)
    file(WRITE ${pack} "")
  endif()
  file(SIZE ${pack} bytes)
  if(bytes EQUAL 0)
    message(STATUS "no built console: the server is built without it (./dev builds it where there is npm)")
  endif()
  set(source ${CMAKE_BINARY_DIR}/embedded/console.cc)
  # The compiler cache does not look into what the assembler reads: the checksum makes another source of another pack.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pack})
  file(SHA256 ${pack} checksum)
  file(CONFIGURE OUTPUT ${source} CONTENT [=[
#include <string_view>

asm(R"(
  # @checksum@
  .pushsection .rodata
  .globl dolmen_console_pack_begin
  .hidden dolmen_console_pack_begin
  .globl dolmen_console_pack_end
  .hidden dolmen_console_pack_end
dolmen_console_pack_begin:
  .incbin "@pack@"
dolmen_console_pack_end:
  .byte 0
  .popsection
)");

extern "C" [[gnu::visibility("hidden")]] const char dolmen_console_pack_begin;
extern "C" [[gnu::visibility("hidden")]] const char dolmen_console_pack_end;

namespace dolmen {

std::string_view console_pack() { return {&dolmen_console_pack_begin, &dolmen_console_pack_end}; }

}  // namespace dolmen
]=] @ONLY)
  set(${result} ${source} PARENT_SCOPE)
endfunction()
