#include "wire/shape_check.h"

#include <gtest/gtest.h>
#include <string>

#include "wire/constraint_check.h"

namespace dolmen::wire {
namespace {

std::string checked(std::string_view operation, std::string_view text, Texts texts = Texts::kOlder) {
  simdjson::dom::parser parser;
  const json::Element input = parser.parse(text.data(), text.size()).value();
  const Shape& shape = *find_model_operation(operation)->input;
  if (const Result<void> types = check_types(shape, input); !types) return "types: " + types.error().message();
  if (const Result<void> constraints =
          check_constraints(shape, json::Members(json::object_of(input)), layer_of(operation, texts));
      !constraints)
    return constraints.error().message();
  return "";
}

TEST(ShapeCheck, knows_the_operations_of_the_service_model) {
  EXPECT_NE(find_model_operation("PutItem"), nullptr);
  EXPECT_EQ(find_model_operation("PutItems"), nullptr);
  EXPECT_EQ(find_model_operation(""), nullptr);
}

TEST(ShapeCheck, passes_over_unknown_members_and_null) {
  EXPECT_EQ(checked("ListTables", R"({"Limit":null,"Unknown":[1],"ExclusiveStartTableName":"abc"})"), "");
}

TEST(ShapeCheck, words_wrong_types_as_dynamodb_does) {
  EXPECT_EQ(checked("ListTables", R"({"Limit":"1"})"), "types: STRING_VALUE cannot be converted to Integer");
  EXPECT_EQ(checked("ListTables", R"({"Limit":[]})"), "types: Unrecognized collection type class java.lang.Integer");
  EXPECT_EQ(checked("CreateTable", R"({"KeySchema":{}})"), "types: Start of structure or map found where not expected");
  EXPECT_EQ(checked("CreateTable", R"({"KeySchema":["x"]})"), "types: Unexpected value type in payload");
  EXPECT_EQ(checked("CreateTable", R"({"KeySchema":[[]]})"),
            "types: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement");
  EXPECT_EQ(checked("CreateTable", R"({"ProvisionedThroughput":"x"})"), "types: Unexpected field type");
  EXPECT_EQ(checked("CreateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":true}})"),
            "types: TRUE_VALUE cannot be converted to Long");
  EXPECT_EQ(checked("PutItem", R"({"Item":[]})"),
            "types: Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_EQ(checked("PutItem", R"({"ExpressionAttributeNames":[]})"),
            "types: Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>");
  EXPECT_EQ(checked("PutItem", R"({"Expected":{"a":1}})"), "types: Unexpected value type in payload");
  EXPECT_EQ(checked("GetItem", R"({"ConsistentRead":"maybe"})"), "types: Unexpected token received from parser");
}

TEST(ShapeCheck, refuses_an_integer_that_its_type_does_not_have) {
  for (const char* limit : {"1", "2147483647"})
    EXPECT_EQ(checked("Scan", R"({"TableName":"abc","Limit":)" + std::string(limit) + "}"), "") << limit;
  for (const char* member : {"Limit", "Segment", "TotalSegments"}) {
    for (const char* number : {"2147483648", "4294967297", "9223372036854775808", "-2147483649", "-4294967295"})
      EXPECT_EQ(checked("Scan", R"({"TableName":"abc",")" + std::string(member) + "\":" + number + "}"),
                "types: NUMBER_VALUE cannot be converted to Integer")
          << member << number;
    for (const char* number : {"4294967297.5", "1e10", "-1e300"})
      EXPECT_EQ(checked("Scan", R"({"TableName":"abc",")" + std::string(member) + "\":" + number + "}"),
                "types: DECIMAL_VALUE cannot be converted to Integer")
          << member << number;
  }
  const auto with_units = [](const std::string& units) {
    return checked("CreateTable", R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a",
                                      "KeyType":"HASH"}],"ProvisionedThroughput":{"WriteCapacityUnits":1,
                                      "ReadCapacityUnits":)" +
                                      units + "}}");
  };
  EXPECT_EQ(with_units("9223372036854775807"), "");
  EXPECT_EQ(with_units("9223372036854775808"), "types: NUMBER_VALUE cannot be converted to Long");
  EXPECT_EQ(with_units("9223372036854775808.0"), "types: DECIMAL_VALUE cannot be converted to Long");
}

