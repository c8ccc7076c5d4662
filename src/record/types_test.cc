#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "dolmen/record.h"
#include "record/test_box.h"

namespace shop {

enum class Colour : std::uint8_t { red, dark_green, unnamed };
DOLMEN_ENUM(Colour, red, (dark_green, "dark-green"));

enum Plain { kFirst = -1, kSecond = 1 };
DOLMEN_ENUM(Plain, (kFirst, "first"), (kSecond, "second"));

struct Circle {
  double radius = 0;
  friend bool operator==(const Circle&, const Circle&) = default;
};
struct Square {
  double side = 0;
  friend bool operator==(const Square&, const Square&) = default;
};
DOLMEN_RECORD(Circle, radius);
DOLMEN_RECORD(Square, side);

}  // namespace shop

namespace dolmen {
namespace {

using shop::Circle;
using shop::Colour;
using shop::Square;

// ---- Plain types ----

TEST(RecordTypes, maps_text_booleans_and_dolmens_own_values) {
  expect_form(std::string("x"), "x");
  expect_form(true, true);
  expect_form(Bytes("\1\2"), Bytes("\1\2"));
  expect_form(Number::parse("1.5e-100").value(), Number::parse("1.5e-100").value());
  expect_form(Item{{"a", 1}}, Item{{"a", 1}});
  expect_form(AttributeValue(StringSet{"a"}), StringSet{"a"});
  expect_form(AttributeValue(nullptr), nullptr);
  EXPECT_EQ(read_problem<std::string>(true), "Box.value: expected S, found BOOL");
  EXPECT_EQ(read_problem<bool>("true"), "Box.value: expected BOOL, found S");
  EXPECT_EQ(read_problem<Bytes>("x"), "Box.value: expected B, found S");
  EXPECT_EQ(read_problem<Number>(nullptr), "Box.value: expected N, found NULL");
  EXPECT_EQ(read_problem<Item>(List{}), "Box.value: expected M, found L");
}

template <class T>
class RecordIntegers : public testing::Test {};
using Integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                std::int64_t, std::uint64_t, long, unsigned long long>;
TYPED_TEST_SUITE(RecordIntegers, Integers);

TYPED_TEST(RecordIntegers, are_numbers_that_are_read_only_when_they_fit) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value : {Limits::min(), TypeParam{0}, TypeParam{42}, Limits::max()}) expect_form(value, value);
  const Number above = add(Number(Limits::max()), Number(1)).value();
  const Number below = subtract(Number(Limits::min()), Number(1)).value();
  const std::string range = "Box.value: expected an integer from " + Number(Limits::min()).to_string() + " to " +
                            Number(Limits::max()).to_string() + ", found ";
  EXPECT_EQ(read_problem<TypeParam>(above), range + above.to_string());
  EXPECT_EQ(read_problem<TypeParam>(below), range + below.to_string());
  EXPECT_EQ(read_problem<TypeParam>(Number::parse("1.5").value()), range + "1.5");
  EXPECT_EQ(read_problem<TypeParam>(Number::parse("1e100").value()), range + "1" + std::string(100, '0'));
  EXPECT_EQ(read_problem<TypeParam>("1"), "Box.value: expected N, found S");
}

TEST(RecordTypes, writes_floating_point_numbers_as_their_shortest_decimal) {
  expect_form(0.1, Number::parse("0.1").value());
  expect_form(0.1F, Number::parse("0.1").value());
  expect_form(-1e125, Number::parse("-1e125").value());
  expect_form(std::numeric_limits<float>::max(), Number::parse("3.4028235e38").value());
  expect_form(std::numeric_limits<float>::denorm_min(), Number::parse("1e-45").value());
  EXPECT_EQ(read<float>(Number::parse("1e-100").value()), 0.0F);
  EXPECT_EQ(read<double>(Number::parse("0.3333333333333333333333333333333333333").value()), 1.0 / 3);
}

TEST(RecordTypes, refuses_floating_point_numbers_that_dynamodb_has_not) {
  const std::string infinite = "Box.value: Infinity and NaN are not numbers that can be stored";
  EXPECT_EQ(write_problem(std::numeric_limits<double>::quiet_NaN()), infinite);
  EXPECT_EQ(write_problem(std::numeric_limits<double>::infinity()), infinite);
  EXPECT_EQ(write_problem(-std::numeric_limits<float>::infinity()), infinite);
  EXPECT_EQ(to_item(Box<double>{1e300}).error().details().at(0).rule, "range");
  EXPECT_EQ(to_item(Box<double>{1e-300}).error().details().at(0).rule, "range");
  EXPECT_EQ(
      to_item(Box<std::vector<double>>{{1.0, std::numeric_limits<double>::quiet_NaN()}}).error().details().at(0).path,
      "value[1]");
  EXPECT_EQ(read_problem<float>(Number::parse("1e39").value()),
            "Box.value: expected a number that a float can hold, found 1" + std::string(39, '0'));
}

