#include "entity/js_number.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

#include "base/test_seed.h"

namespace dolmen::entity {
namespace {

std::string written(double value) {
  std::array<char, 32> room{};
  return {room.data(), write_number(room.data(), value)};
}

TEST(JsNumber, writes_whole_numbers_of_every_length) {
  std::mt19937_64 random(test_seed("numbers"));
  for (std::int64_t power = 1; power <= 1'000'000'000'000'000; power *= 10)
    for (int i = 0; i < 2'000; ++i) {
      // With zeros at their ends, around powers of ten, and with any digits.
      const std::int64_t digit = power * static_cast<std::int64_t>(random() % 9);
      const std::int64_t any = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(9 * power));
      for (const std::int64_t number : {digit, power - 1, power + 1, any})
        for (const std::int64_t value : {number, -number})
          ASSERT_EQ(written(static_cast<double>(value)), std::to_string(value));
    }
}

TEST(JsNumber, writes_a_negative_zero_without_its_sign) { EXPECT_EQ(written(-0.0), "0"); }

TEST(JsNumber, writes_other_numbers_as_it_appends_them) {
  for (const double value : {0.5, -1.25, 9e15, 1e16, 1e21, 1e-7, 123456789012345680000.0}) {
    std::string text;
    append_number(text, value);
    EXPECT_EQ(written(value), text);
  }
}

}  // namespace
}  // namespace dolmen::entity
