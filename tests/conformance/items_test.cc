// PutItem, GetItem, UpdateItem, DeleteItem.
#include "base/test_result.h"
#include "conformance.h"
#include "dolmen/cancel.h"

namespace dolmen::conformance {
namespace {

using Items = StoreTest;

const Item kKey{{"p", "a"}, {"s", 1}};

Number number(const char* text) { return Number::parse(text).value(); }

TEST_F(Items, keep_every_type_of_value) {
  const Item item{{"p", "a"},
                  {"s", 1},
                  {"string", "ünïcödé 💎 \" \\ \n"},
                  {"empty", ""},
                  {"number", number("-12345678901234567890123456789012345678")},
                  {"small", number("1E-130")},
                  {"large", number("9.9999999999999999999999999999999999999E+125")},
                  {"binary", Bytes(std::string("\0\1\xff", 3))},
                  {"yes", true},
                  {"no", false},
                  {"null", nullptr},
                  {"list", List{1, "two", List{}, Item{}}},
                  {"map", Item{{"x", Item{{"y", List{nullptr, false}}}}}},
                  {"strings", StringSet{"b", "a"}},
                  {"numbers", NumberSet{3, 1, number("2.5")}},
                  {"binaries", BinarySet{Bytes("x"), Bytes("y")}}};
  put(item);
  EXPECT_EQ(get(kKey), item);
}

TEST_F(Items, are_replaced_whole_by_a_put) {
  put({{"p", "a"}, {"s", 1}, {"old", 1}});
  const Result<WriteResult> second =
      store().put_item(table(), {{"p", "a"}, {"s", 1}, {"new", 2}}, {.return_values = ReturnValues::kAllOld});
  ASSERT_THAT(second, succeeds());
  EXPECT_EQ(second->attributes, (Item{{"p", "a"}, {"s", 1}, {"old", 1}}));
  EXPECT_EQ(get(kKey), (Item{{"p", "a"}, {"s", 1}, {"new", 2}}));
}

TEST_F(Items, that_are_not_there_are_nothing) {
  EXPECT_EQ(get(kKey), std::nullopt);
  const Result<WriteResult> deleted = store().delete_item(table(), kKey, {.return_values = ReturnValues::kAllOld});
  ASSERT_THAT(deleted, succeeds());
  EXPECT_EQ(deleted->attributes, std::nullopt);
}

TEST_F(Items, are_deleted_and_returned) {
  const Item item{{"p", "a"}, {"s", 1}, {"text", "x"}};
  put(item);
  EXPECT_EQ(store().delete_item(table(), kKey, {.return_values = ReturnValues::kAllOld}).value().attributes, item);
  EXPECT_EQ(get(kKey), std::nullopt);
}

TEST_F(Items, can_be_reached_through_a_cancelable_store_until_it_is_canceled) {
  std::stop_source stop;
  const auto calls = cancelable(store(), stop.get_token());
  EXPECT_THAT(calls->put_item(table(), kKey), succeeds());
  EXPECT_EQ(calls->get_item(table(), kKey).value().item, kKey);
  stop.request_stop();
  EXPECT_THAT(calls->delete_item(table(), kKey), fails_with(Code::kCanceled));
  EXPECT_THAT(calls->get_item(table(), kKey), fails_with(Code::kCanceled));
  EXPECT_EQ(get(kKey), kKey);
}

TEST_F(Items, cannot_be_reached_when_a_cancelable_store_of_a_cancelable_store_is_canceled_by_either) {
  for (const bool outer : {true, false}) {
    std::stop_source of_outer;
    std::stop_source of_inner;
    const auto calls = cancelable(store(), of_outer.get_token());
    const auto inner = cancelable(*calls, of_inner.get_token());
    EXPECT_THAT(inner->put_item(table(), kKey), succeeds());
    (outer ? of_outer : of_inner).request_stop();
    const auto got = inner->get_item(table(), kKey);
    ASSERT_FALSE(got.has_value()) << "the stop of the " << (outer ? "outer" : "inner") << " one is forgotten";
    EXPECT_THAT(got, fails_with(Code::kCanceled));
    EXPECT_EQ(calls->get_item(table(), kKey).has_value(), !outer);
  }
}

TEST_F(Items, are_projected) {
  put({{"p", "a"}, {"s", 1}, {"name", "reserved"}, {"list", List{1, 2, 3}}, {"map", Item{{"x", 1}, {"y", 2}}}});
  const auto projected = [&](const Projection& projection) {
    return store().get_item(table(), kKey, {.projection = projection}).value().item;
  };
  EXPECT_EQ(projected({attr("name"), attr("list")[1], attr("map")["y"]}),
            (Item{{"name", "reserved"}, {"list", List{2}}, {"map", Item{{"y", 2}}}}));
  EXPECT_EQ(projected({"#n, #m.x", {{"#n", "name"}, {"#m", "map"}}}),
            (Item{{"name", "reserved"}, {"map", Item{{"x", 1}}}}));
  EXPECT_EQ(projected({attr("nothing")}), Item{});
}

TEST_F(Items, obey_conditions) {
  const PutOptions once{.condition = attr("p").not_exists()};
  ASSERT_THAT(store().put_item(table(), {{"p", "a"}, {"s", 1}, {"n", 1}}, once), succeeds());
  const auto again = store().put_item(table(), {{"p", "a"}, {"s", 1}, {"n", 2}}, once);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again, fails_with(Code::kConditionFailed));
  EXPECT_EQ(again.error().message(), "The conditional request failed");
  EXPECT_EQ(failed_item(again.error()), std::nullopt);
  EXPECT_EQ(get(kKey)->at("n"), 1);
}

TEST_F(Items, come_with_the_failed_condition_when_asked_for) {
  put({{"p", "a"}, {"s", 1}, {"n", 1}});
  const auto failed = store().update_item(table(), kKey, Update{}.set(attr("n"), 2),
                                          {.condition = attr("n") == 5, .return_item_on_failure = true});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed_item(failed.error()), (Item{{"p", "a"}, {"s", 1}, {"n", 1}}));
}

