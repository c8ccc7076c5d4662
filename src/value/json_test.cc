#include "value/json.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/test_result.h"
#include "base/test_seed.h"
#include "value/json_reader.h"
#include "value/json_types.h"
#include "value/test_items.h"

namespace dolmen::json {
namespace {

Item parsed(std::string_view text) { return decode_item(parse_item(text).value().bytes).value(); }

std::string error_of(std::string_view text) {
  const Result<EncodedItem> item = parse_item(text);
  return item ? "no error" : std::string(code_name(item.error().code())) + ": " + item.error().message();
}

TEST(DynamoDbJson, reads_all_ten_types) {
  const Item expected{{"s", "a"},
                      {"n", Number::parse("-1.5").value()},
                      {"b", Bytes(std::string("\x00\x01", 2))},
                      {"t", true},
                      {"f", false},
                      {"z", nullptr},
                      {"l", List{"x", 1}},
                      {"m", Item{{"y", "z"}}},
                      {"ss", StringSet{"a", "b"}},
                      {"ns", NumberSet{1, 2}},
                      {"bs", BinarySet{Bytes("a"), Bytes("b")}}};
  EXPECT_EQ(parsed(R"({"s":{"S":"a"},"n":{"N":"-1.50"},"b":{"B":"AAE="},"t":{"BOOL":true},"f":{"BOOL":false},
                       "z":{"NULL":true},"l":{"L":[{"S":"x"},{"N":"1"}]},"m":{"M":{"y":{"S":"z"}}},
                       "ss":{"SS":["b","a"]},"ns":{"NS":["2","1"]},"bs":{"BS":["Yg==","YQ=="]}})"),
            expected);
}

TEST(DynamoDbJson, writes_what_it_reads) {
  RandomItems items(test_seed("json round trip"));
  for (int i = 0; i < 10'000; ++i) {
    const Item item = items.item();
    ASSERT_EQ(parsed(to_text(item)), item) << to_text(item);
  }
}

Result<SizedItem> read_with_size(const std::string& text) {
  simdjson::dom::parser parser;
  const Element root = parser.parse(text).value();
  DOLMEN_TRY_VOID(check_attribute_map(root));
  return encode_sized_item(object_of(root));
}

TEST(DynamoDbJson, counts_the_size_of_an_item_while_it_reads_it) {
  RandomItems items(test_seed("json sizes"));
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = to_text(items.item());
    const SizedItem read = read_with_size(text).value();
    ASSERT_EQ(read.size, item_size(read.item.bytes)) << text;
  }
}

TEST(DynamoDbJson, does_not_count_what_is_replaced_by_a_repetition) {
  for (const std::string text :
       {R"({"a":{"S":"long text","S":"b"}})", R"({"a":{"S":"long text"},"a":{"N":"12"}})",
        R"({"a":{"L":[{"N":"1"}],"L":[]}})", R"({"a":{"M":{"b":{"S":"x"},"b":{"S":"yy"},"b":{"NULL":true}}}})",
        R"({"a":{"N":"1e3","N":"1.5"}})", R"({"a":{"S":null,"N":"-12.5","X":"y"}})"}) {
    const SizedItem read = read_with_size(text).value();
    EXPECT_EQ(read.size, item_size(read.item.bytes)) << text;
    EXPECT_THAT(decode_item(read.item.bytes), succeeds()) << text;
  }
}

/// The members of a JSON object or array in a random order.
std::string joined(RandomItems& items, std::vector<std::string> members) {
  items.shuffle(members);
  return fmt::format("{}", fmt::join(members, ","));
}

/// Texts that differ late, early, or only in their length.
std::string similar_text(RandomItems& items) {
  constexpr std::string_view kBeginnings[] = {"", "a", "attribute", "attribute names", "b"};
  std::string text(kBeginnings[items.below(std::size(kBeginnings))]);
  for (std::size_t length = 1 + items.below(10); length > 0; --length)
    text.push_back(static_cast<char>('a' + items.below(2)));
  return text;
}

