#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_locale.h"
#include "entity/js_number.h"
#include "entity/transcodes.h"

namespace dolmen {
namespace {

/// A program that uses this library may have set the locale of its user, and keys must not depend on it.
class EntityLocale : public testing::Test {
 protected:
  void SetUp() override {
    if (!DecimalComma::is_set()) GTEST_SKIP() << "this C library does not take a locale of our making";
  }

  static double decoded(std::string_view transcode, std::string_view text) {
    return std::get<double>(entity::find_builtin_transcode(transcode)->decode(text).value());
  }

  DecimalComma locale_;
};

TEST_F(EntityLocale, fractions_in_keys_are_read_alike_where_numbers_have_a_decimal_comma) {
  EXPECT_EQ(decoded("fix6", "p0000000001.500000"), 1.5);
  EXPECT_EQ(decoded("fix6", "n0000000012.345678"), -12.345678);
  EXPECT_EQ(decoded("number", "2.75"), 2.75);
  EXPECT_EQ(decoded("int", "n0000000000000012"), -12);
  EXPECT_EQ(decoded("timestamp", "1700000000000"), 1'700'000'000'000);
  EXPECT_EQ(entity::parse_number(" 1.25e-2 "), 0.0125);
  EXPECT_EQ(entity::parse_number("1,25"), std::nullopt);
}

TEST_F(EntityLocale, numbers_are_written_with_a_point_where_numbers_have_a_decimal_comma) {
  std::string text;
  entity::append_number(text, 1.5);
  entity::append_number(text, 1e21);
  entity::append_number(text, 1e-7);
  EXPECT_EQ(text, "1.51e+211e-7");
  EXPECT_EQ(entity::fixed6(12.345678), "12.345678");
}

TEST_F(EntityLocale, a_fraction_in_a_config_is_refused_where_numbers_have_a_decimal_comma) {
  const TemporaryDirectory folder;
  const auto load =
      [&](const char* limit) {
        std::ofstream(folder / "config.yml")
            << "hashKey: pk\nrangeKey: sk\nentities:\n  user:\n    timestampProperty: created\n"
               "    uniqueProperty: id\n    defaultLimit: "
            << limit << "\npropertyTranscodes:\n  created: timestamp\n  id: string\n";
        return load_entity_config(folder / "config.yml");
      };
  EXPECT_EQ(load("20.0").value().entities.at(0).default_limit, 20);
  EXPECT_THAT(load("20.5").error().message(), testing::HasSubstr("defaultLimit must be a whole number, not 20.5"));
}

}  // namespace
}  // namespace dolmen