TEST_F(Items, decide_conditions_of_every_form) {
  put({{"p", "a"},
       {"s", 1},
       {"n", 5},
       {"m", 5},
       {"text", "hello"},
       {"list", List{1, "x"}},
       {"tags", StringSet{"x", "y"}},
       {"map", Item{{"a.b", 1}}},
       {"nil", nullptr}});
  const auto holds = [&](const Condition& condition) {
    const auto result = store().delete_item(table(), kKey, {.condition = condition && attr("n") == -1});
    const auto checked = store().update_item(table(), kKey, Update{}.set(attr("seen"), true), {.condition = condition});
    EXPECT_FALSE(result.has_value());
    EXPECT_THAT(checked, testing::AnyOf(succeeds(), fails_with(Code::kConditionFailed)));
    return checked.has_value();
  };
  EXPECT_TRUE(holds(attr("n") == 5));
  EXPECT_TRUE(holds(attr("n") == attr("m")));
  EXPECT_FALSE(holds(attr("n") != 5));
  EXPECT_TRUE(holds(attr("nothing") != 5));
  EXPECT_FALSE(holds(attr("nothing") == 5));
  EXPECT_TRUE(holds(attr("n") > 4 && attr("n") >= 5 && attr("n") < 6 && attr("n") <= 5));
  EXPECT_FALSE(holds(attr("n") < "9"));
  EXPECT_TRUE(holds(attr("n").between(5, 6)));
  EXPECT_TRUE(holds(attr("n").in({1, 3, 5})));
  EXPECT_FALSE(holds(attr("n").in({1, "5"})));
  EXPECT_TRUE(holds(attr("text").begins_with("he") && attr("text").contains("ell")));
  EXPECT_TRUE(holds(attr("tags").contains("x") && attr("list").contains(1)));
  EXPECT_TRUE(holds(attr("text").size() == 5 && attr("tags").size() == 2 && attr("list").size() > 1));
  EXPECT_TRUE(holds(attr("map")["a.b"] == 1));
  EXPECT_TRUE(holds(attr("list")[1] == "x"));
  EXPECT_TRUE(holds(attr("nil").is(Type::kNull) && attr("nil").exists()));
  EXPECT_TRUE(holds(!(attr("n") == 6) && (attr("n") == 6 || attr("m") == 5)));
  EXPECT_TRUE(holds({"#n BETWEEN :low AND :high", {{":low", 1}, {":high", 9}}, {{"#n", "n"}}}));
}

