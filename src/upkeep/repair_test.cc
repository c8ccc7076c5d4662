#include "upkeep/repair.h"

#include <gtest/gtest.h>

namespace dolmen::upkeep {
namespace {

std::string read(std::string_view text) {
  const std::optional<Timestamp> time = read_loosely(text);
  return time ? format_timestamp(*time, TimestampForm::kTrimmed).value() : "";
}

TEST(ReadLoosely, takes_forms_that_can_mean_one_moment_only) {
  for (const char* text :
       {"2026-01-05T10:00:00Z", "2026-01-05t10:00:00z", "2026-01-05 10:00:00Z", "2026-01-05 10:00:00 UTC",
        "2026-01-05T10:00:00GMT", "2026-01-05T10:00Z", "2026-01-05 10:00 UTC", "2026-01-05T12:00:00+0200",
        "2026-01-05T12:00:00+02", "2026-01-05 12:00:00 +0200", "2026-01-05T12:00+02:00", "20260105T100000Z",
        "20260105T120000+0200", "20260105t100000z", " 2026-01-05T10:00:00Z "})
    EXPECT_EQ(read(text), "2026-01-05T10:00:00Z") << text;
  EXPECT_EQ(read("2026-01-05 10:00:00,25 UTC"), "2026-01-05T10:00:00.25Z");
  EXPECT_EQ(read("2026-01-05T10:00:00.123456789Z"), "2026-01-05T10:00:00.123456789Z");
}

TEST(ReadLoosely, refuses_what_has_no_zone_no_time_or_too_many_digits) {
  for (const char* text : {"", "2026-1-5 10:00", "2026-01-05", "2026-01-05T10:00:00", "2026-01-05 10:00", "05/01/2026",
                           "Mon, 05 Jan 2026 10:00:00 GMT", "2026-13-05T10:00:00Z", "2026-01-05T25:00:00Z",
                           "2026-01-05T10:00:00.1234567891Z", "10:00Z", "20260105", "2026-01-05-10", "now", "UTC", "+"})
    EXPECT_EQ(read(text), "") << text;
}

TEST(EpochUnit, follows_from_the_size_of_the_number) {
  const auto unit = [](const char* text) {
    const auto found = epoch_unit_of(Number::parse(text).value());
    return found ? epoch_unit_name(*found) : "";
  };
  EXPECT_EQ(unit("1767607200"), "seconds");
  EXPECT_EQ(unit("1767607200000"), "milliseconds");
  EXPECT_EQ(unit("1767607200000000"), "microseconds");
  EXPECT_EQ(unit("1767607200000000000"), "nanoseconds");
  EXPECT_EQ(unit("99999999"), "");
  EXPECT_EQ(unit("100000000"), "seconds");
  EXPECT_EQ(unit("99999999999"), "seconds");
  EXPECT_EQ(unit("100000000000"), "milliseconds");
  EXPECT_EQ(unit("99999999999999999"), "microseconds");
  EXPECT_EQ(unit("9223372036854775807"), "nanoseconds");
  EXPECT_EQ(unit("9223372036854775808"), "");
  EXPECT_EQ(unit("-1767607200"), "");
  EXPECT_EQ(unit("1767607200.5"), "");
}

TEST(EpochUnit, keeps_all_digits_of_the_moment) {
  EXPECT_EQ(moment_of(Number(1'767'607'200'123)), (Timestamp{.seconds = 1'767'607'200, .nanoseconds = 123'000'000}));
  EXPECT_EQ(moment_of(Number(1'767'607'200'123'456'789)),
            (Timestamp{.seconds = 1'767'607'200, .nanoseconds = 123'456'789}));
  EXPECT_EQ(moment_of(Number(12)), std::nullopt);
}

TEST(JsonTextOf, gives_nothing_when_something_would_be_lost) {
  EXPECT_EQ(json_text_of(Item{{"b", 1}, {"a", AttributeValue::List{nullptr, true, "x"}}}),
            AttributeValue(R"({"a":[null,true,"x"],"b":1})"));
  EXPECT_EQ(json_text_of(Number::parse("0.5").value()), AttributeValue("0.5"));
  EXPECT_EQ(json_text_of(Number::parse("0.12345678901234567890123").value()), std::nullopt);
  EXPECT_EQ(json_text_of(Item{{"a", AttributeValue::StringSet{"x"}}}), std::nullopt);
  EXPECT_EQ(json_text_of(AttributeValue::List{Bytes("x")}), std::nullopt);
}

TEST(SetOf, takes_lists_of_different_elements_of_the_right_type) {
  EXPECT_EQ(set_of(Type::kStringSet, {"b", "a"}), AttributeValue(AttributeValue::StringSet{"a", "b"}));
  EXPECT_EQ(set_of(Type::kNumberSet, {2, 1}), AttributeValue(AttributeValue::NumberSet{1, 2}));
  EXPECT_EQ(set_of(Type::kBinarySet, {Bytes("x")}), AttributeValue(AttributeValue::BinarySet{Bytes("x")}));
  EXPECT_EQ(set_of(Type::kStringSet, {"a", "a"}), std::nullopt);
  EXPECT_EQ(set_of(Type::kStringSet, {"a", 1}), std::nullopt);
  EXPECT_EQ(set_of(Type::kStringSet, {}), std::nullopt);
  EXPECT_EQ(set_of(Type::kList, {"a"}), std::nullopt);
}

TEST(BytesOfList, takes_numbers_that_are_bytes) {
  EXPECT_EQ(bytes_of_list({0, 255, 65}), AttributeValue(Bytes(std::string("\0\xff"
                                                                          "A",
                                                                          3))));
  EXPECT_EQ(bytes_of_list({256}), std::nullopt);
  EXPECT_EQ(bytes_of_list({-1}), std::nullopt);
  EXPECT_EQ(bytes_of_list({"A"}), std::nullopt);
  EXPECT_EQ(bytes_of_list({Number::parse("1.5").value()}), std::nullopt);
}

TEST(BooleanOf, takes_the_words_and_the_digits) {
  EXPECT_EQ(boolean_of("true"), AttributeValue(true));
  EXPECT_EQ(boolean_of("false"), AttributeValue(false));
  EXPECT_EQ(boolean_of(1), AttributeValue(true));
  EXPECT_EQ(boolean_of(0), AttributeValue(false));
  EXPECT_EQ(boolean_of("True"), std::nullopt);
  EXPECT_EQ(boolean_of("yes"), std::nullopt);
  EXPECT_EQ(boolean_of(2), std::nullopt);
}

}  // namespace
}  // namespace dolmen::upkeep
