#include "storage/crc32c.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <rocksdb/version.h>
#include <string>
#include <string_view>

#include "test_support.h"

/// The checksum of records of the log, by its definition, and in the place of RocksDB's own.
namespace dolmen::storage::test {
namespace {

/// Bit by bit.
std::uint32_t slow_crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0);
  }
  return ~crc;
}

constexpr const char* kExtend = "_ZN7rocksdb6crc32c6ExtendEjPKcm";

using Extend = std::uint32_t (*)(std::uint32_t, const char*, std::size_t);

/// RocksDB's own; null where it is not a shared library.
Extend extend_of_rocksdb() {
  Dl_info place{};
  if (::dladdr(reinterpret_cast<void*>(&rocksdb::GetRocksVersionAsString), &place) == 0) return nullptr;
  void* const library = ::dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : reinterpret_cast<Extend>(::dlsym(library, kExtend));
}

TEST(Crc32c, is_that_of_the_standard) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
}

TEST(Crc32c, is_right_for_bytes_of_any_length_at_any_address) {
  std::mt19937_64 random(7);
  const std::string bytes = random_bytes(random, 6'000);
  for (std::size_t begin = 0; begin < 9; ++begin)
    for (std::size_t length = 0; length < 5'000; length = length < 100 ? length + 1 : length + 61) {
      const std::string_view part = std::string_view(bytes).substr(begin, length);
      const auto before = static_cast<std::uint32_t>(random());
      ASSERT_EQ(crc32c(part, before), slow_crc32c(part, before)) << begin << " " << length;
    }
}

TEST(Crc32c, goes_on_from_what_stands_before) {
  std::mt19937_64 random(8);
  const std::string bytes = random_bytes(random, 3'000);
  for (std::size_t first = 0; first <= bytes.size(); first += 37)
    ASSERT_EQ(crc32c(std::string_view(bytes).substr(first), crc32c(std::string_view(bytes).substr(0, first))),
              crc32c(bytes));
}

TEST(Crc32c, is_what_rocksdb_uses_and_what_it_would_compute_itself) {
  const Extend own = extend_of_rocksdb();
  if (own == nullptr) GTEST_SKIP() << "skipped: RocksDB is not a shared library here";
  const auto used = reinterpret_cast<Extend>(::dlsym(RTLD_DEFAULT, kExtend));
#if defined(__x86_64__)
  EXPECT_NE(used, own) << "the program's function comes first";
#endif
  std::mt19937_64 random(9);
  const std::string bytes = random_bytes(random, 40'000);
  for (std::size_t length = 0; length < bytes.size(); length = 2 * length + 1) {
    EXPECT_EQ(used(1, bytes.data(), length), own(1, bytes.data(), length));
    EXPECT_EQ(crc32c({bytes.data(), length}), own(0, bytes.data(), length));
  }
}

}  // namespace
}  // namespace dolmen::storage::test
