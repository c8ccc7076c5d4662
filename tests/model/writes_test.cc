#include <gtest/gtest.h>

#include "dolmen/model/transaction.h"
#include "parcels.h"

namespace dolmen {
namespace {

const LogicalItem kKey{{"pk", "P"}, {"sk", 0}};
const LogicalItem kOther{{"pk", "P"}, {"sk", 1}};

TEST(FieldUpdate, section_3_4_changes_by_what_it_says) {
  Parcels parcels;
  parcels.table
      .put({{"pk", "P"},
            {"sk", 0},
            {"weight", 1},
            {"labels", LogicalValue::List{"a", "b"}},
            {"steps", LogicalValue::List{1, 2}},
            {"note", "x"}})
      .value();
  parcels.now.seconds += 60;
  const LogicalItem changed = parcels.table
                                  .change(kKey,
                                          FieldUpdate{}
                                              .set("status", "sent")
                                              .set_if_not_exists("body", LogicalItem{{"b", 1}, {"a", 2}})
                                              .increment("weight")
                                              .erase_from("labels", "a")
                                              .append("steps", LogicalValue::List{3})
                                              .remove("note"),
                                          {.return_values = ReturnValues::kAllNew})
                                  .value();
  EXPECT_EQ(changed.at("labels"), (LogicalValue(LogicalValue::List{"b"})));
  EXPECT_EQ(parcels.stored(kKey), (Item{{"pk", "P"},
                                        {"sk", 0},
                                        {"status", "sent"},
                                        {"body", R"({"a":2,"b":1})"},
                                        {"weight", 2},
                                        {"labels", StringSet{"b"}},
                                        {"steps", List{1, 2, 3}},
                                        {"version", 1},
                                        {"created_at", "2026-01-16T01:02:03.000000000Z"},
                                        {"updated_at", "2026-01-16T01:03:03.000000000Z"}}));
}

TEST(FieldUpdate, section_3_4_changes_single_elements_of_lists) {
  Parcels parcels;
  parcels.table.put({{"pk", "P"}, {"sk", 0}, {"steps", LogicalValue::List{1, 2, 3}}}).value();
  parcels.table.change(kKey, FieldUpdate{}.set_element("steps", 1, "two").remove_element("steps", 0)).value();
  EXPECT_EQ(parcels.stored(kKey).at("steps"), AttributeValue(List{"two", 3}));
  parcels.table.change(kKey, FieldUpdate{}.prepend("steps", LogicalValue::List{nullptr})).value();
  EXPECT_EQ(parcels.stored(kKey).at("steps"), AttributeValue(List{nullptr, "two", 3}));
}

TEST(FieldUpdate, section_3_4_counts_the_version_so_that_a_stale_copy_never_wins) {
  Parcels parcels;
  parcels.table.put(kKey).value();
  LogicalItem stale = parcels.table.get(kKey).value();
  const FieldUpdate update = FieldUpdate{}.set("status", "sent");
  EXPECT_EQ(error_name(parcels.table.change(kKey, update)), "ok");
  EXPECT_EQ(parcels.stored(kKey).at("version"), AttributeValue(1));
  stale["status"] = "lost";
  EXPECT_EQ(error_name(parcels.table.update(stale, {"status"})), "ErrConditionFailed");
  EXPECT_EQ(error_name(parcels.table.change(kKey, update, {.expected_version = 1})), "ok");
  EXPECT_EQ(error_name(parcels.table.change(kKey, update, {.expected_version = 1})), "ErrConditionFailed");
  EXPECT_EQ(parcels.stored(kKey).at("version"), AttributeValue(2));
}

TEST(FieldUpdate, section_3_4_leaves_the_version_alone_when_it_is_told_to) {
  Parcels parcels;
  parcels.table.put(kKey).value();
  const FieldUpdate update = FieldUpdate{}.add("weight", 1);
  EXPECT_EQ(error_name(parcels.table.change(kKey, update, {.count_version = false})), "ok");
  EXPECT_EQ(error_name(parcels.table.change(kKey, update, {.expected_version = 0, .count_version = false})), "ok");
  EXPECT_EQ(parcels.stored(kKey).at("version"), AttributeValue(0));
}

TEST(FieldUpdate, section_3_4_makes_an_item_with_its_times_and_version_0) {
  Parcels parcels;
  parcels.table.change(kKey, FieldUpdate{}.set("status", "new")).value();
  EXPECT_EQ(parcels.stored(kKey), (Item{{"pk", "P"},
                                        {"sk", 0},
                                        {"status", "new"},
                                        {"version", 0},
                                        {"created_at", "2026-01-16T01:02:03.000000000Z"},
                                        {"updated_at", "2026-01-16T01:02:03.000000000Z"}}));
}

TEST(FieldUpdate, section_2_2_removes_what_is_empty) {
  Parcels parcels;
  parcels.table.put({{"pk", "P"}, {"sk", 0}, {"note", "x"}, {"labels", LogicalValue::List{"a"}}}).value();
  parcels.table.change(kKey, FieldUpdate{}.set("note", "").set("labels", LogicalValue::List{}).set("weight", 0))
      .value();
  Item stored = parcels.stored(kKey);
  EXPECT_FALSE(stored.contains("note"));
  EXPECT_FALSE(stored.contains("labels"));
  EXPECT_EQ(stored.at("weight"), AttributeValue(0));
  parcels.table.change(kKey, FieldUpdate{}.set_if_not_exists("note", "")).value();
  EXPECT_FALSE(parcels.stored(kKey).contains("note"));
}

TEST(FieldUpdate, sets_and_removes_nothing_that_the_library_keeps) {
  Parcels parcels;
  parcels.table.put(kKey).value();
  const Item before = parcels.stored(kKey);
  for (const char* owned : {"created_at", "updated_at", "version"}) {
    EXPECT_EQ(error_name(parcels.table.change(kKey, FieldUpdate{}.set(owned, 9))), "ErrInvalidModel") << owned;
    EXPECT_EQ(error_name(parcels.table.change(kKey, FieldUpdate{}.remove(owned))), "ErrInvalidModel") << owned;
  }
  EXPECT_EQ(error_name(parcels.table.change(kKey, FieldUpdate{}.increment("version"))), "ErrInvalidModel");
  EXPECT_EQ(parcels.stored(kKey), before);
}

/// A model with required attributes, one of which is left out when it is empty.
struct Letters {
  std::unique_ptr<Store> store = test_store();
  Model model{.name = "Letter",
              .table = "letters",
              .partition_key = {"pk", KeyType::kString},
              .attributes = {
                  {.name = "pk", .type = Type::kString, .required = true},
                  {.name = "to", .type = Type::kString, .required = true, .omit_empty = true},
                  {.name = "stamps", .type = Type::kStringSet, .required = true},
                  {.name = "body", .type = Type::kString, .required = true, .json = true},
                  {.name = "read", .type = Type::kString, .omit_empty = true, .format = AttributeFormat::kRfc3339Nano},
                  {.name = "due", .type = Type::kNumber, .omit_empty = true, .format = AttributeFormat::kUnixSeconds},
                  {.name = "version", .type = Type::kNumber, .roles = {{Role::kVersion}}}}};
  ModelTable table = ModelTable::open(*store, model).value();
  LogicalItem key{{"pk", "L"}};
  LogicalItem item{
      {"pk", "L"}, {"to", "Ada"}, {"stamps", LogicalValue::List{"a", "b"}}, {"body", LogicalItem{{"x", 1}}}};

  Letters() { table.create_table().value(); }

  Item stored() { return store->get_item("letters", {{"pk", "L"}}).value().item.value(); }
  LogicalItem with(const std::string& name, LogicalValue value) const {
    LogicalItem changed = item;
    changed[name] = std::move(value);
    return changed;
  }
};

TEST(Required, attributes_are_neither_removed_nor_emptied_by_any_write) {
  Letters letters;
  letters.table.create(letters.item).value();
  const Item before = letters.stored();
  const std::vector<std::pair<std::string, LogicalValue>> empty{
      {"to", ""}, {"to", nullptr}, {"stamps", LogicalValue::List{}}, {"stamps", nullptr}, {"body", nullptr}};
  for (const auto& [name, value] : empty) {
    EXPECT_EQ(error_name(letters.table.put(letters.with(name, value))), "ErrInvalidModel") << name;
    EXPECT_EQ(error_name(letters.table.upsert(letters.with(name, value))), "ErrInvalidModel") << name;
    LogicalItem updated = letters.with(name, value);
    updated["version"] = 0;
    EXPECT_EQ(error_name(letters.table.update(updated, {name})), "ErrInvalidModel") << name;
    EXPECT_EQ(error_name(letters.table.change(letters.key, FieldUpdate{}.set(name, value))), "ErrInvalidModel") << name;
    EXPECT_EQ(error_name(letters.table.change(letters.key, FieldUpdate{}.remove(name))), "ErrInvalidModel") << name;
  }
  EXPECT_EQ(letters.stored(), before);
}

TEST(Required, sets_keep_a_member) {
  Letters letters;
  letters.table.create(letters.item).value();
  const auto erase = [&](LogicalValue members) {
    return error_name(letters.table.change(letters.key, FieldUpdate{}.erase_from("stamps", std::move(members))));
  };
  EXPECT_EQ(erase(LogicalValue::List{"a", "b"}), "ErrConditionFailed");
  EXPECT_EQ(erase("a"), "ok");
  EXPECT_EQ(erase("b"), "ErrConditionFailed");
  EXPECT_EQ(erase("c"), "ok");
  EXPECT_EQ(letters.stored().at("stamps"), AttributeValue(StringSet{"b"}));
}

TEST(Required, attributes_are_all_there_in_an_item_that_a_change_makes) {
  Letters letters;
  const FieldUpdate part = FieldUpdate{}.set("to", "Ada");
  EXPECT_EQ(error_name(letters.table.change(letters.key, part)), "ErrConditionFailed");
  EXPECT_EQ(error_name(letters.table.get(letters.key)), "ErrItemNotFound");
  const FieldUpdate whole = FieldUpdate{}.set("to", "Ada").add("stamps", "a").set_if_not_exists("body", 1);
  EXPECT_EQ(error_name(letters.table.change(letters.key, whole)), "ok");
  ModelTable lax = ModelTable::open(*letters.store, letters.model, {.check_required = false}).value();
  EXPECT_EQ(error_name(lax.change({{"pk", "M"}}, part)), "ok");
  EXPECT_EQ(error_name(lax.change({{"pk", "M"}}, FieldUpdate{}.remove("to"))), "ok");
}

TEST(ZeroTime, is_empty_whichever_way_it_comes) {
  Letters letters;
  constexpr std::int64_t kZero = -62'135'596'800;
  const std::vector<std::pair<std::string, LogicalValue>> zeros{{"read", Timestamp{.seconds = kZero}},
                                                                {"read", "0001-01-01T00:00:00Z"},
                                                                {"read", "0001-01-01T00:00:00.000000000Z"},
                                                                {"due", Timestamp{.seconds = kZero}},
                                                                {"due", Timestamp{.seconds = 0}},
                                                                {"due", kZero},
                                                                {"due", "-62135596800"},
                                                                {"due", 0}};
  for (const auto& [name, value] : zeros) {
    letters.table.put(letters.with(name, value)).value();
    EXPECT_FALSE(letters.stored().contains(name)) << name;
    const LogicalValue full = name == "read" ? LogicalValue("2026-01-16T01:02:03Z") : LogicalValue(1768525323);
    letters.table.put(letters.with(name, full)).value();
    LogicalItem updated = letters.with(name, value);
    updated["version"] = 0;
    letters.table.update(updated, {name}).value();
    EXPECT_FALSE(letters.stored().contains(name)) << name;
    letters.table.put(letters.with(name, full)).value();
    letters.table.change(letters.key, FieldUpdate{}.set(name, value)).value();
    EXPECT_FALSE(letters.stored().contains(name)) << name;
  }
}

TEST(FieldUpdate, changes_parts_of_lists_and_maps) {
  Parcels parcels;
  parcels.table.put({{"pk", "P"}, {"sk", 0}, {"steps", LogicalValue::List{LogicalItem{{"at", "Brest"}, {"n", 1}}, 2}}})
      .value();
  parcels.table
      .change(kKey, FieldUpdate{}
                        .set("steps[0].at", "Rennes")
                        .add("steps[0].n", 2)
                        .add("steps[0].new", 5)
                        .set_if_not_exists("steps[0].by", LogicalValue::List{"train"})
                        .set_element("steps", 1, 3))
      .value();
  EXPECT_EQ(parcels.stored(kKey).at("steps"),
            AttributeValue(List{Item{{"at", "Rennes"}, {"n", 3}, {"new", 5}, {"by", List{"train"}}}, 3}));
  parcels.table
      .change(kKey,
              FieldUpdate{}.remove("steps[0].n").append("steps[0].by", LogicalValue::List{"ship"}).remove("steps[1]"))
      .value();
  EXPECT_EQ(parcels.stored(kKey).at("steps"),
            AttributeValue(List{Item{{"at", "Rennes"}, {"new", 5}, {"by", List{"train", "ship"}}}}));
  parcels.table.change(kKey, FieldUpdate{}.set_element("steps[0].by", 0, "car").remove_element("steps[0].by", 1))
      .value();
  EXPECT_EQ(parcels.stored(kKey).at("steps").list()[0].map().at("by"), AttributeValue(List{"car"}));
}

TEST(FieldUpdate, refuses_paths_that_lead_nowhere_or_meet) {
  Parcels parcels;
  parcels.table.put({{"pk", "P"}, {"sk", 0}, {"steps", LogicalValue::List{1, 2}}}).value();
  const auto error = [&](const FieldUpdate& update) { return error_name(parcels.table.change(kKey, update)); };
  for (const char* path : {"status.a", "body.a", "labels[0]", "none.a", "steps.", "steps[", "steps[x]", "steps[0]x",
                           "steps[0]..a", "steps[]", "steps[-1]", "pk.a"})
    EXPECT_EQ(error(FieldUpdate{}.set(path, 1)), "ErrInvalidOperator") << path;
  EXPECT_EQ(error(FieldUpdate{}.set("steps", LogicalValue::List{}).set("steps[0]", 1)), "ErrInvalidOperator");
  EXPECT_EQ(error(FieldUpdate{}.set("steps[0]", 1).remove("steps[0].a")), "ErrInvalidOperator");
  EXPECT_EQ(error(FieldUpdate{}.set("steps[0].a", 1).set("steps[0][1]", 2)), "ErrInvalidOperator");
  EXPECT_EQ(error(FieldUpdate{}.erase_from("steps[0]", 1)), "ErrInvalidOperator");
  EXPECT_EQ(error(FieldUpdate{}.add("steps[0]", "one")), "ErrInvalidModel");
  EXPECT_EQ(error(FieldUpdate{}.append("steps[0]", 1)), "ErrInvalidModel");
}

TEST(Conditions, compare_parts_of_lists_and_maps) {
  Parcels parcels;
  parcels.table.put({{"pk", "P"}, {"sk", 0}, {"steps", LogicalValue::List{LogicalItem{{"at", "Brest"}, {"n", 3}}, 2}}})
      .value();
  const auto holds = [&](const FieldCondition& condition) {
    return error_name(parcels.table.change(kKey, FieldUpdate{}.set("note", "x"), {.condition = condition}));
  };
  EXPECT_EQ(holds(field("steps[0].at") == "Brest" && field("steps[0].n").between(1, 3)), "ok");
  EXPECT_EQ(holds(field("steps[0].at").begins_with("Br") && field("steps[1]").in({1, 2})), "ok");
  EXPECT_EQ(holds(field("steps[0].at").contains("res") && field("steps[2]").not_exists()), "ok");
  EXPECT_EQ(holds(field("steps[0].n") > 3), "ErrConditionFailed");
  EXPECT_EQ(holds(field("steps[0].at.deeper").exists()), "ErrConditionFailed");
  EXPECT_EQ(holds(field("status.a") == 1), "ErrInvalidOperator");
  EXPECT_EQ(parcels.table.scan().filter(field("steps[0].at") == "Brest").all()->size(), 1U);
}

TEST(Paths, take_the_name_of_an_attribute_before_a_path) {
  const Model model{.name = "Dotted",
                    .table = "dotted",
                    .partition_key = {"pk", KeyType::kString},
                    .attributes = {{.name = "pk", .type = Type::kString},
                                   {.name = "a", .type = Type::kMap},
                                   {.name = "a.b", .type = Type::kMap},
                                   {.name = "a.b[0]", .type = Type::kNumber}}};
  EXPECT_EQ(compile_condition(model, field("a.b[0]") == 1).value(), attr("a.b[0]") == 1);
  EXPECT_EQ(compile_condition(model, field("a.b.c") == 1).value(), attr("a.b")["c"] == 1);
  EXPECT_EQ(compile_condition(model, field("a.c[2].d") == 1).value(), attr("a")["c"][2]["d"] == 1);
}

TEST(FieldUpdate, section_3_4_refuses_what_does_not_fit_the_model) {
  Parcels parcels;
  const auto error = [&](const FieldUpdate& update) { return error_name(parcels.table.change(kKey, update)); };
  const std::string wrong = "ErrInvalidOperator";
  EXPECT_EQ(error(FieldUpdate{}), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("none", 1)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("pk", "x")), wrong);
  EXPECT_EQ(error(FieldUpdate{}.remove("sk")), wrong);
  EXPECT_EQ(error(FieldUpdate{}.add("status", 1)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.erase_from("weight", 1)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.append("labels", LogicalValue::List{"a"})), wrong);
  EXPECT_EQ(error(FieldUpdate{}.add("labels", LogicalValue::List{})), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("weight", 1).add("weight", 1)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.remove("note").set("note", "x")), wrong);
  EXPECT_EQ(error(FieldUpdate{}.append("steps", LogicalValue::List{1}).remove_element("steps", 0)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set_element("steps", 0, 1).remove_element("steps", 0)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("weight", true)), "ErrInvalidModel");
  EXPECT_EQ(error(FieldUpdate{}.append("steps", 1)), "ErrInvalidModel");
}

TEST(Operators, section_3_4_are_read_in_either_case_and_by_either_name) {
  EXPECT_EQ(parse_operator("begins_with").value(), Operator::kBeginsWith);
  EXPECT_EQ(parse_operator("<>").value(), Operator::kNotEqual);
  EXPECT_EQ(parse_operator("Attribute_Not_Exists").value(), Operator::kNotExists);
  EXPECT_EQ(error_name(parse_operator("like")), "ErrInvalidOperator");
}

TEST(ModelTransaction, section_3_5_does_everything_or_nothing_and_names_the_culprit) {
  Parcels parcels;
  parcels.table.create(kOther).value();
  const Result<void> failed =
      ModelTransaction(*parcels.store).put(parcels.table, kKey).create(parcels.table, kOther).commit();
  EXPECT_EQ(error_name(failed), "ErrConditionFailed");
  const TransactionFailure* failure = failed.error().payload<TransactionFailure>();
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->index, 1U);
  EXPECT_EQ(failure->reasons.at(0).reason, "None");
  EXPECT_EQ(error_name(parcels.table.get(kKey)), "ErrItemNotFound");

  EXPECT_EQ(error_name(ModelTransaction(*parcels.store)
                           .create(parcels.table, kKey)
                           .remove(parcels.table, kOther, {.expected_version = 0})
                           .commit()),
            "ok");
  EXPECT_EQ(error_name(parcels.table.get(kOther)), "ErrItemNotFound");
}

