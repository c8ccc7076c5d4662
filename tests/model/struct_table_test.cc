#include <array>
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/test_result.h"
#include "dolmen/model.h"
#include "tests/support/test_store.h"

// Tables from a struct alone.
namespace dolmen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Note {
  std::string topic;
  std::int64_t written = 0;
  std::optional<std::string> text;
  std::set<std::string> tags;
  std::vector<std::string> lines;
  std::array<float, 3> meaning{};
  int views = 0;
  std::optional<std::chrono::sys_seconds> expires;

  friend bool operator==(const Note&, const Note&) = default;
};
DOLMEN_RECORD(Note, topic, (written, "w"), text, tags, lines, meaning, (views, defaulted),
              (expires, "ttl", as_seconds));

struct Saved {
  std::string id;
  int count = 0;
  std::int64_t version = 0;
  std::string created;
  std::chrono::sys_time<std::chrono::nanoseconds> updated;
};
DOLMEN_RECORD(Saved, id, count, version, created, updated);

struct Forgotten {
  std::string id;
  std::string not_named;
};
DOLMEN_RECORD(Forgotten, id);

class StructTableTest : public ::testing::Test {
 protected:
  std::unique_ptr<Store> store = test_store();
  Table<Note> notes =
      Table<Note>::create_or_open(
          *store, "notes", keys(&Note::topic, &Note::written),
          {.indexes = {global_index("by_text", &Note::text, &Note::views), local_index("by_views", &Note::views)},
           .ttl = &Note::expires,
           .stream = StreamView::kNewAndOldImages})
          .value();
};

TEST_F(StructTableTest, creates_the_table_that_the_members_describe) {
  const TableDefinition made = store->describe_table("notes")->definition;
  EXPECT_EQ(made.partition_key, (KeyAttribute{"topic", KeyType::kString}));
  EXPECT_EQ(made.sort_key, (KeyAttribute{"w", KeyType::kNumber}));
  ASSERT_EQ(made.global_indexes.size(), 1U);
  EXPECT_EQ(made.global_indexes[0].partition_keys[0], (KeyAttribute{"text", KeyType::kString}));
  EXPECT_EQ(made.local_indexes[0].sort_keys[0], (KeyAttribute{"views", KeyType::kNumber}));
  EXPECT_EQ(made.stream, StreamView::kNewAndOldImages);
  EXPECT_EQ(store->describe_time_to_live("notes")->attribute, "ttl");
}

TEST_F(StructTableTest, opens_a_table_that_exists_and_refuses_one_with_other_keys) {
  EXPECT_THAT(Table<Note>::create_or_open(*store, "notes", keys(&Note::topic, &Note::written)), succeeds());
  EXPECT_THAT(Table<Note>::create_or_open(*store, "notes", keys(&Note::topic)), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(Table<Note>::create_or_open(*store, "notes", keys(&Note::topic, &Note::written),
                                          {.stream = StreamView::kKeysOnly}),
              fails_with(Code::kInvalidArgument));
}

TEST_F(StructTableTest, reads_back_what_was_put) {
  const Note empty{.topic = "empty", .written = 1};
  const Note full{.topic = "full",
                  .written = 2,
                  .text = "",
                  .tags = {"a", "b"},
                  .lines = {"x", ""},
                  .meaning = {0.5F, -1, 3},
                  .views = 7,
                  .expires = std::chrono::sys_seconds(std::chrono::seconds(2'000'000'000))};
  ASSERT_THAT(notes.put(empty), succeeds());
  ASSERT_THAT(notes.put(full), fails_with(Code::kValidation)) << "the key of an index is not an empty text";
  Note readable = full;
  readable.text = "stone";
  ASSERT_THAT(notes.put(readable), succeeds());
  EXPECT_EQ(notes.get({"empty", 1}).value(), empty);
  EXPECT_EQ(notes.find({"full", 2}).value(), readable);
  EXPECT_FALSE(notes.find({"none", 1}).found());
  EXPECT_THAT(notes.get({"none", 1}), fails_with(Code::kItemNotFound));
  // What is empty is not there.
  const Item stored = *store->get_item("notes", {{"topic", "empty"}, {"w", 1}})->item;
  EXPECT_EQ(stored.find("text"), nullptr);
  EXPECT_EQ(stored.find("tags"), nullptr);
}

TEST_F(StructTableTest, updates_members_when_conditions_hold) {
  ASSERT_THAT(notes.put({.topic = "dolmen", .written = 1, .text = "stone table"}), succeeds());
  ASSERT_THAT(
      notes.update({"dolmen", 1}, set(&Note::text, "table of stone"), add(&Note::views, 2),
                   add(&Note::tags, {"breton"}), append(&Note::lines, {"one"}), only_if(&Note::text, "stone table")),
      succeeds());
  EXPECT_THAT(notes.update({"dolmen", 1}, set(&Note::text, "again"), only_if(&Note::text, "stone table")),
              fails_with(Code::kConditionFailed));
  EXPECT_THAT(notes.update({"dolmen", 1}, set(&Note::text, "again"), only_if(field(&Note::views) > 1),
                           only_if(field(&Note::tags).contains("celtic"))),
              fails_with(Code::kConditionFailed));
  const Note now = notes.update_and_get({"dolmen", 1}, add(&Note::views, 1), set(&Note::text, std::nullopt)).value();
  EXPECT_EQ(now, (Note{.topic = "dolmen", .written = 1, .tags = {"breton"}, .lines = {"one"}, .views = 3}));
  ASSERT_THAT(notes.update({"dolmen", 1}, erase_from(&Note::tags, {"breton"}), unset(&Note::views),
                           set_if_missing(&Note::text, "new")),
              succeeds());
  EXPECT_EQ(notes.get({"dolmen", 1}).value(), (Note{.topic = "dolmen", .written = 1, .text = "new", .lines = {"one"}}));
}

TEST_F(StructTableTest, removes_when_conditions_hold) {
  const Note note{.topic = "dolmen", .written = 1, .text = "x"};
  ASSERT_THAT(notes.put(note), succeeds());
  EXPECT_THAT(notes.remove({"dolmen", 1}, only_if(&Note::text, "y")), fails_with(Code::kConditionFailed));
  EXPECT_THAT(notes.remove({"dolmen", 1}, only_if(&Note::text, "x")), succeeds());
  EXPECT_FALSE(notes.find({"dolmen", 1}).found());
  ASSERT_THAT(notes.put(note), succeeds());
  EXPECT_THAT(notes.remove(note), succeeds());
  EXPECT_FALSE(notes.find(notes.key_of(note).value()).found());
  EXPECT_THAT(notes.create(note), succeeds());
  EXPECT_THAT(notes.create(note), fails_with(Code::kConditionFailed));
}

TEST_F(StructTableTest, finds_records_by_members) {
  for (int i = 1; i <= 5; ++i)
    ASSERT_THAT(notes.put({.topic = "dolmen", .written = i, .text = i % 2 == 0 ? "even" : "odd", .views = 10 * i}),
                succeeds());
  const auto written = [](const std::vector<Note>& found) {
    std::vector<std::int64_t> all;
    for (const Note& note : found) all.push_back(note.written);
    return all;
  };
  EXPECT_THAT(written(notes.query("dolmen", field(&Note::written) >= 3).descending().all().value()),
              ElementsAre(5, 4, 3));
  EXPECT_THAT(written(notes.query("dolmen").filter(field(&Note::text) == "even").all().value()), ElementsAre(2, 4));
  EXPECT_THAT(written(notes.query("odd", field(&Note::views) > 10).index("by_text").all().value()), ElementsAre(3, 5));
  EXPECT_EQ(notes.scan().filter(field(&Note::views).between(20, 30)).count().value(), 2U);
  const std::vector<Note> parts = notes.query("dolmen").project({&Note::views}).limit(1).all().value();
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0], (Note{.views = 10}));
}

TEST_F(StructTableTest, keeps_versions_and_times_in_members) {
  auto saved = Table<Saved>::create_or_open(
                   *store, "saved", keys(&Saved::id),
                   {.version = &Saved::version, .created_at = &Saved::created, .updated_at = &Saved::updated})
                   .value();
  Saved first{.id = "a"};
  ASSERT_THAT(saved.create(first), succeeds());
  EXPECT_FALSE(first.created.empty());
  Saved second = saved.get({"a"}).value();
  first.count = 1;
  ASSERT_THAT(saved.update(first, {&Saved::count}), succeeds());
  EXPECT_EQ(first.version, 1);
  EXPECT_THAT(saved.update(second, {&Saved::count}), fails_with(Code::kConditionFailed));
}

TEST_F(StructTableTest, names_the_member_that_does_not_fit) {
  const auto table = Table<Forgotten>::create_or_open(*store, "forgotten", keys(&Forgotten::not_named));
  ASSERT_THAT(table, fails_with(Code::kInvalidModel));
  EXPECT_THAT(table.error().message(), HasSubstr("DOLMEN_RECORD does not name"));
  auto good = Table<Forgotten>::create_or_open(*store, "forgotten", keys(&Forgotten::id)).value();
  EXPECT_THAT(good.update({"a"}, set(&Forgotten::not_named, "x")), fails_with(Code::kInvalidModel));
}

TEST_F(StructTableTest, tells_its_model_to_other_languages) {
  const Model model = model_of<Note>("notes", keys(&Note::topic, &Note::written)).value();
  EXPECT_THAT(check_model(model), succeeds());
  EXPECT_EQ(model.find("topic")->roles, std::vector<AttributeRole>{{.role = Role::kPartitionKey}});
  EXPECT_EQ(model.find("w")->roles, std::vector<AttributeRole>{{.role = Role::kSortKey}});
  EXPECT_TRUE(model.find("text")->roles.empty());
  const ModelSet set{.models = {model}, .dms_version = DmsVersion::k0_2};
  EXPECT_EQ(parse_models(canonical_json(dms_document(set)).value(), "notes.json").value().models[0], model);
}

// ---- Vectors ----

struct Thought {
  std::string topic;
  std::int64_t written = 0;
  std::optional<std::string> author;
  std::array<float, 3> meaning{};
  std::optional<std::vector<float>> sound;

  friend bool operator==(const Thought&, const Thought&) = default;
};
DOLMEN_RECORD(Thought, topic, (written, "w"), author, (meaning, "m"), sound);

TableOptions<Thought> thought_options() {
  return {.vectors = {
              vector_index("by_meaning", &Thought::meaning),
              vector_index(
                  "by_author", &Thought::meaning,
                  {.distance = VectorDistance::kEuclidean, .hash = &Thought::author, .filters = {&Thought::written}}),
              vector_index("by_sound", &Thought::sound, {.dimensions = 2, .distance = VectorDistance::kDotProduct})}};
}

TEST(StructTableVectors, creates_the_indexes_and_finds_the_nearest) {
  const std::unique_ptr<Store> store = open("memory:").value();
  const auto open_thoughts = [&] {
    return Table<Thought>::create_or_open(*store, "thoughts", keys(&Thought::topic, &Thought::written),
                                          thought_options());
  };
  Table<Thought> thoughts = open_thoughts().value();
  const std::vector<VectorIndexDefinition> made = store->describe_table("thoughts")->definition.vector_indexes;
  ASSERT_EQ(made.size(), 3U);
  EXPECT_EQ(made[0], (VectorIndexDefinition{.name = "by_meaning", .attribute = "m", .dimensions = 3}));
  EXPECT_EQ(made[1].search, (std::vector<SearchAttribute>{{"author", KeyType::kString, SearchRole::kHash},
                                                          {"w", KeyType::kNumber, SearchRole::kInlineFilter}}));
  EXPECT_EQ(made[2].dimensions, 2);

  const Thought stones{.topic = "dolmen", .written = 1, .author = "ada", .meaning = {1, 0, 0}};
  const Thought tables{.topic = "dolmen", .written = 2, .meaning = {0, 1, 0}, .sound = std::vector{2.0F, 1.0F}};
  for (const Thought& thought : {stones, tables}) ASSERT_THAT(thoughts.put(thought), succeeds());
  std::vector<Thought> found;
  for (auto& [thought, score] : thoughts.nearest("by_meaning", std::vector{0.9F, 0.1F, 0.0F}, {.top_k = 10}).value())
    found.push_back(std::move(thought));
  EXPECT_THAT(found, ElementsAre(stones, tables));
  EXPECT_EQ(thoughts.nearest("by_author", std::array{1.0F, 0.0F, 2.0F}, {.where = field(&Thought::author) == "ada"})
                .value()
                .at(0)
                .score,
            2);
  EXPECT_EQ(thoughts.nearest("by_sound", std::array{1.0F, 1.0F}).value().at(0).score, 3);
  EXPECT_THAT(thoughts.put({.topic = "x", .written = 3, .sound = std::vector{1.0F}}), fails_with(Code::kInvalidModel));

  // The same table again, and one that lacks what is asked for.
  EXPECT_THAT(open_thoughts(), succeeds());
  EXPECT_EQ(open_thoughts()->nearest("by_meaning", stones.meaning, {.top_k = 1}).value().at(0).record, stones);
  TableOptions<Thought> other = thought_options();
  other.vectors[0] = vector_index("by_meaning", &Thought::meaning, {.distance = VectorDistance::kDotProduct});
  EXPECT_THAT(Table<Thought>::create_or_open(*store, "thoughts", keys(&Thought::topic, &Thought::written), other)
                  .error()
                  .message(),
              HasSubstr("vector index by_meaning distance: wanted DOT_PRODUCT, is COSINE"));
}

TEST(StructTableVectors, what_does_not_fit_is_told) {
  const auto message = [](const TableOptions<Thought>& options) {
    const Result<Model> model = model_of("thoughts", keys(&Thought::topic), options);
    return model ? "" : model.error().message();
  };
  EXPECT_EQ(message(thought_options()), "");
  EXPECT_EQ(message({.vectors = {vector_index("by_sound", &Thought::sound)}}),
            "Thought.sound is a std::vector; say how many dimensions the vector index \"by_sound\" has");
  EXPECT_EQ(message({.vectors = {vector_index("by_meaning", &Thought::meaning, {.dimensions = 4})}}),
            "Thought.m has 3 numbers, and the vector index \"by_meaning\" is said to have 4");
  EXPECT_EQ(message({.vectors = {vector_index("one", &Thought::sound, {.dimensions = 4}),
                                 vector_index("two", &Thought::sound, {.dimensions = 5})}}),
            "Thought.sound has 4 numbers in one index and 5 in the vector index \"two\"");
  EXPECT_EQ(message({.vectors = {vector_index("by_meaning", &Thought::meaning, {.hash = &Thought::sound})}}),
            "Thought.sound is of type L and cannot be a key of the vector index \"by_meaning\"");
}

}  // namespace
}  // namespace dolmen