TEST(RecordTypes, maps_bytes) {
  using Byte = std::byte;
  expect_form(std::vector<Byte>{Byte{0}, Byte{255}}, Bytes(std::string("\0\xFF", 2)));
  expect_form(std::array<Byte, 2>{Byte{1}, Byte{2}}, Bytes("\1\2"));
  EXPECT_EQ((read_problem<std::array<Byte, 2>>(Bytes("abc"))), "Box.value: expected 2 bytes, found 3");
  EXPECT_EQ((read_problem<std::vector<Byte>>(List{})), "Box.value: expected B, found L");
}

TEST(RecordTypes, maps_enumerations_by_name) {
  expect_form(Colour::red, "red");
  expect_form(Colour::dark_green, "dark-green");
  expect_form(shop::kFirst, "first");
  expect_form(std::set{Colour::red}, StringSet{"red"});
  EXPECT_EQ(write_problem(Colour::unnamed), "Box.value: the value 2 has no name");
  EXPECT_EQ(read_problem<Colour>("blue"), "Box.value: expected one of \"red\", \"dark-green\", found \"blue\"");
  EXPECT_EQ(read_problem<Colour>(0), "Box.value: expected S, found N");
}

// ---- Types that hold others ----

TEST(RecordTypes, maps_vectors_of_floats_to_lists_of_their_shortest_decimals) {
  const List list{Number::parse("0.1").value(), -1, Number::parse("3.4028235e38").value()};
  expect_form(std::vector<float>{0.1F, -1, std::numeric_limits<float>::max()}, list);
  expect_form(std::array<float, 3>{0.1F, -1, std::numeric_limits<float>::max()}, list);
  EXPECT_EQ((read_problem<std::array<float, 2>>(list)), "Box.value: expected 2 elements, found 3");
  EXPECT_EQ(read_problem<std::vector<float>>(List{1, "x"}), "Box.value[1]: expected N, found S");
}

TEST(RecordTypes, maps_sequences_to_lists) {
  expect_form(std::vector<int>{1, 2}, List{1, 2});
  expect_form(std::vector<bool>{true, false}, List{true, false});
  expect_form(std::deque<std::string>{"a"}, List{"a"});
  expect_form(std::list<int>{}, List{});
  expect_form(std::vector<std::uint8_t>{1}, List{1});
  expect_form(List{1, "a", nullptr}, List{1, "a", nullptr});
  expect_form(std::vector<std::vector<int>>{{1}, {}}, List{List{1}, List{}});
  expect_form(std::array<int, 2>{1, 2}, List{1, 2});
  EXPECT_EQ(read_problem<std::vector<int>>(NumberSet{1}), "Box.value: expected L, found NS");
  EXPECT_EQ((read_problem<std::array<int, 2>>(List{1})), "Box.value: expected 2 elements, found 1");
  EXPECT_EQ((read_problem<std::array<int, 2>>(List{1, "x"})), "Box.value[1]: expected N, found S");
}

TEST(RecordTypes, replaces_what_a_default_holds) {
  struct Filled {
    std::vector<int> list{7};
    std::map<std::string, int> map{{"x", 7}};
    std::set<int> set{7};
    std::optional<int> optional = 7;
  };
  static constexpr auto kFilled = std::to_array<mapping::Member>(
      {mapping::member<Filled, &Filled::list>("list"), mapping::member<Filled, &Filled::map>("map"),
       mapping::member<Filled, &Filled::set>("set"), mapping::member<Filled, &Filled::optional>("optional")});
  mapping::Context context;
  Filled filled;
  ASSERT_TRUE(mapping::read_members(context, {{"list", List{1}}, {"map", Item{{"y", 1}}}}, kFilled, &filled));
  EXPECT_EQ(filled.list, std::vector<int>{1});
  EXPECT_EQ(filled.map, (std::map<std::string, int>{{"y", 1}}));
  EXPECT_EQ(filled.set, std::set<int>{});
  EXPECT_EQ(filled.optional, std::nullopt);
}