TEST(ModelTransaction, section_3_7_other_reasons_are_failed_transactions) {
  Parcels parcels;
  parcels.store->put_item("parcels", {{"pk", "P"}, {"sk", 0}, {"labels", "text"}}).value();
  const Result<void> failed =
      ModelTransaction(*parcels.store).change(parcels.table, kKey, FieldUpdate{}.add("labels", "a")).commit();
  EXPECT_EQ(error_name(failed), "ErrTransactionFailed");
  ASSERT_NE(failed.error().payload<TransactionFailure>(), nullptr);
  EXPECT_EQ(failed.error().payload<TransactionFailure>()->reasons.at(0).reason, "ValidationError");
}

TEST(ModelTransaction, section_3_5_keeps_times_and_versions_by_the_clock_that_it_was_given) {
  Parcels parcels;
  parcels.table.create(kOther).value();
  parcels.now.seconds += 60;
  const LogicalItem changed{{"pk", "P"}, {"sk", 1}, {"status", "sent"}, {"version", 0}};
  EXPECT_EQ(error_name(ModelTransaction(*parcels.store)
                           .create(parcels.table, kKey)
                           .update(parcels.table, changed, {"status"})
                           .commit()),
            "ok");
  EXPECT_EQ(parcels.stored(kKey).at("created_at"), AttributeValue("2026-01-16T01:03:03.000000000Z"));
  const Item updated = parcels.stored(kOther);
  EXPECT_EQ(updated.at("version"), AttributeValue(1));
  EXPECT_EQ(updated.at("created_at"), AttributeValue("2026-01-16T01:02:03.000000000Z"));
  EXPECT_EQ(updated.at("updated_at"), AttributeValue("2026-01-16T01:03:03.000000000Z"));
}

