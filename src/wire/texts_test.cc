#include "wire/texts.h"

#include <gtest/gtest.h>

#include "service/mistakes.h"
#include "service/operations.h"
#include "value/json_reader.h"
#include "value/mistakes.h"

namespace dolmen::wire {
namespace {

/// The mistake of a value, in the words of an operation.
std::string words_for(std::string_view operation, Texts texts, std::string_view value,
                      Found found = Found::kInRequest) {
  simdjson::dom::parser parser;
  std::string encoded;
  const Result<void> read = json::append_value(encoded, parser.parse(value.data(), value.size()).value());
  return read ? "" : worded(read.error(), layer_of(operation, texts), found).message();
}

std::string after_duplicates(std::string_view words) {
  constexpr std::string_view kStart = "One or more parameter values were invalid: Input collection ";
  return std::string(words.starts_with(kStart) ? words.substr(kStart.size()) : words);
}

TEST(Texts, list_repeated_strings_sorted_up_to_the_repetition) {
  const auto current = [](std::string_view value) {
    return after_duplicates(words_for("GetItem", Texts::kCurrent, value));
  };
  EXPECT_EQ(current(R"({"SS":["b","a","b"]})"), R"(["a", "b", "b"] contains duplicates.)");
  EXPECT_EQ(current(R"({"SS":["c","b","c","a","b"]})"), R"(["b", "c", "c", "a", "b"] contains duplicates.)");
  EXPECT_EQ(current(R"({"SS":["","x\"\\y",""]})"), R"(["", "x\"\\y", ""] contains duplicates.)");
  EXPECT_EQ(current(R"({"BS":["/w==","AA==","AA=="]})"), R"(["AA==","/w==","AA=="]of type BS contains duplicates.)");
  EXPECT_EQ(current(R"({"NS":["2","1","2.0"]})"), "contains duplicates.");
}

TEST(Texts, list_repeated_strings_as_sent_in_the_older_layer) {
  const auto older = [](std::string_view value) {
    return after_duplicates(words_for("GetItem", Texts::kOlder, value));
  };
  EXPECT_EQ(older(R"({"SS":["c","b","c","a"]})"), "[c, b, c, a] contains duplicates.");
  EXPECT_EQ(older(R"({"BS":["/w==","AA==","AA=="]})"), "[/w==, AA==, AA==]of type BS contains duplicates.");
  EXPECT_EQ(older(R"({"NS":["2","1","2.0"]})"), "Input collection contains duplicates");
}

TEST(Texts, read_exponents_as_java_does_in_the_older_layer) {
  const auto older = [](std::string_view number) {
    const std::string words = words_for("GetItem", Texts::kOlder, R"({"N":")" + std::string(number) + "\"}");
    return words.substr(0, words.find('.'));
  };
  EXPECT_EQ(older("1e126"), "Number overflow");
  EXPECT_EQ(older("1e2147483646"), "Number overflow");
  EXPECT_EQ(older("1e2147483647"), "Number underflow");
  EXPECT_EQ(older("001e2147483646"), "Number overflow");
  EXPECT_EQ(older("12e+2147483646"), "Number underflow");
  EXPECT_EQ(older("1e-2147483647"), "Number underflow");
  EXPECT_EQ(older("1e2147483648"), "The parameter cannot be converted to a numeric value: 1e2147483648");
  EXPECT_EQ(older("1e-99999999999"), "The parameter cannot be converted to a numeric value: 1e-99999999999");
  EXPECT_EQ(words_for("GetItem", Texts::kCurrent, R"({"N":"1e2147483647"})"),
            "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

TEST(Texts, introduce_what_the_request_alone_shows) {
  const Layer& put = layer_of("PutItem", Texts::kCurrent);
  const Error plain(Code::kValidation, "a mistake");
  const Error expression(Code::kValidation, "a mistake", std::shared_ptr<const ErrorPayload>(new ExpressionMistake));
  const Error size(Code::kValidation, "too large", std::shared_ptr<const ErrorPayload>(new ItemTooLarge));
  EXPECT_EQ(worded(plain, put, Found::kInRequest).message(), "1 validation error detected: a mistake");
  EXPECT_EQ(worded(plain, put, Found::kByService).message(), "a mistake");
  EXPECT_EQ(worded(expression, put, Found::kByService).message(), "1 validation error detected: a mistake");
  EXPECT_EQ(worded(size, put, Found::kInRequest).message(), "too large");
  EXPECT_EQ(worded(worded(plain, put, Found::kInRequest), put, Found::kInRequest).message(),
            "1 validation error detected: a mistake");
  EXPECT_EQ(worded(Error(Code::kTableNotFound, "none"), put, Found::kInRequest).message(), "none");
  EXPECT_EQ(worded(plain, layer_of("PutItem", Texts::kOlder), Found::kInRequest).message(), "a mistake");
  EXPECT_EQ(worded(plain, layer_of("GetItem", Texts::kCurrent), Found::kInRequest).message(), "a mistake");
}

TEST(Texts, say_where_a_bad_value_stands_in_the_older_layer) {
  const Error value(Code::kValidation, "bad");
  const Error number(Code::kValidation, "bad",
                     std::shared_ptr<const ErrorPayload>(new ValueMistake(ValueMistake::Kind::kEmptyNumberSet, {})));
  const auto words = [](const std::unexpected<Error>& error, Texts texts) {
    return worded(error.error(), layer_of("Query", texts), Found::kInRequest).message();
  };
  EXPECT_EQ(words(bad_placeholder(":v", value), Texts::kCurrent), "bad");
  EXPECT_EQ(words(bad_placeholder(":v", value), Texts::kOlder),
            "ExpressionAttributeValues contains invalid value: bad for key :v");
  EXPECT_EQ(words(bad_start_key(value), Texts::kCurrent), "bad");
  EXPECT_EQ(words(bad_start_key(value), Texts::kOlder), "The provided starting key is invalid: bad");
  EXPECT_EQ(words(bad_start_key(number), Texts::kOlder), "bad");
}

TEST(Texts, of_operations_on_tables_are_the_older_ones_only) {
  for (const std::string_view operation : {"CreateTable", "DescribeTable", "DeleteTable", "ListTables"})
    EXPECT_EQ(&layer_of(operation, Texts::kCurrent), &layer_of(operation, Texts::kOlder)) << operation;
  for (const OperationInfo& operation : Operations::kInfos) {
    // Younger than both layers.
    if (operation.name == "SearchVectors") continue;
    const Layer& older = layer_of(operation.name, Texts::kOlder);
    EXPECT_FALSE(older.names_lengths || older.introduces || older.introduces_select || !older.older_values ||
                 older.operator_before_values || older.names_key_condition || !older.shows_segments ||
                 older.older_when_deep || !older.order.empty())
        << operation.name;
  }
}

}  // namespace
}  // namespace dolmen::wire