TEST(RecordTypes, maps_sets_of_strings_numbers_and_bytes) {
  expect_form(std::set<std::string>{"a", "b"}, StringSet{"a", "b"});
  expect_form(std::unordered_set<std::string>{"a"}, StringSet{"a"});
  expect_form(std::unordered_set<int>{1, 2}, NumberSet{1, 2});
  expect_form(std::set<double>{0.5}, NumberSet{Number::parse("0.5").value()});
  expect_form(std::set<Bytes>{Bytes("x")}, BinarySet{Bytes("x")});
  expect_form(std::set<std::vector<std::byte>>{{std::byte{1}}}, BinarySet{Bytes("\1")});
  expect_form(NumberSet{1}, NumberSet{1});
  EXPECT_EQ(read_problem<std::set<int>>(StringSet{"1"}), "Box.value: expected NS, found SS");
  EXPECT_EQ(read_problem<std::set<std::int8_t>>(NumberSet{1, 300}),
            "Box.value: expected an integer from -128 to 127, found 300");
  EXPECT_EQ(write_problem(std::set<double>{1e300}).substr(0, 11), "Box.value: ");
}

TEST(RecordTypes, leaves_out_an_empty_set_because_dynamodb_has_none) {
  EXPECT_EQ(written_item(std::set<int>{}), Item{});
  EXPECT_EQ(from_item<Box<std::set<int>>>({}).value().value, std::set<int>{});
  EXPECT_EQ(read<std::set<int>>(nullptr), std::set<int>{});
}

TEST(RecordTypes, maps_maps_by_string) {
  expect_form(std::map<std::string, int>{{"a", 1}, {"", 2}}, Item{{"a", 1}, {"", 2}});
  expect_form(std::unordered_map<std::string, Circle>{{"n", {.radius = 2}}}, Item{{"n", Item{{"radius", 2}}}});
  expect_form(std::map<std::string, int, std::less<>>{}, Item{});
  EXPECT_EQ((read_problem<std::map<std::string, int>>(Item{{"a", "x"}})), "Box.value[\"a\"]: expected N, found S");
  EXPECT_EQ((read_problem<std::map<std::string, int>>(List{})), "Box.value: expected M, found L");
}

TEST(RecordTypes, writes_null_for_what_is_empty_inside_lists_and_maps) {
  expect_form(std::vector<std::optional<int>>{1, std::nullopt}, List{1, nullptr});
  expect_form(std::vector<std::set<int>>{{1}, {}}, List{NumberSet{1}, nullptr});
  expect_form(std::map<std::string, std::optional<int>>{{"a", std::nullopt}}, Item{{"a", nullptr}});
}

TEST(RecordTypes, maps_variants_by_the_type_of_what_is_found) {
  using Any = std::variant<std::monostate, int, std::string, std::vector<int>, std::map<std::string, bool>>;
  expect_form(Any(), nullptr);
  expect_form(Any(1), 1);
  expect_form(Any("x"), "x");
  expect_form(Any(std::vector<int>{1}), List{1});
  expect_form(Any(std::map<std::string, bool>{{"a", true}}), Item{{"a", true}});
  EXPECT_EQ(read_problem<Any>(true), "Box.value: expected S, N, NULL, L or M, found BOOL");
  EXPECT_EQ(read_problem<Any>(List{"x"}), "Box.value[0]: expected N, found S");
  EXPECT_EQ(from_item<Box<Any>>({}).error().details().at(0).rule, "required");
}

TEST(RecordTypes, names_all_types_of_a_variant) {
  EXPECT_EQ((read_problem<std::variant<int, std::string>>(true)), "Box.value: expected S or N, found BOOL");
}

TEST(RecordTypes, tells_records_in_a_variant_apart_by_their_names) {
  using Shape = std::variant<Circle, int, Square>;
  expect_form(Shape(Circle{1}), Item{{"_type", "Circle"}, {"radius", 1}});
  expect_form(Shape(Square{2}), Item{{"_type", "Square"}, {"side", 2}});
  expect_form(Shape(3), 3);
  const std::string expected = "Box.value: expected one of \"Circle\", \"Square\" in the attribute \"_type\", found ";
  EXPECT_EQ(read_problem<Shape>(Item{{"_type", "Blob"}}), expected + "\"Blob\"");
  EXPECT_EQ(read_problem<Shape>(Item{{"_type", ""}}), expected + "\"\"");
  EXPECT_EQ(read_problem<Shape>(Item{{"_type", 1}}), expected + "N");
  EXPECT_EQ(read_problem<Shape>(Item{{"radius", 1}}), expected + "none");
  EXPECT_EQ(read_problem<Shape>(Item{{"_type", "Square"}}), "Box.value.side: the attribute \"side\" is missing");
}

}  // namespace
}  // namespace dolmen