TEST(ModelTransaction, section_3_5_refuses_two_actions_on_one_item_before_it_sends_anything) {
  Parcels parcels;
  const Result<void> refused = ModelTransaction(*parcels.store)
                                   .put(parcels.table, kOther)
                                   .check(parcels.table, kKey, field("status").not_exists())
                                   .remove(parcels.table, {{"pk", "P"}, {"sk", 0.0}})
                                   .commit();
  EXPECT_EQ(error_name(refused), "ErrInvalidOperator");
  EXPECT_EQ(refused.error().message(), "actions 1 and 2 of the transaction are on the same item");
}

TEST(ModelTransaction, section_3_5_has_1_to_100_actions_without_mistakes) {
  Parcels parcels;
  EXPECT_EQ(error_name(ModelTransaction(*parcels.store).commit()), "ErrInvalidOperator");
  ModelTransaction many(*parcels.store);
  for (int i = 0; i < 100; ++i) many.put(parcels.table, {{"pk", "P"}, {"sk", i}});
  EXPECT_EQ(error_name(many.commit()), "ok");
  many.put(parcels.table, {{"pk", "P"}, {"sk", 100}});
  EXPECT_EQ(error_name(many.commit()), "ErrInvalidOperator");
  EXPECT_EQ(error_name(ModelTransaction(*parcels.store).put(parcels.table, {{"pk", "P"}}).commit()),
            "ErrMissingPrimaryKey");
  EXPECT_EQ(error_name(ModelTransaction(*parcels.store).check(parcels.table, kKey, {}).commit()), "ErrInvalidOperator");
}

}  // namespace
}  // namespace dolmen
