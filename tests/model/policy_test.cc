#include <gtest/gtest.h>

#include "dolmen/model/table.h"
#include "dolmen/model/transaction.h"
#include "error_name.h"
#include "tests/models/release.h"
#include "tests/support/test_store.h"

// Write policies of DMS 0.2, as programs meet them.
namespace dolmen {
namespace {

using acme::releases::ReleaseActual;
using acme::releases::ReleaseEvent;

struct Releases {
  std::unique_ptr<Store> store = test_store();
  Table<ReleaseActual> actual = Table<ReleaseActual>::open(*store, acme::releases::models::release_actual()).value();
  Table<ReleaseEvent> events = Table<ReleaseEvent>::open(*store, acme::releases::models::release_event()).value();

  Releases() { actual.items().create_table().value(); }

  Item stored(const std::string& sort) {
    return store->get_item("releases", {{"PK", "R"}, {"SK", sort}}).value().item.value();
  }
};

const std::string kImmutable = "ErrImmutableModelMutation";
const std::string kProtected = "ErrProtectedFieldMutation";

TEST(WriteOnce, items_are_created_once_and_then_stay) {
  Releases releases;
  ModelTable& events = releases.events.items();
  const LogicalItem key{{"PK", "R"}, {"SK", "E1"}};
  const LogicalItem event{{"PK", "R"}, {"SK", "E1"}, {"eventType", "promoted"}};
  EXPECT_EQ(error_name(events.create(event)), "ok");
  EXPECT_EQ(error_name(events.create(event)), "ErrConditionFailed");
  const Item before = releases.stored("E1");
  EXPECT_EQ(error_name(events.put(event)), kImmutable);
  EXPECT_EQ(error_name(events.upsert(event)), kImmutable);
  EXPECT_EQ(error_name(events.update(event, {"eventType"})), kImmutable);
  EXPECT_EQ(error_name(events.change(key, FieldUpdate{}.set("eventType", "x"))), kImmutable);
  EXPECT_EQ(error_name(events.remove(key)), kImmutable);
  EXPECT_EQ(error_name(events.write_many({event})), kImmutable);
  EXPECT_EQ(error_name(events.write_many({}, {key})), kImmutable);
  EXPECT_EQ(error_name(ModelTransaction(*releases.store).remove(events, key).commit()), kImmutable);
  EXPECT_EQ(error_name(ModelTransaction(*releases.store).put(events, event).commit()), kImmutable);
  ReleaseEvent record{.pk = "R", .sk = "E1"};
  EXPECT_EQ(error_name(releases.events.put(record)), kImmutable);
  EXPECT_EQ(error_name(releases.events.upsert(record)), kImmutable);
  EXPECT_EQ(error_name(releases.events.remove(record)), kImmutable);
  EXPECT_EQ(error_name(releases.events.write_many({record})), kImmutable);
  EXPECT_EQ(releases.stored("E1"), before);
  EXPECT_EQ(error_name(ModelTransaction(*releases.store).create(events, {{"PK", "R"}, {"SK", "E2"}}).commit()), "ok");
}

TEST(ProtectedAttributes, keep_the_value_with_which_the_item_was_created) {
  Releases releases;
  ModelTable& actual = releases.actual.items();
  const LogicalItem key{{"PK", "R"}, {"SK", "ACTUAL"}};
  LogicalItem item{{"PK", "R"}, {"SK", "ACTUAL"}, {"status", "active"}, {"pinnedReleaseId", "rel_1"}};
  EXPECT_EQ(error_name(actual.create(item)), "ok");
  item["version"] = 0;
  item["status"] = "warming";
  EXPECT_EQ(error_name(actual.update(item, {"status"})), "ok");
  item["version"] = 1;
  item["pinnedReleaseId"] = "rel_2";
  EXPECT_EQ(error_name(actual.update(item, {"pinnedReleaseId"})), kProtected);
  EXPECT_EQ(error_name(actual.update(item, {"status"}, {.protected_attributes = {"status"}})), kProtected);
  EXPECT_EQ(error_name(actual.put(item)), kProtected);
  EXPECT_EQ(error_name(actual.upsert(item)), kProtected);
  EXPECT_EQ(error_name(actual.write_many({item})), kProtected);
  EXPECT_EQ(error_name(actual.change(key, FieldUpdate{}.remove("pinnedReleaseId"))), kProtected);
  EXPECT_EQ(error_name(actual.change(key, FieldUpdate{}.set("status", "x"), {.protected_attributes = {"status"}})),
            kProtected);
  EXPECT_EQ(releases.stored("ACTUAL").at("pinnedReleaseId"), AttributeValue("rel_1"));
  item.erase("pinnedReleaseId");
  EXPECT_EQ(error_name(actual.upsert(item)), "ok");
  EXPECT_EQ(releases.stored("ACTUAL").at("pinnedReleaseId"), AttributeValue("rel_1"));
  // They guard the value, not the item.
  EXPECT_EQ(error_name(actual.remove(key)), "ok");
}

TEST(NativeJson, is_stored_as_it_is_and_read_from_its_text_as_well) {
  Releases releases;
  ReleaseActual record{.pk = "R", .sk = "ACTUAL", .status = "active"};
  record.provenance = Item{{"mode", "native"}, {"evidence", List{1, nullptr}}};
  record.score = AttributeValue(7);
  record.notes = AttributeValue(List{"a"});
  ASSERT_EQ(error_name(releases.actual.create(record)), "ok");
  Item stored = releases.stored("ACTUAL");
  EXPECT_EQ(stored.at("provenance"), record.provenance);
  EXPECT_EQ(stored.at("score"), AttributeValue(7));
  EXPECT_EQ(stored.at("notes"), AttributeValue(R"(["a"])"));
  EXPECT_EQ(releases.actual.get({"R", "ACTUAL"}).value(), record);

  stored.set("provenance", R"({"evidence":[1,null],"mode":"native"})");
  stored.set("notes", List{"a"});
  releases.store->put_item("releases", stored).value();
  EXPECT_EQ(releases.actual.get({"R", "ACTUAL"}).value(), record);
  EXPECT_EQ(releases.actual.items().get({{"PK", "R"}, {"SK", "ACTUAL"}})->at("notes"),
            LogicalValue(LogicalValue::List{"a"}));
}

TEST(NativeJson, holds_its_type_or_null_and_nothing_that_json_lacks) {
  const Model& model = acme::releases::models::release_actual();
  const auto stored = [&](const char* name, LogicalValue value) {
    const Result<AttributeValue> encoded = encode_attribute(model, *model.find(name), value);
    return encoded ? std::string(type_name(encoded->type())) : error_name(encoded);
  };
  EXPECT_EQ(stored("provenance", LogicalItem{{"a", 1}}), "M");
  EXPECT_EQ(stored("provenance", nullptr), "NULL");
  EXPECT_EQ(stored("provenance", LogicalValue::List{1}), "ErrInvalidModel");
  EXPECT_EQ(stored("provenance", LogicalItem{{"a", Bytes("x")}}), "ErrInvalidModel");
  EXPECT_EQ(stored("score", 5), "N");
  EXPECT_EQ(stored("score", true), "ErrInvalidModel");
}

struct Inner {
  std::string text;
  friend bool operator==(const Inner&, const Inner&) = default;
};
DOLMEN_RECORD(Inner, text);

struct Outer {
  std::string pk;
  Inner inner;
};
DOLMEN_RECORD(Outer, pk, inner);

TEST(Dms02, a_struct_with_members_is_never_empty) {
  Model model{
      .name = "Outer",
      .table = "outer",
      .partition_key = {"pk", KeyType::kString},
      .attributes = {{.name = "pk", .type = Type::kString}, {.name = "inner", .type = Type::kMap, .omit_empty = true}}};
  const std::unique_ptr<Store> store = test_store();
  const auto put = [&] {
    Table<Outer> table = Table<Outer>::open(*store, model).value();
    table.items().ensure_table().value();
    Outer outer{.pk = "O"};
    table.put(outer).value();
    return store->get_item("outer", {{"pk", "O"}}).value().item->contains("inner");
  };
  EXPECT_FALSE(put());
  model.dms_version = DmsVersion::k0_2;
  EXPECT_TRUE(put());
}

}  // namespace
}  // namespace dolmen