TEST(DynamoDbJson, sorts_attributes_and_members_that_come_in_any_order) {
  RandomItems items(test_seed("orders in json"));
  for (int i = 0; i < 3'000; ++i) {
    Item expected;
    StringSet strings;
    NumberSet numbers;
    BinarySet binaries;
    std::vector<std::string> attributes;
    std::vector<std::string> sent_strings;
    std::vector<std::string> sent_numbers;
    std::vector<std::string> sent_binaries;
    for (std::size_t n = 1 + items.below(40); n > 0; --n) {
      const std::string text = similar_text(items);
      if (strings.insert(text).second) {
        expected.set(text, text);
        attributes.push_back(fmt::format(R"("{}":{{"S":"{}"}})", text, text));
        sent_strings.push_back(fmt::format(R"("{}")", text));
        binaries.insert(Bytes(text));
        sent_binaries.push_back(fmt::format(R"("{}")", encode_base64(text)));
      }
      const Number number = items.number();
      if (numbers.insert(number).second) sent_numbers.push_back(fmt::format(R"("{}")", number.to_string()));
    }
    expected.set("ss", strings);
    expected.set("ns", numbers);
    expected.set("bs", binaries);
    attributes.push_back(fmt::format(R"("ss":{{"SS":[{}]}})", joined(items, sent_strings)));
    attributes.push_back(fmt::format(R"("ns":{{"NS":[{}]}})", joined(items, sent_numbers)));
    attributes.push_back(fmt::format(R"("bs":{{"BS":[{}]}})", joined(items, sent_binaries)));
    const std::string text = fmt::format("{{{}}}", joined(items, attributes));
    const SizedItem read = read_with_size(text).value();
    ASSERT_EQ(read.item, dolmen::encode_item(expected)) << text;
    ASSERT_EQ(read.size, item_size(expected)) << text;
  }
}

TEST(DynamoDbJson, keeps_nothing_of_an_item_that_failed) {
  const std::string large = R"({"a":{"S":")" + std::string(200'000, 'x') + R"("},"b":{"N":"1"}})";
  EXPECT_EQ(parsed(large).at("a").string().size(), 200'000U);
  EXPECT_EQ(error_of(R"({"a":{"S":"text"},"b":{"N":"one"}})"),
            "Validation: The parameter cannot be converted to a numeric value: one");
  EXPECT_EQ(parsed(R"({"c":{"S":"d"}})"), (Item{{"c", "d"}}));
}

TEST(DynamoDbJson, escapes_what_json_asks_for_and_nothing_else) {
  EXPECT_EQ(to_text({{"a", "\"\\/\b\f\n\r\t\x01\x1F\x7F\xC3\xA9"}}),
            "{\"a\":{\"S\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7F\xC3\xA9\"}}");
  for (std::size_t at = 0; at < 80; ++at) {
    std::string text(80, 'x');
    text[at] = '"';
    std::string out;
    append_string(out, text);
    EXPECT_EQ(out, "\"" + std::string(at, 'x') + "\\\"" + std::string(79 - at, 'x') + "\"");
    EXPECT_EQ(to_text({{"a", text}}), R"({"a":{"S":)" + out + "}}");
  }
}

TEST(DynamoDbJson, escapes_the_same_bytes_in_long_texts_as_in_short_ones) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    std::string alone;
    append_string(alone, one);
    const std::string escaped = alone.substr(1, alone.size() - 2);
    std::string in_long;
    append_string(in_long, std::string(40, 'x') + one + std::string(40, 'x') + one);
    for (std::size_t size = 1; size < 12; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'x');
        text[at] = one.front();
        std::string out;
        append_string(out, text);
        EXPECT_EQ(out, "\"" + std::string(at, 'x') + escaped + std::string(size - 1 - at, 'x') + "\"") << byte;
      }
    }
    EXPECT_EQ(in_long, "\"" + std::string(40, 'x') + escaped + std::string(40, 'x') + escaped + "\"") << byte;
  }
}