TEST(ShapeCheck, cuts_off_the_fraction_of_an_integer_before_its_range_is_checked) {
  EXPECT_EQ(checked("ListTables", R"({"Limit":100.9})"), "");
  EXPECT_EQ(checked("ListTables", R"({"Limit":1e2})"), "");
  EXPECT_EQ(checked("ListTables", R"({"Limit":0.9})"),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value "
            "greater than or equal to 1");
}

TEST(ShapeCheck, collects_all_violations_into_one_message) {
  EXPECT_EQ(
      checked("GetItem", "{}"),
      "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null; "
      "Value null at 'key' failed to satisfy constraint: Member must not be null");
  EXPECT_EQ(
      checked("ListTables", R"({"Limit":101,"ExclusiveStartTableName":"a;"})"),
      "3 validation errors detected: Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must "
      "satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at 'exclusiveStartTableName' failed to satisfy "
      "constraint: Member must have length greater than or equal to 3; Value '101' at 'limit' failed to satisfy "
      "constraint: Member must have value less than or equal to 100");
}

TEST(ShapeCheck, names_the_path_of_a_violation) {
  EXPECT_EQ(
      checked("CreateTable", R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"Q"}],
                                       "KeySchema":[{"AttributeName":"a","KeyType":"SORT"}],
                                       "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":0}})"),
      "3 validation errors detected: Value 'Q' at 'attributeDefinitions.1.member.attributeType' failed to satisfy "
      "constraint: Member must satisfy enum value set: [B, N, S]; Value 'SORT' at 'keySchema.1.member.keyType' failed "
      "to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]; Value '0' at "
      "'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have value greater than or "
      "equal to 1");
  EXPECT_EQ(
      checked("CreateTable", R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[]})"),
      "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length "
      "greater than or equal to 1");
}

TEST(ShapeCheck, reports_a_missing_table_name_of_a_table_operation_alone) {
  EXPECT_EQ(checked("CreateTable", "{}"), "The parameter 'TableName' is required but was not present in the request");
}

TEST(ShapeCheck, reports_ten_violations_at_the_most) {
  std::string definitions;
  for (int i = 0; i < 12; ++i)
    definitions += std::string(i == 0 ? "" : ",") + R"({"AttributeName":"a","AttributeType":"Q"})";
  const std::string message =
      checked("CreateTable", R"({"TableName":"abc","KeySchema":[],"AttributeDefinitions":[)" + definitions + "]}");
  EXPECT_TRUE(message.starts_with("10 validation errors detected: ")) << message;
}

TEST(ShapeCheck, reports_a_length_alone_and_without_its_value_in_the_current_layer) {
  EXPECT_EQ(
      checked("Query", R"({"TableName":"abc","Limit":0,"Select":"ALL"})", Texts::kCurrent),
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater "
      "than or equal to 1");
  EXPECT_EQ(checked("BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[]},"a!":{"Keys":[]}}})", Texts::kCurrent),
            "1 validation error detected: Value at 'RequestItems.abc.member.Keys' failed to satisfy constraint: Member "
            "must have length greater than or equal to 1");
}

TEST(ShapeCheck, answers_in_the_older_layer_when_a_parameter_is_missing) {
  for (const Texts texts : {Texts::kCurrent, Texts::kOlder})
    EXPECT_EQ(checked("GetItem", R"({"TableName":""})", texts),
              "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: Member must have "
              "length greater than or equal to 1; Value null at 'key' failed to satisfy constraint: Member must not be "
              "null");
}

TEST(ShapeCheck, reports_a_bad_name_before_the_choices_that_are_reported_alone) {
  EXPECT_EQ(checked("UpdateItem", R"({"TableName":"a!","Key":{},"ReturnValues":"X"})", Texts::kCurrent),
            "1 validation error detected: Value 'a!' at 'tableName' failed to satisfy constraint: Member must satisfy "
            "regular expression pattern: [a-zA-Z0-9_.-]+");
}

}  // namespace
}  // namespace dolmen::wire
