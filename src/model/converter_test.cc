#include <gtest/gtest.h>

#include "base/fail.h"
#include "base/test_result.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/item.h"
#include "dolmen/model/update.h"

// Section 2.7: converters of attributes.
namespace dolmen {
namespace {

/// Written in a program as "red" and stored as a number.
Result<LogicalValue> number_of_colour(const LogicalValue& value) {
  const std::string* name = value.get_if<std::string>();
  if (name != nullptr && *name == "red") return LogicalValue(1);
  if (name != nullptr && *name == "green") return LogicalValue(2);
  return fail(Code::kInvalidArgument, "there is no such colour");
}

Result<LogicalValue> colour_of_number(const LogicalValue& value) {
  if (value == LogicalValue(1)) return LogicalValue("red");
  if (value == LogicalValue(2)) return LogicalValue("green");
  return fail(Code::kInvalidArgument, "there is no such colour");
}

Result<LogicalValue> with_prefix(const LogicalValue& value) {
  return LogicalValue("CAR#" + *value.get_if<std::string>());
}

Result<LogicalValue> without_prefix(const LogicalValue& value) {
  return LogicalValue(value.get_if<std::string>()->substr(4));
}

const Model kCar{.name = "Car",
                 .table = "cars",
                 .partition_key = {"pk", KeyType::kString},
                 .attributes = {{.name = "pk", .type = Type::kString},
                                {.name = "colour", .type = Type::kNumber, .omit_empty = true},
                                {.name = "plain", .type = Type::kNumber}}};

const Converters kConverters{{"pk", {with_prefix, without_prefix}}, {"colour", {number_of_colour, colour_of_number}}};
const EncodeOptions kEncode{.converters = &kConverters};
const DecodeOptions kDecode{.converters = &kConverters};

Result<Item> put_car(const LogicalItem& item) { return encode_put(kCar, item, {.now = {}, .values = kEncode}); }

TEST(Converter, section_2_7_stands_between_the_program_and_the_encoding) {
  const Item stored = put_car({{"pk", "1"}, {"colour", "red"}, {"plain", 3}}).value();
  EXPECT_EQ(stored, (Item{{"pk", "CAR#1"}, {"colour", 1}, {"plain", 3}}));
  EXPECT_EQ(decode_item(kCar, stored, kDecode)->values, (LogicalItem{{"pk", "1"}, {"colour", "red"}, {"plain", 3}}));
}

TEST(Converter, section_2_7_is_for_keys_conditions_and_updates_as_well) {
  EXPECT_EQ(encode_key(kCar, {{"pk", "1"}}, kEncode).value(), (Item{{"pk", "CAR#1"}}));
  EXPECT_EQ(compile_condition(kCar, field("colour") == "green", kEncode).value(), attr("colour") == 2);
  EXPECT_EQ(compile_condition(kCar, field("colour").in({"red", "green"}), kEncode).value(), attr("colour").in({1, 2}));
  EXPECT_EQ(compile_update(kCar, FieldUpdate{}.set("colour", "green"), {.values = kEncode})->pieces(),
            Update{}.set(attr("colour"), 2).pieces());
  EXPECT_EQ(compile_condition(kCar, field("pk").begins_with("CA"), kEncode).value(), attr("pk").begins_with("CA"));
}

TEST(Converter, section_2_7_is_asked_after_emptiness_and_never_for_null) {
  EXPECT_EQ(put_car({{"pk", "1"}, {"colour", ""}}).value(), (Item{{"pk", "CAR#1"}}));
  EXPECT_EQ(put_car({{"pk", "1"}, {"colour", nullptr}}).value(), (Item{{"pk", "CAR#1"}}));
  EXPECT_EQ(decode_item(kCar, {{"pk", "CAR#1"}, {"colour", nullptr}}, kDecode)->values.at("colour"), LogicalValue());
}

TEST(Converter, that_refuses_a_value_is_a_value_that_does_not_fit) {
  EXPECT_THAT(put_car({{"pk", "1"}, {"colour", "loud"}}), fails_with(Code::kInvalidModel));
  EXPECT_EQ(put_car({{"pk", "1"}, {"colour", "loud"}}).error().message(),
            "attribute \"colour\": there is no such colour");
  EXPECT_THAT(decode_item(kCar, {{"pk", "CAR#1"}, {"colour", 3}}, kDecode), fails_with(Code::kInvalidModel));
}

}  // namespace
}  // namespace dolmen
