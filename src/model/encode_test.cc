#include <cmath>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/model/item.h"

// Sections 2.1 to 2.6: how logical items are stored.
namespace dolmen {
namespace {

constexpr Timestamp kNow{.seconds = 1768525323, .nanoseconds = 5116};

Model parcel() {
  return {.name = "Parcel",
          .table = "parcels",
          .partition_key = {"pk", KeyType::kString},
          .sort_key = KeyAttribute{"sk", KeyType::kNumber},
          .attributes = {{.name = "pk", .type = Type::kString, .required = true},
                         {.name = "sk", .type = Type::kNumber, .required = true},
                         {.name = "created_at", .type = Type::kString, .roles = {{Role::kCreatedAt}}},
                         {.name = "updated_at", .type = Type::kString, .roles = {{Role::kUpdatedAt}}},
                         {.name = "version", .type = Type::kNumber, .omit_empty = true, .roles = {{Role::kVersion}}},
                         {.name = "ttl", .type = Type::kNumber, .omit_empty = true, .roles = {{Role::kTtl}}},
                         {.name = "note", .type = Type::kString, .omit_empty = true},
                         {.name = "weight", .type = Type::kNumber},
                         {.name = "labels", .type = Type::kStringSet, .omit_empty = true},
                         {.name = "codes", .type = Type::kNumberSet},
                         {.name = "parts", .type = Type::kBinarySet},
                         {.name = "flag", .type = Type::kBool},
                         {.name = "body", .type = Type::kString, .json = true},
                         {.name = "raw", .type = Type::kBinary, .binary = true},
                         {.name = "extra", .type = Type::kMap, .omit_empty = true},
                         {.name = "steps", .type = Type::kList},
                         {.name = "nothing", .type = Type::kNull},
                         {.name = "seen", .type = Type::kString, .format = AttributeFormat::kRfc3339Nano}}};
}

Result<Item> put(LogicalItem item) {
  item.emplace("pk", "P");
  item.emplace("sk", 0);
  return encode_put(parcel(), item, {.now = kNow});
}

/// What one attribute is stored as; "omitted" when it is not, and the error's name when it is refused.
std::string stored(std::string name, LogicalValue value) {
  const Result<Item> item = put({{name, std::move(value)}});
  if (!item) return std::string(portable_error_name(item.error().code()));
  const AttributeValue* found = item->find(name);
  if (found == nullptr) return "omitted";
  return std::string(type_name(found->type())) + " " + canonical_json(LogicalValue::from(*found)).value_or("bytes");
}

TEST(ModelPut, section_2_1_sets_times_and_version_itself) {
  const Item expected{{"pk", "P"},
                      {"sk", 0},
                      {"created_at", "2026-01-16T01:02:03.000005116Z"},
                      {"updated_at", "2026-01-16T01:02:03.000005116Z"},
                      {"version", 0}};
  EXPECT_EQ(put({}), expected);
  EXPECT_EQ(put({{"created_at", "1999-01-01T00:00:00Z"}, {"updated_at", 5}, {"version", nullptr}}), expected);
  EXPECT_EQ(put({{"version", 7}})->at("version"), AttributeValue(7));
  EXPECT_EQ(stored("version", 1.5), "ErrInvalidModel");
}

TEST(ModelPut, section_2_1_needs_a_whole_key_in_which_zero_is_a_value) {
  for (const LogicalValue& value : {LogicalValue(nullptr), LogicalValue(""), LogicalValue(Bytes())}) {
    const Result<Item> item = encode_put(parcel(), {{"pk", value}, {"sk", 1}}, {.now = kNow});
    EXPECT_THAT(item, fails_with(Code::kMissingPrimaryKey));
  }
  EXPECT_EQ(encode_put(parcel(), {{"pk", "a"}}, {.now = kNow}).error().message(),
            "the key attribute \"sk\" is missing");
  EXPECT_EQ(encode_key(parcel(), {{"pk", "a"}, {"sk", 0}, {"note", 5}}), (Item{{"pk", "a"}, {"sk", 0}}));
  EXPECT_THAT(encode_key(parcel(), {{"pk", "a"}}), fails_with(Code::kMissingPrimaryKey));
  EXPECT_THAT(encode_key(parcel(), {{"pk", 1}, {"sk", 0}}), fails_with(Code::kInvalidModel));
}

TEST(ModelPut, section_2_1_refuses_unknown_attributes_and_names_them_all) {
  const Result<Item> item = put({{"zzz", 1}, {"aaa", 2}});
  EXPECT_THAT(item, fails_with(Code::kInvalidModel));
  ASSERT_EQ(item.error().details().size(), 2U);
  EXPECT_EQ(item.error().details()[0].path, "aaa");
  EXPECT_EQ(item.error().details()[1].message, "model \"Parcel\" has no attribute \"zzz\"");
}

TEST(ModelPut, section_2_1_enforces_required_unless_told_otherwise) {
  Model model = parcel();
  model.attributes.push_back({.name = "owner", .type = Type::kString, .required = true, .omit_empty = true});
  const LogicalItem item{{"pk", "P"}, {"sk", 1}};
  EXPECT_EQ(encode_put(model, item, {.now = kNow}).error().message(), "the required attribute \"owner\" is missing");
  LogicalItem empty = item;
  empty.emplace("owner", "");
  EXPECT_EQ(encode_put(model, empty, {.now = kNow}).error().message(), "the required attribute \"owner\" is empty");
  EXPECT_THAT(encode_put(model, item, {.now = kNow, .check_required = false}), succeeds());
}

TEST(ModelPut, names_every_value_that_does_not_fit) {
  const Result<Item> item = put({{"note", 5}, {"flag", "yes"}});
  EXPECT_EQ(item.error().details().size(), 2U);
  EXPECT_EQ(item.error().details()[0].message, "attribute \"note\" is of type S and cannot hold a number");
}

TEST(ModelPut, section_2_2_omits_what_is_empty) {
  EXPECT_EQ(stored("note", ""), "omitted");
  EXPECT_EQ(stored("note", nullptr), "omitted");
  EXPECT_EQ(stored("note", " "), "S \" \"");
  EXPECT_EQ(stored("ttl", 0), "omitted");
  EXPECT_EQ(stored("ttl", LogicalNumber{"-0.0"}), "omitted");
  EXPECT_EQ(stored("labels", LogicalValue::List{}), "omitted");
  EXPECT_EQ(stored("extra", LogicalItem{}), "omitted");
  EXPECT_EQ(stored("extra", LogicalItem{{"a", ""}}), "M {\"a\":\"\"}");
  EXPECT_EQ(stored("weight", 0), "N 0");
  EXPECT_EQ(stored("flag", false), "BOOL false");
  EXPECT_EQ(stored("steps", LogicalValue::List{}), "L []");
}

TEST(IsEmpty, section_2_2_follows_the_specification) {
  for (const LogicalValue& value : {LogicalValue(nullptr), LogicalValue(""), LogicalValue(0), LogicalValue(-0.0),
                                    LogicalValue(false), LogicalValue(Bytes()), LogicalValue(LogicalValue::List{}),
                                    LogicalValue(LogicalItem{}), LogicalValue(Timestamp{.seconds = -62'135'596'800})})
    EXPECT_TRUE(is_empty(value)) << value.kind();
  for (const LogicalValue& value : {LogicalValue("0"), LogicalValue(1), LogicalValue(NAN), LogicalValue(true),
                                    LogicalValue(Bytes(std::string(1, '\0'))), LogicalValue(LogicalValue::List{0}),
                                    LogicalValue(LogicalItem{{"a", nullptr}}), LogicalValue(Timestamp{})})
    EXPECT_FALSE(is_empty(value)) << value.kind();
  EXPECT_TRUE(is_empty(AttributeValue(StringSet{})));
  EXPECT_FALSE(is_empty(AttributeValue(NumberSet{0})));
}

TEST(ModelPut, section_2_3_stores_each_type_as_declared) {
  EXPECT_EQ(stored("weight", LogicalNumber{"12345678901234567890123456789012345678"}),
            "N 12345678901234567890123456789012345678");
  EXPECT_EQ(stored("weight", "007.50"), "N 7.5");
  EXPECT_EQ(stored("weight", 1e21), "N 1000000000000000000000");
  EXPECT_EQ(stored("weight", std::numeric_limits<std::uint64_t>::max()), "N 18446744073709551615");
  for (const LogicalValue& value : {LogicalValue(INFINITY), LogicalValue(NAN), LogicalValue("heavy"),
                                    LogicalValue(true), LogicalValue(LogicalNumber{"1e999"})})
    EXPECT_EQ(stored("weight", value), "ErrInvalidModel");
  EXPECT_EQ(stored("flag", 1), "ErrInvalidModel");
  EXPECT_EQ(stored("raw", Bytes()), "B bytes");
  EXPECT_EQ(stored("raw", "text"), "ErrInvalidModel");
  EXPECT_EQ(stored("nothing", "anything"), "NULL null");
  EXPECT_EQ(stored("steps", LogicalValue::List{nullptr, "s", 1, true, LogicalValue::List{}, LogicalItem{{"m", 1}}}),
            "L [null,\"s\",1,true,[],{\"m\":1}]");
  EXPECT_EQ(stored("steps", LogicalItem{}), "ErrInvalidModel");
  EXPECT_EQ(stored("extra", LogicalItem{{"n", NAN}}), "ErrInvalidModel");
}

TEST(ModelPut, section_2_3_stores_sets_and_writes_null_for_empty_ones) {
  EXPECT_EQ(stored("labels", LogicalValue::List{"b", "a"}), "SS [\"a\",\"b\"]");
  EXPECT_EQ(stored("labels", LogicalValue::List{"a", "a"}), "ErrInvalidModel");
  EXPECT_EQ(stored("labels", "a"), "ErrInvalidModel");
  EXPECT_EQ(stored("labels", LogicalValue::List{1}), "ErrInvalidModel");
  EXPECT_EQ(stored("codes", LogicalValue::List{2, "1"}), "NS [1,2]");
  EXPECT_EQ(stored("codes", LogicalValue::List{1, "1.0"}), "ErrInvalidModel");
  EXPECT_EQ(stored("codes", LogicalValue::List{}), "NULL null");
  EXPECT_EQ(stored("parts", LogicalValue::List{Bytes("x")}), "BS bytes");
}

TEST(ModelPut, section_2_4_stores_json_as_text_and_null_as_null) {
  EXPECT_EQ(put({{"body", LogicalItem{{"b", 1}, {"a", LogicalValue::List{1.5, nullptr}}}}})->at("body"),
            AttributeValue(R"({"a":[1.5,null],"b":1})"));
  EXPECT_EQ(put({{"body", "text"}})->at("body"), AttributeValue("\"text\""));
  EXPECT_EQ(put({{"body", nullptr}})->at("body"), AttributeValue(nullptr));
  EXPECT_EQ(stored("body", NAN), "ErrInvalidModel");
  EXPECT_EQ(stored("body", LogicalItem{{"a", Bytes("x")}}), "ErrInvalidModel");
  EXPECT_EQ(stored("body", Timestamp{}), "ErrInvalidModel");
}

TEST(ModelPut, section_2_4_refuses_json_that_is_too_deep_to_be_read_again) {
  const auto lists = [](int depth) {
    LogicalValue value("\"[");
    for (int i = 0; i < depth; ++i) {
      LogicalValue::List list;
      list.push_back(std::move(value));
      value = std::move(list);
    }
    return value;
  };
  const Result<Item> deepest = put({{"body", lists(256)}});
  ASSERT_THAT(deepest, succeeds());
  EXPECT_EQ(parse_json(deepest->at("body").string()).value(), lists(256));
  const Result<Item> refused = put({{"body", lists(257)}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kInvalidModel));
  EXPECT_NE(refused.error().message().find("\"body\""), std::string::npos) << refused.error().message();
}

TEST(ModelPut, section_2_5_takes_times_for_texts_and_switches_their_form) {
  EXPECT_EQ(stored("seen", Timestamp{1, 0}), "S \"1970-01-01T00:00:01.000000000Z\"");
  EXPECT_EQ(stored("seen", "1970-01-01T00:00:01+02:00"), "S \"1970-01-01T00:00:01+02:00\"");
  EXPECT_EQ(stored("seen", "yesterday"), "ErrInvalidModel");
  const PutEncodeOptions trimmed{.now = {1, 0}, .values = {.timestamp_form = TimestampForm::kTrimmed}};
  EXPECT_EQ(encode_put(parcel(), {{"pk", "P"}, {"sk", 1}}, trimmed)->at("created_at"),
            AttributeValue("1970-01-01T00:00:01Z"));
}

TEST(ModelPut, section_2_6_stores_ttl_as_whole_seconds) {
  EXPECT_EQ(stored("ttl", 1700000000), "N 1700000000");
  EXPECT_EQ(stored("ttl", "1700000000"), "N 1700000000");
  EXPECT_EQ(stored("ttl", Timestamp{1700000000, 999}), "N 1700000000");
  EXPECT_EQ(stored("ttl", 1.5), "ErrInvalidModel");
  EXPECT_EQ(stored("weight", Timestamp{1, 0}), "ErrInvalidModel");
}

// Section 2.3: what is read back, also from other implementations.

Result<DecodedItem> decoded(Item item, bool lenient = true) {
  return decode_item(parcel(), item, {.lenient = lenient});
}

TEST(ModelRead, section_2_3_gives_back_what_was_put) {
  const LogicalItem item{{"pk", "P"},
                         {"sk", LogicalNumber{"12345678901234567890"}},
                         {"note", "n"},
                         {"labels", LogicalValue::List{"a", "b"}},
                         {"codes", LogicalValue::List{1, 2}},
                         {"flag", true},
                         {"body", LogicalItem{{"a", 1}}},
                         {"raw", Bytes("x")},
                         {"extra", LogicalItem{{"l", LogicalValue::List{nullptr}}}},
                         {"nothing", nullptr}};
  DecodedItem back = decoded(encode_put(parcel(), item, {.now = kNow}).value()).value();
  for (const char* owned : {"created_at", "updated_at", "version"}) EXPECT_EQ(back.values.erase(owned), 1U);
  EXPECT_EQ(back.values, item);
  EXPECT_TRUE(back.unknown.empty());
}

TEST(ModelRead, section_2_3_takes_null_for_optional_attributes_and_for_empty_sets) {
  const LogicalItem values =
      decoded({{"note", nullptr}, {"labels", nullptr}, {"body", nullptr}, {"extra", nullptr}}).value().values;
  const LogicalItem expected{
      {"note", nullptr}, {"labels", LogicalValue::List{}}, {"body", nullptr}, {"extra", nullptr}};
  EXPECT_EQ(values, expected);
  EXPECT_THAT(decoded({{"pk", nullptr}}), fails_with(Code::kInvalidModel));
}

TEST(ModelRead, section_2_3_what_go_and_python_write_for_nothing_is_read_and_can_be_put_back) {
  Item foreign{{"pk", "P"}, {"sk", 0}};
  for (const char* name : {"weight", "codes", "parts", "flag", "body", "raw", "steps", "nothing", "seen"})
    foreign.set(name, nullptr);
  Item again = put(decoded(foreign).value().values).value();
  for (const char* owned : {"created_at", "updated_at", "version"}) again.erase(owned);
  EXPECT_EQ(again, foreign);

  Model model = parcel();
  for (ModelAttribute& attribute : model.attributes) attribute.required = true;
  EXPECT_THAT(decode_item(model, {{"weight", nullptr}}), fails_with(Code::kInvalidModel));
  EXPECT_THAT(decode_item(model, {{"codes", nullptr}, {"body", nullptr}}), succeeds());
  EXPECT_THAT(encode_attribute(model, *model.find("weight"), nullptr), fails_with(Code::kInvalidModel));
}

TEST(ModelRead, section_2_3_keeps_unknown_attributes_as_they_are) {
  const DecodedItem item = decoded({{"pk", "P"}, {"other", NumberSet{1}}}).value();
  EXPECT_EQ(item.unknown, (Item{{"other", NumberSet{1}}}));
}

TEST(ModelRead, section_2_3_reads_the_drift_of_go_when_lenient) {
  const Item drifted{{"raw", List{0, 255}}, {"codes", List{2, 1}}, {"labels", List{"b"}}, {"body", Item{{"a", 1}}}};
  const LogicalItem expected{{"raw", Bytes(std::string("\0\xFF", 2))},
                             {"codes", LogicalValue::List{2, 1}},
                             {"labels", LogicalValue::List{"b"}},
                             {"body", LogicalItem{{"a", 1}}}};
  EXPECT_EQ(decoded(drifted).value().values, expected);
  for (const auto& [name, value] : drifted)
    EXPECT_THAT(decoded({{name, value}}, false), fails_with(Code::kInvalidModel)) << name;
  EXPECT_THAT(decoded({{"raw", List{256}}}), fails_with(Code::kInvalidModel));
  EXPECT_THAT(decoded({{"codes", List{"x"}}}), fails_with(Code::kInvalidModel));
}

TEST(ModelRead, section_2_3_refuses_other_types_and_broken_json) {
  EXPECT_EQ(decoded({{"note", 5}}).error().message(), "attribute \"note\" is stored as N, but the model says S");
  EXPECT_THAT(decoded({{"body", "{"}}), fails_with(Code::kInvalidModel));
  // What Python writes is JSON too.
  EXPECT_EQ(decoded({{"body", R"({"b": 1.0, "a": "\u00e9"})"}}).value().values.at("body"),
            LogicalValue(LogicalItem{{"a", "\xC3\xA9"}, {"b", LogicalNumber{"1.0"}}}));
}

}  // namespace
}  // namespace dolmen