TEST(DynamoDbJson, normalises_numbers_everywhere) {
  EXPECT_EQ(to_text(parsed(R"({"a":{"N":"1E+3"},"l":{"L":[{"N":"1.0"}]},"s":{"NS":["10","1e0"]}})")),
            R"({"a":{"N":"1000"},"l":{"L":[{"N":"1"}]},"s":{"NS":["1","10"]}})");
}

TEST(DynamoDbJson, takes_the_last_of_a_repeated_name) {
  EXPECT_EQ(parsed(R"({"b":{"S":"1"},"a":{"S":"2"},"b":{"S":"3"}})"), (Item{{"a", "2"}, {"b", "3"}}));
}

TEST(DynamoDbJson, takes_the_texts_that_dynamodb_takes_for_booleans) {
  EXPECT_EQ(parsed(R"({"a":{"BOOL":"true"},"b":{"BOOL":"No"},"c":{"NULL":"yes"}})"),
            (Item{{"a", true}, {"b", false}, {"c", nullptr}}));
}

TEST(DynamoDbJson, refuses_wrong_json_types_as_serialization_errors) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([])", "the text is not a JSON object"},
      {R"({"a":)", "the text is not a JSON object"},
      {R"({"a":{"S":1}})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"a":{"S":1.5}})", "DECIMAL_VALUE cannot be converted to String"},
      {R"({"a":{"S":true}})", "TRUE_VALUE cannot be converted to String"},
      {R"({"a":{"S":[]}})", "Unrecognized collection type class java.lang.String"},
      {R"({"a":{"S":{}}})", "Start of structure or map found where not expected"},
      {R"({"a":{"N":1}})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"a":{"B":1}})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"a":{"B":[]}})", "Unrecognized collection type class java.nio.ByteBuffer"},
      {R"({"a":{"B":{}}})", "Start of structure or map found where not expected"},
      {R"({"a":{"B":"AAA"}})", "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {R"({"a":{"BOOL":23}})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"a":{"BOOL":"23"}})", "Unexpected token received from parser"},
      {R"({"a":{"L":{}}})", "Start of structure or map found where not expected"},
      {R"({"a":{"L":"x"}})", "Unexpected field type"},
      {R"({"a":{"M":[]}})",
       "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"a":{"SS":[1]}})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"a":"x"})", "Unexpected value type in payload"},
      {R"({"a":[]})", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"a":{"L":[7]}})", "Unexpected value type in payload"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), std::string("Serialization: ") + message) << text;
}

TEST(DynamoDbJson, refuses_bad_values_in_the_words_of_dynamodb) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string empty = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::pair<const char*, std::string> cases[] = {
      {R"({"a":{}})", empty},
      {R"({"a":null})", empty},
      {R"({"a":{"S":null}})", empty},
      {R"({"a":{"Q":1}})", empty},
      {R"({"a":{"L":[{}]}})", empty},
      {R"({"a":{"L":[null]}})", empty},
      {R"({"a":{"S":"x","N":"1"}})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
      {R"({"a":{"S":"x","N":"y"}})", "The parameter cannot be converted to a numeric value: y"},
      {R"({"a":{"NULL":false}})", prefix + "Null attribute value types must have the value of true"},
      {R"({"a":{"SS":[]}})", prefix + "An string set  may not be empty"},
      {R"({"a":{"NS":[]}})", prefix + "An number set  may not be empty"},
      {R"({"a":{"BS":[]}})", prefix + "Binary sets should not be empty"},
      {R"({"a":{"SS":["b","a","b"]}})", prefix + "Input collection [b, a, b] contains duplicates."},
      {R"({"a":{"NS":["1","1.0"]}})",
       "One or more parameter values were invalid: Input collection contains duplicates."},
      {R"({"a":{"BS":["AA==","AA=="]}})", prefix + "Input collection [AA==, AA==]of type BS contains duplicates."},
      {R"({"a":{"NS":["1",""]}})", "The parameter cannot be converted to a numeric value"},
      {R"({"":{"S":"x"}})", "Empty attribute name"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), "Validation: " + message) << text;
}

TEST(DynamoDbJson, reports_a_wrong_type_before_a_bad_value) {
  EXPECT_EQ(error_of(R"({"a":{"N":"x"},"b":{"S":1}})"), "Serialization: NUMBER_VALUE cannot be converted to String");
}

