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
                                        {"version", 0},
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

TEST(FieldUpdate, section_3_4_guards_and_counts_the_version_when_one_is_expected) {
  Parcels parcels;
  parcels.table.put(kKey).value();
  const FieldUpdate update = FieldUpdate{}.set("status", "sent");
  EXPECT_EQ(error_name(parcels.table.change(kKey, update, {.expected_version = 0})), "ok");
  EXPECT_EQ(error_name(parcels.table.change(kKey, update, {.expected_version = 0})), "ErrConditionFailed");
  EXPECT_EQ(error_name(parcels.table.change(kKey, FieldUpdate{}.increment("version"))), "ok");
  EXPECT_EQ(parcels.stored(kKey).at("version"), AttributeValue(2));
  const Result<LogicalItem> twice =
      parcels.table.change(kKey, FieldUpdate{}.increment("version"), {.expected_version = 2});
  EXPECT_EQ(error_name(twice), "ErrInvalidOperator");
  EXPECT_EQ(
      twice.error().message(),
      "\"version\" is incremented because a version is expected; remove it from the update, or expect no version");
}

TEST(FieldUpdate, section_3_4_refuses_what_does_not_fit_the_model) {
  Parcels parcels;
  const auto error = [&](const FieldUpdate& update) { return error_name(parcels.table.change(kKey, update)); };
  const std::string wrong = "ErrInvalidOperator";
  EXPECT_EQ(error(FieldUpdate{}), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("none", 1)), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("pk", "x")), wrong);
  EXPECT_EQ(error(FieldUpdate{}.remove("sk")), wrong);
  EXPECT_EQ(error(FieldUpdate{}.set("updated_at", "x")), wrong);
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
