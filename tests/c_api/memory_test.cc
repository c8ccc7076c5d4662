#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <string>

#include "c_api/last_error.h"
#include "dolmen/c.h"

namespace {

/// Allocations by C++ on this thread of at least this size fail.
thread_local std::size_t failing_from = std::numeric_limits<std::size_t>::max();

}  // namespace

// Not inlined, so that the compiler does not take free() for the counterpart of the library's operator new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = size < failing_from ? std::malloc(size) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace dolmen::c_api {
namespace {

TEST(CApi, keeps_nothing_of_an_earlier_error_when_there_is_no_memory_for_another) {
  EXPECT_EQ(keep_error(Error(Code::kTableNotFound, "the earlier error")), DOLMEN_NOT_FOUND);
  const std::string what(100'000, 'x');
  failing_from = what.size();
  const dolmen_status status = keep_exception(what.c_str());
  failing_from = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(status, DOLMEN_INTERNAL);
  EXPECT_STREQ(dolmen_last_error_message(), "");
  EXPECT_STREQ(dolmen_last_error_code(), "");
  EXPECT_STREQ(dolmen_last_error_json(), "");
}

}  // namespace
}  // namespace dolmen::c_api