std::string nested(unsigned levels) {
  std::string text = R"({"S":"deep"})";
  for (unsigned i = 1; i < levels; ++i) text = R"({"M":{"k":)" + text + "}}";
  return R"({"a":)" + text + "}";
}

TEST(DynamoDbJson, reports_the_first_mistake_of_the_request_whatever_the_order_of_names) {
  for (const char* text :
       {R"({"b":{"N":"x"},"a":{"NULL":false}})", R"({"m":{"M":{"b":{"N":"x"},"a":{"NULL":false}}},"l":{"NULL":false}})",
        R"({"a":{"N":"x"},"a":{"N":"1"}})"})
    EXPECT_EQ(error_of(text), error_of(R"({"a":{"N":"x"}})")) << text;
}

TEST(DynamoDbJson, takes_the_last_of_a_repeated_name_in_a_map_among_others) {
  EXPECT_EQ(
      to_text(parsed(
          R"({"z":{"S":"1"},"m":{"M":{"c":{"S":"1"},"a":{"S":"2"},"c":{"S":"3"},"b":{"S":"4"}}},"z":{"S":"5"}})")),
      R"({"m":{"M":{"a":{"S":"2"},"b":{"S":"4"},"c":{"S":"3"}}},"z":{"S":"5"}})");
}

TEST(DynamoDbJson, allows_32_levels_and_not_33) {
  EXPECT_EQ(error_of(nested(limits::kNestingLevels)), "no error");
  EXPECT_EQ(
      error_of(nested(limits::kNestingLevels + 1)),
      "Validation: Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported limit");
}

TEST(DynamoDbJson, reports_a_wrong_name_then_a_value_that_is_too_deep_then_other_mistakes) {
  const std::string deep = nested(limits::kNestingLevels + 1);
  const std::string too_deep = error_of(deep);
  const std::string member = deep.substr(1, deep.size() - 2);
  EXPECT_EQ(error_of("{" + member + R"(,"":{"S":"x"}})"), "Validation: Empty attribute name");
  EXPECT_EQ(error_of(R"({"m":{"M":{"":{"S":"x"}}},)" + member + "}"), too_deep);
  EXPECT_EQ(error_of(R"({"n":{"N":"x"},)" + member + "}"), too_deep);
}

TEST(DynamoDbJson, lets_values_of_expressions_be_one_level_deeper_when_it_is_told) {
  const auto read = [](unsigned levels) {
    simdjson::dom::parser parser;
    const std::string text = nested(levels);
    return encode_item(object_of(parser.parse(text).value()), limits::kNestingLevels + 1);
  };
  EXPECT_THAT(read(limits::kNestingLevels + 1), succeeds());
  EXPECT_THAT(read(limits::kNestingLevels + 2), fails_with(Code::kValidation));
  EXPECT_THAT(decode_item(read(limits::kNestingLevels + 1).value().bytes), succeeds());
}

TEST(DynamoDbJson, fails_on_damaged_bytes_instead_of_writing_half) {
  std::string out;
  EXPECT_THAT(append_item(out, "\x01\x02"), fails_with(Code::kCorruption));
  EXPECT_THAT(append_item(out, "\x01\x01["), fails_with(Code::kCorruption));
  EXPECT_THAT(append_encoded_value(out, "\x63"), fails_with(Code::kCorruption));
}

TEST(DynamoDbJson, leaves_no_item_the_memory_of_a_larger_one) {
  const std::string large(std::size_t{4} << 20, 'x');
  EXPECT_FALSE(parse_item(fmt::format(R"({{"a":{{"S":"{}"}},"b":{{"N":"one"}}}})", large)));
  const std::string small(std::size_t{100} << 10, 'x');
  const EncodedItem item = parse_item(fmt::format(R"({{"a":{{"S":"{}"}}}})", small)).value();
  EXPECT_LT(item.bytes.capacity(), 2 * item.bytes.size());
}

}  // namespace
}  // namespace dolmen::json
