// Options that every program built with ThreadSanitizer starts with; the environment's TSAN_OPTIONS come on top.
//
// Debian's RocksDB is not instrumented, so ThreadSanitizer cannot see the atomics by which its threads order their
// memory accesses and would report each hand-over as a race. Calls that come from modules without instrumentation are
// therefore ignored; races in this project's own code are still found. The sanitizer is a library of its own and does
// not see hidden symbols.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_options();

extern "C" const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1:halt_on_error=1:second_deadlock_stack=1";
}
