// Options that every program built with AddressSanitizer starts with; the environment's ASAN_OPTIONS and UBSAN_OPTIONS
// come on top. They turn on what costs little and is off by default in at least one of the two compilers. The sanitizer
// is a library of its own and does not see hidden symbols.
extern "C" [[gnu::visibility("default")]] const char* __asan_default_options();
extern "C" [[gnu::visibility("default")]] const char* __ubsan_default_options();

extern "C" const char* __asan_default_options() {
  return "detect_leaks=1:detect_stack_use_after_return=1:check_initialization_order=1:strict_string_checks=1";
}

extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }
