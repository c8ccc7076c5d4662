#include <gtest/gtest.h>

#include "base/test_result.h"
#include "parcels.h"

namespace dolmen {
namespace {

const LogicalItem kKey{{"pk", "P"}, {"sk", 0}};

LogicalItem with_key(LogicalItem item) {
  item.insert(kKey.begin(), kKey.end());
  return item;
}

TEST(ModelTable, section_3_1_creates_an_item_once) {
  Parcels parcels;
  EXPECT_EQ(error_name(parcels.table.create(with_key({{"status", "packed"}}))), "ok");
  EXPECT_EQ(error_name(parcels.table.create(with_key({{"status", "again"}}))), "ErrConditionFailed");
  EXPECT_EQ(parcels.stored(kKey), (Item{{"pk", "P"},
                                        {"sk", 0},
                                        {"status", "packed"},
                                        {"version", 0},
                                        {"created_at", "2026-01-16T01:02:03.000000000Z"},
                                        {"updated_at", "2026-01-16T01:02:03.000000000Z"}}));
}

TEST(ModelTable, section_3_1_put_replaces_and_obeys_its_condition) {
  Parcels parcels;
  EXPECT_EQ(error_name(parcels.table.put(with_key({{"status", "a"}, {"version", 4}}))), "ok");
  EXPECT_EQ(error_name(parcels.table.put(with_key({{"status", "b"}}), field("status") == "z")), "ErrConditionFailed");
  EXPECT_EQ(parcels.table.get(kKey)->at("version"), LogicalValue(4));
  EXPECT_EQ(error_name(parcels.table.put(with_key({{"status", "b"}}), field("status") == "a")), "ok");
  EXPECT_EQ(parcels.table.get(kKey)->at("version"), LogicalValue(0));
}

TEST(ModelTable, section_3_7_get_says_when_there_is_nothing) {
  Parcels parcels;
  EXPECT_EQ(error_name(parcels.table.get(kKey)), "ErrItemNotFound");
  EXPECT_EQ(error_name(parcels.table.get({{"pk", "P"}})), "ErrMissingPrimaryKey");
  parcels.table.create(with_key({{"status", "a"}, {"weight", 3}})).value();
  EXPECT_EQ(parcels.table.get(kKey, {.fields = {"weight"}}).value(), (LogicalItem{{"weight", 3}}));
}

TEST(ModelTable, section_2_3_keeps_what_the_model_does_not_know) {
  Parcels parcels;
  parcels.store->put_item("parcels", {{"pk", "P"}, {"sk", 0}, {"extra", true}}).value();
  EXPECT_EQ(parcels.table.get_all_attributes(kKey)->unknown, (Item{{"extra", true}}));
}

TEST(ModelUpdate, section_3_2_counts_the_version_and_sets_the_time) {
  Parcels parcels;
  parcels.table.create(with_key({{"status", "a"}, {"note", "x"}, {"weight", 3}})).value();
  parcels.now.seconds += 60;
  EXPECT_EQ(error_name(parcels.table.update(with_key({{"status", "b"}, {"note", ""}, {"weight", 9}, {"version", 0}}),
                                            {"status", "note"})),
            "ok");
  EXPECT_EQ(parcels.stored(kKey), (Item{{"pk", "P"},
                                        {"sk", 0},
                                        {"status", "b"},
                                        {"weight", 3},
                                        {"version", 1},
                                        {"created_at", "2026-01-16T01:02:03.000000000Z"},
                                        {"updated_at", "2026-01-16T01:03:03.000000000Z"}}));
}

TEST(ModelUpdate, section_3_2_the_second_writer_of_a_version_loses) {
  Parcels parcels;
  parcels.table.create(with_key({{"status", "a"}})).value();
  EXPECT_EQ(error_name(parcels.table.update(with_key({{"status", "b"}, {"version", 0}}), {"status"})), "ok");
  EXPECT_EQ(error_name(parcels.table.update(with_key({{"status", "c"}, {"version", 0}}), {"status"})),
            "ErrConditionFailed");
  EXPECT_EQ(parcels.table.get(kKey)->at("status"), LogicalValue("b"));
}

TEST(ModelUpdate, section_3_2_never_makes_an_item) {
  Parcels parcels;
  EXPECT_EQ(error_name(parcels.table.update(with_key({{"status", "b"}, {"version", 0}}), {"status"})),
            "ErrConditionFailed");
  EXPECT_EQ(error_name(parcels.table.get(kKey)), "ErrItemNotFound");
}

TEST(ModelUpdate, section_3_2_without_fields_only_counts) {
  Parcels parcels;
  parcels.table.create(with_key({{"status", "a"}})).value();
  EXPECT_EQ(error_name(parcels.table.update(with_key({{"version", 0}}), {})), "ok");
  EXPECT_EQ(parcels.table.get(kKey)->at("version"), LogicalValue(1));
}

TEST(ModelUpdate, section_3_2_refuses_fields_that_are_not_the_callers_to_change) {
  Parcels parcels;
  const LogicalItem item = with_key({{"created_at", "x"}, {"updated_at", "x"}, {"version", 0}, {"status", nullptr}});
  for (const char* name : {"pk", "sk", "created_at", "updated_at", "version", "unknown", "weight", "status"})
    EXPECT_EQ(error_name(parcels.table.update(item, {name})), "ErrInvalidModel") << name;
  EXPECT_EQ(error_name(parcels.table.update(with_key({{"note", "x"}, {"version", 0}}), {"note", "note"})),
            "ErrInvalidModel");
  for (const LogicalValue& version : {LogicalValue(nullptr), LogicalValue(""), LogicalValue(true)})
    EXPECT_EQ(error_name(parcels.table.update(with_key({{"version", version}}), {})), "ErrInvalidModel");
  EXPECT_EQ(error_name(parcels.table.update(kKey, {})), "ErrInvalidModel");
}

TEST(ModelRemove, section_3_3_takes_an_explicit_zero_for_a_version) {
  Parcels parcels;
  parcels.table.create(with_key({{"status", "a"}})).value();
  parcels.table.update(with_key({{"version", 0}}), {}).value();
  EXPECT_EQ(error_name(parcels.table.remove(kKey, {.expected_version = 0})), "ErrConditionFailed");
  EXPECT_EQ(error_name(parcels.table.remove(kKey, {.condition = field("status") == "b"})), "ErrConditionFailed");
  EXPECT_EQ(error_name(parcels.table.remove(kKey, {.expected_version = 1})), "ok");
  EXPECT_EQ(error_name(parcels.table.remove(kKey)), "ok");
}

TEST(ModelUpsert, makes_version_0_and_counts_from_there) {
  Parcels parcels;
  parcels.table.upsert(with_key({{"status", "a"}, {"note", "x"}})).value();
  EXPECT_EQ(parcels.stored(kKey).at("version"), AttributeValue(0));
  parcels.now.seconds += 60;
  parcels.table.upsert(with_key({{"note", ""}, {"weight", 1}})).value();
  EXPECT_EQ(parcels.stored(kKey), (Item{{"pk", "P"},
                                        {"sk", 0},
                                        {"status", "a"},
                                        {"weight", 1},
                                        {"version", 1},
                                        {"created_at", "2026-01-16T01:02:03.000000000Z"},
                                        {"updated_at", "2026-01-16T01:03:03.000000000Z"}}));
}

TEST(ModelTable, compares_the_live_table_with_the_model) {
  Parcels parcels;
  EXPECT_EQ(parcels.table.table_differences().value(), std::vector<std::string>{});
  EXPECT_THAT(parcels.table.ensure_table(), succeeds());
  Model other = parcel_model();
  other.indexes.erase(other.indexes.begin());
  ModelTable changed = ModelTable::open(*parcels.store, other).value();
  // What the table has more may be another model's.
  EXPECT_EQ(changed.table_differences().value(), std::vector<std::string>{});
  EXPECT_THAT(changed.ensure_table(), succeeds());
  other.indexes.push_back({.name = "by-note", .partition_key = {"note", KeyType::kString}});
  changed = ModelTable::open(*parcels.store, other).value();
  EXPECT_EQ(changed.table_differences().value(), std::vector<std::string>{"global index by-note is missing"});
  EXPECT_THAT(changed.ensure_table(), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(parcels.table.delete_table(), succeeds());
  EXPECT_EQ(error_name(parcels.table.describe_table()), "ErrTableNotFound");
  EXPECT_EQ(error_name(parcels.table.get(kKey)), "ErrTableNotFound");
}

TEST(ModelTable, section_5_fails_closed_without_keys) {
  Parcels parcels;
  Model secret = parcel_model();
  secret.attributes.push_back({.name = "phone", .type = Type::kString, .encrypted = true});
  // There is no such table, so whoever asks the store hears of that instead.
  ModelTable table = ModelTable::open(*parcels.store, secret, {.table = "nowhere"}).value();
  const std::string refused = "ErrEncryptionNotConfigured";
  EXPECT_EQ(error_name(table.create(kKey)), refused);
  EXPECT_EQ(error_name(table.put(kKey)), refused);
  EXPECT_EQ(error_name(table.upsert(kKey)), refused);
  EXPECT_EQ(error_name(table.get(kKey)), refused);
  EXPECT_EQ(error_name(table.update(with_key({{"version", 0}}), {})), refused);
  EXPECT_EQ(error_name(table.change(kKey, FieldUpdate{}.set("note", "x"))), refused);
  EXPECT_EQ(error_name(table.remove(kKey)), refused);
  EXPECT_EQ(error_name(table.query().partition("P").page()), refused);
  EXPECT_EQ(error_name(table.scan().all()), refused);
  EXPECT_EQ(error_name(table.get_many({kKey})), refused);
  EXPECT_EQ(error_name(table.write_many({}, {kKey})), refused);
  EXPECT_EQ(error_name(table.put_action(kKey)), refused);
  EXPECT_EQ(error_name(table.check_action(kKey, field("note").exists())), refused);
}

TEST(ModelTable, section_2_7_converts_values_on_the_way_in_and_out) {
  Parcels parcels;
  const auto shout = [](const LogicalValue& value) -> Result<LogicalValue> {
    return LogicalValue(*value.get_if<std::string>() + "!");
  };
  const auto whisper = [](const LogicalValue& value) -> Result<LogicalValue> {
    return LogicalValue(value.get_if<std::string>()->substr(0, value.get_if<std::string>()->size() - 1));
  };
  const Converters converters{{"pk", {shout, whisper}}, {"status", {shout, whisper}}};
  ModelTable table = ModelTable::open(*parcels.store, parcel_model(), {.converters = converters}).value();
  table.create(with_key({{"status", "new"}, {"weight", 1}})).value();
  EXPECT_EQ(parcels.stored({{"pk", "P!"}, {"sk", 0}}).at("status"), AttributeValue("new!"));
  EXPECT_EQ(table.get(kKey)->at("status"), LogicalValue("new"));
  EXPECT_EQ(table.query().index("by-status").partition("new").all()->size(), 1U);
  EXPECT_EQ(table.query().partition("P").filter(field("status") == "new").all()->size(), 1U);
  table.update(with_key({{"status", "old"}, {"version", 0}}), {"status"}).value();
  EXPECT_EQ(error_name(table.remove(kKey, {.condition = field("status") == "old!"})), "ErrConditionFailed");
  EXPECT_EQ(table.get_many({kKey})->items.at(0).at("status"), LogicalValue("old"));
  EXPECT_EQ(error_name(table.remove(kKey, {.condition = field("status") == "old"})), "ok");
  for (const char* name : {"version", "created_at", "nowhere"})
    EXPECT_EQ(error_name(ModelTable::open(*parcels.store, parcel_model(), {.converters = {{name, {shout, whisper}}}})),
              "ErrInvalidModel")
        << name;
}

TEST(ModelTable, section_5_stores_encrypted_attributes_and_reads_them_back) {
  Parcels parcels;
  Model secret = parcel_model();
  secret.attributes.push_back({.name = "phone", .type = Type::kString, .omit_empty = true, .encrypted = true});
  const std::unique_ptr<KeyProvider> keys = deterministic_keys("test");
  ModelTable table = ModelTable::open(*parcels.store, secret, {.keys = keys.get()}).value();
  table.create(with_key({{"phone", "+33 2"}})).value();
  EXPECT_EQ(parcels.stored(kKey).at("phone").type(), Type::kMap);
  EXPECT_EQ(table.get(kKey)->at("phone"), LogicalValue("+33 2"));
  table.update(with_key({{"phone", "+33 3"}, {"version", 0}}), {"phone"}).value();
  EXPECT_EQ(table.get(kKey)->at("phone"), LogicalValue("+33 3"));
  table.change(kKey, FieldUpdate{}.set("phone", "+33 4")).value();
  EXPECT_EQ(table.get(kKey)->at("phone"), LogicalValue("+33 4"));
  EXPECT_EQ(error_name(table.put(kKey, field("phone") == "+33 4")), "ErrEncryptedFieldNotQueryable");
}

}  // namespace
}  // namespace dolmen