TEST_F(Items, are_updated_by_every_clause) {
  put({{"p", "a"}, {"s", 1}, {"n", 5}, {"list", List{2}}, {"tags", StringSet{"a", "b"}}, {"gone", 1}, {"copy", "c"}});
  Update update;
  update.set(attr("text"), "new")
      .set(attr("copied"), attr("copy"))
      .set_if_not_exists(attr("n"), 100)
      .set_if_not_exists(attr("fresh"), 100)
      .increment(attr("counted"), 1)
      .append(attr("list"), {3})
      .remove(attr("gone"))
      .add(attr("views"), 3)
      .erase_from(attr("tags"), StringSet{"a"});
  // An attribute that is incremented must exist.
  EXPECT_THAT(store().update_item(table(), kKey, update), fails_with(Code::kValidation));
  ASSERT_THAT(store().update_item(table(), kKey, Update{}.set(attr("counted"), 1)), succeeds());
  const auto updated = store().update_item(table(), kKey, update, {.return_values = ReturnValues::kAllNew});
  ASSERT_THAT(updated, succeeds());
  EXPECT_EQ(updated->attributes, (Item{{"p", "a"},
                                       {"s", 1},
                                       {"n", 5},
                                       {"list", List{2, 3}},
                                       {"tags", StringSet{"b"}},
                                       {"copy", "c"},
                                       {"copied", "c"},
                                       {"text", "new"},
                                       {"fresh", 100},
                                       {"counted", 2},
                                       {"views", 3}}));
}

TEST_F(Items, return_what_an_update_touched) {
  put({{"p", "a"}, {"s", 1}, {"n", 1}, {"other", 1}});
  const auto returned = [&](ReturnValues which) {
    return store()
        .update_item(table(), kKey, Update{}.increment(attr("n"), 1), {.return_values = which})
        .value()
        .attributes;
  };
  EXPECT_EQ(returned(ReturnValues::kUpdatedOld), (Item{{"n", 1}}));
  EXPECT_EQ(returned(ReturnValues::kUpdatedNew), (Item{{"n", 3}}));
  EXPECT_EQ(returned(ReturnValues::kAllOld), (Item{{"p", "a"}, {"s", 1}, {"n", 3}, {"other", 1}}));
  EXPECT_EQ(returned(ReturnValues::kAllNew), (Item{{"p", "a"}, {"s", 1}, {"n", 5}, {"other", 1}}));
  EXPECT_EQ(returned(ReturnValues::kNone), std::nullopt);
}

TEST_F(Items, are_made_by_an_update) {
  ASSERT_THAT(store().update_item(table(), kKey, Update{}.increment_or_start(attr("n"), 1, 10)), succeeds());
  EXPECT_EQ(get(kKey), (Item{{"p", "a"}, {"s", 1}, {"n", 11}}));
}

TEST_F(Items, tell_the_capacity_they_consumed) {
  const auto written = store().put_item(table(), {{"p", "a"}, {"s", 1}, {"data", std::string(1500, 'x')}},
                                        {.return_capacity = ReturnCapacity::kTotal});
  ASSERT_THAT(written, succeeds());
  ASSERT_TRUE(written->capacity.has_value());
  EXPECT_EQ(written->capacity->table, table());
  EXPECT_EQ(written->capacity->total, 2.0);
  const auto found = store().get_item(table(), kKey, {.return_capacity = ReturnCapacity::kTotal}).value();
  EXPECT_EQ(found.capacity.value().total, 1.0);
}

TEST_F(Items, that_break_a_rule_are_refused_and_change_nothing) {
  const auto refused = [&](const Item& item) {
    const auto result = store().put_item(table(), item);
    return !result && result.error().code() == Code::kValidation;
  };
  EXPECT_TRUE(refused({{"p", "a"}}));
  EXPECT_TRUE(refused({{"p", 1}, {"s", 1}}));
  EXPECT_TRUE(refused({{"p", ""}, {"s", 1}}));
  EXPECT_TRUE(refused({{"p", std::string(2049, 'x')}, {"s", 1}}));
  EXPECT_TRUE(refused({{"p", "a"}, {"s", 1}, {"set", StringSet{}}}));
  EXPECT_TRUE(refused({{"p", "a"}, {"s", 1}, {"text", 5}})) << "an index key of the wrong type";
  EXPECT_TRUE(refused({{"p", "a"}, {"s", 1}, {"data", std::string(400 * 1024, 'x')}}));
  EXPECT_EQ(get(kKey), std::nullopt);
}

TEST_F(Items, refuse_expressions_that_are_wrong) {
  const auto code = [&](const Condition& condition) {
    return store().put_item(table(), {{"p", "a"}, {"s", 1}}, {.condition = condition}).error().code();
  };
  EXPECT_EQ(code("n ="), Code::kValidation);
  EXPECT_EQ(code("n = :missing"), Code::kValidation);
  EXPECT_EQ(code({"n = :v", {{":v", 1}, {":unused", 2}}}), Code::kValidation);
  EXPECT_EQ(code(Condition{"n = :v", {{":v", 1}}} && Condition{"m = :v", {{":v", 2}}}), Code::kValidation);
  EXPECT_THAT(store().update_item(table(), kKey, Update{}.set(attr("p"), "b")), fails_with(Code::kValidation));
}

}  // namespace
}  // namespace dolmen::conformance
