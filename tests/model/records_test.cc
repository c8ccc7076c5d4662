#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "dolmen/model/table.h"
#include "dolmen/model/transaction.h"
#include "error_name.h"
#include "tests/support/test_store.h"

// Structs as items of a model.
namespace dolmen {
namespace {

enum class Colour { red, green };
DOLMEN_ENUM(Colour, red, green);

struct Size {
  int width = 0;
  int height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};
DOLMEN_RECORD(Size, width, height);

/// Kilograms, stored as whole grams.
struct Weight {
  double kilograms = 0;
  friend bool operator==(const Weight&, const Weight&) = default;
};
struct Grams {
  static AttributeValue to(const Weight& weight) { return static_cast<std::int64_t>(weight.kilograms * 1000); }
  static Result<Weight> from(const AttributeValue& value) {
    if (value.type() != Type::kNumber) return std::unexpected(Error(Code::kValidation, "no weight"));
    return Weight{value.number().to_double() / 1000};
  }
  static constexpr TypeSet kTypes{Type::kNumber};
};

using Seconds = std::chrono::sys_seconds;

struct Parcel {
  std::string pk;
  int number = 0;
  std::string status;
  std::optional<std::string> note;
  std::set<std::string> labels;
  std::set<int> codes;
  std::vector<std::string> stops;
  Size size;
  Weight weight;
  Colour colour = Colour::green;
  bool fragile = false;
  std::map<std::string, std::vector<int>> customs;
  std::optional<std::string> recipient;
  std::optional<Seconds> expires;
  std::string created_at;
  std::optional<std::chrono::sys_time<std::chrono::nanoseconds>> updated_at;
  std::int64_t version = 0;
  friend bool operator==(const Parcel&, const Parcel&) = default;
};
DOLMEN_RECORD(Parcel, pk, (number, "sk"), status, note, labels, codes, stops, size, (weight, as<Grams>), colour,
              fragile, customs, recipient, (expires, "ttl", as_seconds), created_at, updated_at, version);

Model typed_parcel_model() {
  return {.name = "Parcel",
          .table = "parcels",
          .partition_key = {"pk", KeyType::kString},
          .sort_key = KeyAttribute{"sk", KeyType::kNumber},
          .attributes = {{.name = "pk", .type = Type::kString, .required = true},
                         {.name = "sk", .type = Type::kNumber, .required = true},
                         {.name = "status", .type = Type::kString, .omit_empty = true},
                         {.name = "note", .type = Type::kString, .optional = true},
                         {.name = "labels", .type = Type::kStringSet, .omit_empty = true},
                         {.name = "codes", .type = Type::kNumberSet},
                         {.name = "stops", .type = Type::kList, .omit_empty = true},
                         {.name = "size", .type = Type::kMap, .omit_empty = true},
                         {.name = "weight", .type = Type::kNumber},
                         {.name = "colour", .type = Type::kString},
                         {.name = "fragile", .type = Type::kBool, .omit_empty = true},
                         {.name = "customs", .type = Type::kString, .json = true},
                         {.name = "recipient", .type = Type::kString, .optional = true, .encrypted = true},
                         {.name = "ttl",
                          .type = Type::kNumber,
                          .optional = true,
                          .roles = {{Role::kTtl}},
                          .format = AttributeFormat::kUnixSeconds},
                         {.name = "created_at", .type = Type::kString, .roles = {{Role::kCreatedAt}}},
                         {.name = "updated_at", .type = Type::kString, .roles = {{Role::kUpdatedAt}}},
                         {.name = "version", .type = Type::kNumber, .roles = {{Role::kVersion}}}},
          .indexes = {{.name = "by-status",
                       .partition_key = {"status", KeyType::kString},
                       .sort_key = KeyAttribute{"weight", KeyType::kNumber},
                       .projection = ProjectionType::kKeysOnly}}};
}

constexpr std::string_view kFirstTime = "2026-01-16T01:02:03.000000000Z";

struct World {
  std::unique_ptr<Store> store = test_store();
  std::unique_ptr<KeyProvider> keys = deterministic_keys("records");
  Timestamp now{.seconds = 1768525323};
  Table<Parcel> parcels = Table<Parcel>::open(*store, typed_parcel_model(),
                                              {.keys = keys.get(), .now = [this] { return now.to_time_point(); }})
                              .value();

  World() { parcels.items().create_table().value(); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Item stored(int number = 1) { return store->get_item("parcels", {{"pk", "P"}, {"sk", number}}).value().item.value(); }
};

TEST(Records, are_stored_by_the_model_and_read_back) {
  World world;
  Parcel parcel{.pk = "P",
                .number = 1,
                .status = "packed",
                .note = "glass",
                .labels = {"b", "a"},
                .codes = {2, 1},
                .stops = {"Brest"},
                .size = {3, 4},
                .weight = {2.5},
                .colour = Colour::red,
                .fragile = true,
                .customs = {{"b", {1, 2}}, {"a", {}}},
                .recipient = "Ada",
                .expires = Seconds(std::chrono::seconds(4100000000))};
  ASSERT_EQ(error_name(world.parcels.create(parcel)), "ok");
  EXPECT_EQ(parcel.created_at, kFirstTime);
  EXPECT_EQ(parcel.updated_at->time_since_epoch(), std::chrono::seconds(1768525323));

  Item stored = world.stored();
  EXPECT_EQ(stored.at("recipient").type(), Type::kMap);
  stored.erase("recipient");
  EXPECT_EQ(stored, (Item{{"pk", "P"},
                          {"sk", 1},
                          {"status", "packed"},
                          {"note", "glass"},
                          {"labels", StringSet{"a", "b"}},
                          {"codes", NumberSet{1, 2}},
                          {"stops", List{"Brest"}},
                          {"size", Item{{"width", 3}, {"height", 4}}},
                          {"weight", 2500},
                          {"colour", "red"},
                          {"fragile", true},
                          {"customs", R"({"a":[],"b":[1,2]})"},
                          {"ttl", 4100000000},
                          {"created_at", kFirstTime},
                          {"updated_at", kFirstTime},
                          {"version", 0}}));
  EXPECT_EQ(world.parcels.get({"P", 1}).value(), parcel);
}

TEST(Records, leave_out_what_is_empty_and_read_it_back_as_empty) {
  World world;
  Parcel parcel{.pk = "P", .number = 1};
  ASSERT_EQ(error_name(world.parcels.create(parcel)), "ok");
  // A struct of empty members is empty, a set that must be there is NULL.
  EXPECT_EQ(world.stored(), (Item{{"pk", "P"},
                                  {"sk", 1},
                                  {"codes", nullptr},
                                  {"weight", 0},
                                  {"colour", "green"},
                                  {"customs", "{}"},
                                  {"created_at", kFirstTime},
                                  {"updated_at", kFirstTime},
                                  {"version", 0}}));
  EXPECT_EQ(world.parcels.get({"P", 1}).value(), parcel);
}

TEST(Records, are_created_once_and_put_again) {
  World world;
  Parcel parcel{.pk = "P", .number = 1, .status = "a"};
  world.parcels.create(parcel).value();
  EXPECT_EQ(error_name(world.parcels.create(parcel)), "ErrConditionFailed");
  EXPECT_EQ(error_name(world.parcels.put(parcel, field(&Parcel::status) == "b")), "ErrConditionFailed");
  world.now.seconds += 1;
  EXPECT_EQ(error_name(world.parcels.put(parcel, field(&Parcel::status) == "a")), "ok");
  EXPECT_NE(parcel.created_at, kFirstTime);
}

TEST(Records, without_their_key_are_refused) {
  World world;
  Parcel parcel{.number = 1};
  EXPECT_EQ(error_name(world.parcels.create(parcel)), "ErrMissingPrimaryKey");
  EXPECT_EQ(error_name(world.parcels.update(parcel, {})), "ErrMissingPrimaryKey");
  EXPECT_EQ(error_name(world.parcels.remove(parcel)), "ErrMissingPrimaryKey");
  EXPECT_EQ(error_name(world.parcels.get({"P"})), "ErrMissingPrimaryKey");
  EXPECT_EQ(error_name(world.parcels.get({"P", 1})), "ErrItemNotFound");
}

TEST(RecordUpdate, stores_the_members_that_it_names_and_counts_the_version) {
  World world;
  Parcel parcel{.pk = "P", .number = 1, .status = "a", .note = "x", .stops = {"Brest"}};
  world.parcels.create(parcel).value();
  world.now.seconds += 60;
  parcel.status = "b";
  parcel.note.reset();
  parcel.stops.clear();
  parcel.fragile = true;
  ASSERT_EQ(error_name(world.parcels.update(parcel, {&Parcel::status, &Parcel::note, &Parcel::stops})), "ok");
  EXPECT_EQ(parcel.version, 1);
  EXPECT_EQ(parcel.updated_at->time_since_epoch(), std::chrono::seconds(1768525383));
  const Item stored = world.stored();
  EXPECT_EQ(stored.at("status"), AttributeValue("b"));
  for (const char* removed : {"note", "stops", "fragile"}) EXPECT_FALSE(stored.contains(removed)) << removed;
  EXPECT_EQ(stored.at("version"), AttributeValue(1));

  Parcel stale = parcel;
  stale.version = 0;
  EXPECT_EQ(error_name(world.parcels.update(stale, {&Parcel::status})), "ErrConditionFailed");
  EXPECT_EQ(stale.version, 0);
  EXPECT_EQ(error_name(world.parcels.remove(stale)), "ErrConditionFailed");
  EXPECT_EQ(error_name(world.parcels.remove(parcel)), "ok");
}

TEST(RecordUpdate, refuses_members_that_are_not_the_callers_to_change) {
  World world;
  Parcel parcel{.pk = "P", .number = 1};
  world.parcels.create(parcel).value();
  EXPECT_EQ(error_name(world.parcels.update(parcel, {&Parcel::pk})), "ErrInvalidModel");
  EXPECT_EQ(error_name(world.parcels.update(parcel, {&Parcel::version})), "ErrInvalidModel");
  EXPECT_EQ(error_name(world.parcels.update(parcel, {&Parcel::updated_at})), "ErrInvalidModel");
  EXPECT_EQ(error_name(world.parcels.update(parcel, {&Parcel::note, &Parcel::note})), "ErrInvalidModel");
}

TEST(RecordUpsert, fills_in_what_was_there) {
  World world;
  Parcel parcel{.pk = "P", .number = 1, .status = "a"};
  world.parcels.upsert(parcel).value();
  EXPECT_EQ(parcel.version, 0);
  world.now.seconds += 60;
  Parcel again{.pk = "P", .number = 1, .note = "x"};
  world.parcels.upsert(again).value();
  EXPECT_EQ(again.version, 1);
  EXPECT_EQ(again.created_at, kFirstTime);
  EXPECT_FALSE(world.stored().contains("status"));
}

TEST(RecordChange, gives_back_the_record_that_it_made) {
  World world;
  Parcel parcel{.pk = "P", .number = 1};
  world.parcels.create(parcel).value();
  const FieldUpdate update = FieldUpdate{}.set("status", "sent").add("weight", 7);
  EXPECT_EQ(world.parcels.change({"P", 1}, update).value(), std::nullopt);
  const auto changed =
      world.parcels.change({"P", 1}, FieldUpdate{}.set("note", "y"), {.return_values = ReturnValues::kAllNew});
  EXPECT_EQ(error_name(changed), "ok");
  EXPECT_EQ(changed.value()->status, "sent");
}

TEST(RecordReads, query_and_scan_by_typed_conditions) {
  World world;
  std::vector<Parcel> parcels;
  for (int i = 0; i < 5; ++i)
    parcels.push_back({.pk = "P",
                       .number = i,
                       .status = i % 2 == 0 ? "even" : "odd",
                       .weight = {static_cast<double>(i)},
                       .colour = i < 2 ? Colour::red : Colour::green,
                       .fragile = i == 4});
  ASSERT_TRUE(world.parcels.write_many(parcels, {{"P", 77}}).value().complete());

  const auto numbers = [](const std::vector<Parcel>& found) {
    std::vector<int> result;
    for (const Parcel& parcel : found) result.push_back(parcel.number);
    return result;
  };
  const auto filtered = [&](FieldCondition filter) {
    return numbers(world.parcels.query().partition("P").filter(std::move(filter)).all().value());
  };
  EXPECT_EQ(filtered(field(&Parcel::colour) == Colour::red), (std::vector{0, 1}));
  EXPECT_EQ(filtered(field(&Parcel::weight) > Weight{2.5}), (std::vector{3, 4}));
  EXPECT_EQ(filtered(field(&Parcel::weight).between({1}, {2})), (std::vector{1, 2}));
  EXPECT_EQ(filtered(field(&Parcel::status).in({"odd"}) || field(&Parcel::fragile) == true), (std::vector{1, 3, 4}));
  EXPECT_EQ(filtered(field(&Parcel::status).begins_with("ev")), (std::vector{0, 2, 4}));
  EXPECT_EQ(filtered(field(&Parcel::note).exists()), std::vector<int>{});
  EXPECT_EQ(error_name(world.parcels.scan().filter(field(&Parcel::recipient) == "Ada").all()),
            "ErrEncryptedFieldNotQueryable");

  // An index that has only the keys gives records with only those.
  const auto page = world.parcels.query().index("by-status").partition("odd").descending().limit(1).page().value();
  EXPECT_EQ(numbers(page.items), std::vector{3});
  EXPECT_EQ(page.items[0].created_at, "");
  const auto rest = world.parcels.query().index("by-status").partition("odd").descending().cursor(page.cursor);
  EXPECT_EQ(numbers(rest.all().value()), std::vector{1});
  EXPECT_EQ(rest.count().value(), 1U);
  EXPECT_EQ(error_name(world.parcels.query().index("by-status").partition("odd").cursor(page.cursor).all()),
            "ErrInvalidOperator");
  EXPECT_EQ(world.parcels.query().partition("P").first().value().number, 0);
  EXPECT_EQ(world.parcels.scan().all_segments(3).value().size(), 5U);
  EXPECT_EQ(world.parcels.query().partition("P").project({"status"}).all().value()[1].status, "odd");

  const GetManyOf<Parcel> many = world.parcels.get_many({{"P", 1}, {"P", 9}}).value();
  EXPECT_EQ(numbers(many.records), std::vector{1});
}

TEST(RecordTransactions, take_records) {
  World world;
  Parcel first{.pk = "P", .number = 1};
  Parcel second{.pk = "P", .number = 2};
  world.parcels.create(first).value();
  world.parcels.create(second).value();
  first.status = "sent";
  const Parcel third{.pk = "P", .number = 3};
  ModelTransaction transaction(*world.store);
  transaction.update(world.parcels, first, {&Parcel::status})
      .remove(world.parcels, second)
      .create(world.parcels, third);
  EXPECT_EQ(error_name(transaction.commit()), "ok");
  EXPECT_EQ(world.parcels.get({"P", 1}).value().version, 1);
  EXPECT_EQ(error_name(world.parcels.get({"P", 2})), "ErrItemNotFound");

  ModelTransaction late(*world.store);
  late.put(world.parcels, third).update(world.parcels, first, {});
  const Result<void> failed = late.commit();
  EXPECT_EQ(error_name(failed), "ErrConditionFailed");
  EXPECT_EQ(failed.error().payload<TransactionFailure>()->index, 1U);
}

TEST(RecordReads, say_what_does_not_fit) {
  World world;
  world.store->put_item("parcels", {{"pk", "P"}, {"sk", 1}, {"note", 5}, {"colour", "blue"}}).value();
  const Result<Parcel> read = world.parcels.get({"P", 1});
  ASSERT_EQ(error_name(read), "ErrInvalidModel");
  ASSERT_EQ(read.error().details().size(), 2U);
  EXPECT_EQ(read.error().details()[0].path, "colour");
  EXPECT_EQ(read.error().details()[1].path, "note");
}

TEST(RecordReads, tolerate_what_other_languages_write) {
  World world;
  world.store
      ->put_item("parcels", {{"pk", "P"},
                             {"sk", 1},
                             {"fragile", nullptr},
                             {"note", nullptr},
                             {"labels", List{"a"}},
                             {"codes", List{1, 2}},
                             {"customs", Item{{"a", List{1}}}},
                             {"somebody", "else"}})
      .value();
  const Parcel read = world.parcels.get({"P", 1}).value();
  EXPECT_FALSE(read.fragile);
  EXPECT_EQ(read.note, std::nullopt);
  EXPECT_EQ(read.labels, std::set<std::string>{"a"});
  EXPECT_EQ(read.codes, (std::set{1, 2}));
  EXPECT_EQ(read.customs.at("a"), std::vector{1});
}

TEST(RecordReads, refuse_a_damaged_envelope) {
  World world;
  Parcel parcel{.pk = "P", .number = 1, .recipient = "Ada"};
  world.parcels.create(parcel).value();
  Item damaged = world.stored();
  damaged.find("recipient")->get_if<Item>()->set("ct", Bytes(std::string(32, 'x')));
  world.store->put_item("parcels", damaged).value();
  const Result<Parcel> read = world.parcels.get({"P", 1});
  EXPECT_EQ(error_name(read), "ErrInvalidEncryptedEnvelope");
}

struct Meeting {
  std::string pk;
  std::chrono::sys_time<std::chrono::nanoseconds> begins;
  std::string made;
};
DOLMEN_RECORD(Meeting, pk, begins, made);

TEST(Records, section_2_5_write_times_in_the_form_that_was_asked_for) {
  const std::unique_ptr<Store> store = test_store();
  const Model model{.name = "Meeting",
                    .table = "meetings",
                    .partition_key = {"pk", KeyType::kString},
                    .attributes = {{.name = "pk", .type = Type::kString},
                                   {.name = "begins", .type = Type::kString, .format = AttributeFormat::kRfc3339Nano},
                                   {.name = "made", .type = Type::kString, .roles = {{Role::kCreatedAt}}}}};
  Table<Meeting> meetings = Table<Meeting>::open(*store, model,
                                                 {.now = [] { return TimePoint(std::chrono::milliseconds(5500)); },
                                                  .timestamp_form = TimestampForm::kTrimmed})
                                .value();
  meetings.items().create_table().value();
  Meeting meeting{.pk = "m", .begins = std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::seconds(1))};
  meetings.create(meeting).value();
  EXPECT_EQ(store->get_item("meetings", {{"pk", "m"}}).value().item.value(),
            (Item{{"pk", "m"}, {"begins", "1970-01-01T00:00:01Z"}, {"made", "1970-01-01T00:00:05.5Z"}}));
  EXPECT_EQ(meetings.get({"m"}).value().begins, meeting.begins);
}

using Instant = std::chrono::sys_time<std::chrono::nanoseconds>;

struct Shift {
  Instant begins;
  std::optional<Instant> ends;
  Instant planned;
  Instant noted;
  std::string made;
  std::vector<Instant> breaks;
};
DOLMEN_RECORD(Shift, begins, ends, planned, noted, made, breaks);

TEST(Records, section_2_5_are_found_by_their_times_in_whatever_form_these_are_stored) {
  const Model model{.name = "Shift",
                    .table = "shifts",
                    .partition_key = {"begins", KeyType::kString},
                    .attributes = {{.name = "begins", .type = Type::kString},
                                   {.name = "ends", .type = Type::kString, .format = AttributeFormat::kRfc3339Nano},
                                   {.name = "planned", .type = Type::kString},
                                   {.name = "noted", .type = Type::kString, .json = true},
                                   {.name = "made", .type = Type::kString, .format = AttributeFormat::kRfc3339Nano},
                                   {.name = "breaks", .type = Type::kList}}};
  const Instant half(std::chrono::milliseconds(1'500));
  const Timestamp half_as_logical{.seconds = 1, .nanoseconds = 500'000'000};
  for (const TimestampForm form : {TimestampForm::kNineDigits, TimestampForm::kTrimmed}) {
    const std::unique_ptr<Store> store = test_store();
    Table<Shift> shifts = Table<Shift>::open(*store, model, {.timestamp_form = form}).value();
    shifts.items().create_table().value();
    Shift shift{.begins = half,
                .ends = half,
                .planned = half,
                .noted = half,
                .made = "1970-01-01T00:00:01.50Z",
                .breaks = {half}};
    shifts.create(shift).value();
    const std::string text = format_timestamp(half_as_logical, form).value();
    EXPECT_EQ(store->scan_page("shifts").value().items.front(), (Item{{"begins", text},
                                                                      {"ends", text},
                                                                      {"planned", text},
                                                                      {"noted", '"' + text + '"'},
                                                                      {"made", "1970-01-01T00:00:01.50Z"},
                                                                      {"breaks", List{text}}}));
    const auto found = [&](const FieldCondition& filter) { return shifts.scan().filter(filter).all().value().size(); };
    EXPECT_EQ(found(field(&Shift::ends) == std::optional(half)), 1U);
    EXPECT_EQ(found(field(&Shift::planned) == half), 1U);
    EXPECT_EQ(found(field(&Shift::noted) == half), 1U);
    EXPECT_EQ(found(field(&Shift::made) == "1970-01-01T00:00:01.50Z"), 1U);
    EXPECT_EQ(found(field(&Shift::breaks).contains(half_as_logical)), 1U);
    EXPECT_EQ(shifts.get({half_as_logical}).value().planned, half);
    EXPECT_EQ(shifts.get_many({{half_as_logical}}).value().records.size(), 1U);
    EXPECT_EQ(shifts.query().partition(half_as_logical).all().value().size(), 1U);
  }
}

struct Stranger {
  std::string pk;
  std::string weight;
  std::string ttl;
  std::set<int> customs;
  int elsewhere = 0;
};
DOLMEN_RECORD(Stranger, pk, weight, ttl, customs, elsewhere);

TEST(RecordTable, tells_every_member_that_can_never_fit) {
  const std::unique_ptr<Store> store = test_store();
  const Result<Table<Stranger>> table = Table<Stranger>::open(*store, typed_parcel_model());
  ASSERT_EQ(error_name(table), "ErrInvalidModel");
  EXPECT_EQ(table.error().message(),
            "Stranger.weight is written as S, but attribute \"weight\" is of type N; "
            "Stranger.ttl is written as S, but attribute \"ttl\" is of type N; a time needs as_seconds; "
            "Stranger.customs is written as NULL or NS, but attribute \"customs\" is json, and JSON has no sets and no "
            "bytes; "
            "Stranger.elsewhere is attribute \"elsewhere\", which model \"Parcel\" does not have; "
            "Stranger.sk is part of the key and has no member");
  EXPECT_EQ(table.error().details().size(), 5U);
}

TEST(RecordTable, fails_closed_without_keys) {
  World world;
  Table<Parcel> parcels = Table<Parcel>::open(*world.store, typed_parcel_model()).value();
  Parcel parcel{.pk = "P", .number = 1};
  const std::string refused = "ErrEncryptionNotConfigured";
  EXPECT_EQ(error_name(parcels.create(parcel)), refused);
  EXPECT_EQ(error_name(parcels.put(parcel)), refused);
  EXPECT_EQ(error_name(parcels.upsert(parcel)), refused);
  EXPECT_EQ(error_name(parcels.get({"P", 1})), refused);
  EXPECT_EQ(error_name(parcels.update(parcel, {})), refused);
  EXPECT_EQ(error_name(parcels.remove(parcel)), refused);
  EXPECT_EQ(error_name(parcels.remove_key({"P", 1})), refused);
  EXPECT_EQ(error_name(parcels.query().partition("P").all()), refused);
  EXPECT_EQ(error_name(parcels.get_many({{"P", 1}})), refused);
  EXPECT_EQ(error_name(parcels.write_many({parcel})), refused);
}

}  // namespace
}  // namespace dolmen
