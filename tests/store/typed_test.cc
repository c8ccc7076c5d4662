#include "dolmen/typed.h"

#include <gtest/gtest.h>
#include <limits>

#include "base/test_result.h"
#include "dolmen/open.h"

namespace dolmen {
namespace {

struct Note {
  std::string topic;
  int written = 0;
  std::optional<std::string> text;
  double weight = 0;

  friend bool operator==(const Note&, const Note&) = default;
};
DOLMEN_RECORD(Note, topic, written, text, (weight, defaulted));

std::unique_ptr<Store> store_of_notes() {
  std::unique_ptr<Store> store = open("memory:").value();
  store
      ->create_table({.name = "notes",
                      .partition_key = {"topic", KeyType::kString},
                      .sort_key = KeyAttribute{"written", KeyType::kNumber}})
      .value();
  return store;
}

TEST(TypedStore, puts_and_gets_records) {
  const auto store = store_of_notes();
  const Note note{.topic = "dolmen", .written = 1, .text = "stone table"};
  const Item key{{"topic", "dolmen"}, {"written", 1}};
  EXPECT_EQ(get<Note>(*store, "notes", key).value(), std::nullopt);
  ASSERT_THAT(put(*store, "notes", note), succeeds());
  EXPECT_EQ(get<Note>(*store, "notes", key).value(), note);
  EXPECT_THAT(put(*store, "notes", note, {.condition = attr("topic").not_exists()}),
              fails_with(Code::kConditionFailed));
}

TEST(TypedStore, queries_and_scans_records_page_by_page) {
  const auto store = store_of_notes();
  std::vector<Note> notes;
  for (int i = 0; i < 5; ++i) notes.push_back({.topic = "t", .written = i});
  for (const Note& note : notes) ASSERT_THAT(put(*store, "notes", note), succeeds());

  std::vector<Note> read;
  for (const Result<Note>& note : query<Note>(*store, "notes", {.key = key("topic") == "t", .page_size = 2}))
    read.push_back(note.value());
  EXPECT_EQ(read, notes);
  EXPECT_EQ(query<Note>(*store, "notes", {.key = key("topic") == "t", .limit = 3}).all().value().size(), 3U);
  EXPECT_EQ(scan<Note>(*store, "notes").all().value(), notes);
}

TEST(TypedStore, goes_on_after_an_item_that_is_no_record) {
  const auto store = store_of_notes();
  ASSERT_THAT(put(*store, "notes", Note{.topic = "t", .written = 1}), succeeds());
  ASSERT_THAT(store->put_item("notes", {{"topic", "t"}, {"written", 2}, {"text", 5}}), succeeds());
  ASSERT_THAT(put(*store, "notes", Note{.topic = "t", .written = 3}), succeeds());

  std::vector<std::string> seen;
  for (const Result<Note>& note : query<Note>(*store, "notes", {.key = key("topic") == "t"}))
    seen.push_back(note ? std::to_string(note->written) : note.error().message());
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "Note.text: expected S, found N", "3"}));
  EXPECT_EQ(scan<Note>(*store, "notes").all().error().message(), "Note.text: expected S, found N");
  EXPECT_THAT(get<Note>(*store, "notes", {{"topic", "t"}, {"written", 2}}).outcome(), fails_with(Code::kValidation));
}

TEST(TypedStore, ends_with_an_error_of_the_store) {
  const auto store = store_of_notes();
  std::vector<Code> seen;
  for (const Result<Note>& note : scan<Note>(*store, "nothing")) seen.push_back(note.error().code());
  EXPECT_EQ(seen, std::vector<Code>{Code::kTableNotFound});
}

TEST(TypedStore, does_not_store_what_cannot_be_written) {
  const auto store = store_of_notes();
  const Note note{.topic = "t", .weight = std::numeric_limits<double>::infinity()};
  EXPECT_EQ(put(*store, "notes", note).error().message(),
            "Note.weight: Infinity and NaN are not numbers that can be stored");
  EXPECT_EQ(scan<Note>(*store, "notes").all().value(), std::vector<Note>{});
}

}  // namespace
}  // namespace dolmen
