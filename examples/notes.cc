// Notes by topic and time, first as plain items and then as structs. Run it with the address of a store, such as
// ./data; without one it keeps everything in memory.
#include <cstdio>
#include <dolmen/dolmen.h>
#include <optional>
#include <set>
#include <string>

namespace db = dolmen;

struct Note {
  std::string topic;
  std::int64_t written = 0;
  std::optional<std::string> text;
  std::set<std::string> tags;
  int stars = 0;
};
DOLMEN_RECORD(Note, topic, written, text, tags, (stars, defaulted));

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

db::Result<void> as_items(db::Store& store) {
  DOLMEN_TRY_VOID(store.put_item("notes", {{"topic", "dolmen"}, {"written", 1}, {"text", "stone table"}}));

  const db::QueryOptions after_0{.key = db::key("topic") == "dolmen" && db::key("written") > 0, .limit = 20};
  for (const db::Result<db::Item>& item : store.query("notes", after_0)) {
    if (!item) return std::unexpected(item.error());
    if (const db::AttributeValue* text = item->find("text")) std::printf("item: %s\n", text->string().c_str());
  }
  return {};
}

db::Result<void> as_structs(db::Store& store) {
  const Note note{.topic = "dolmen", .written = 2, .text = "set in stone", .tags = {"breton", "stone"}, .stars = 5};
  DOLMEN_TRY_VOID(db::put(store, "notes", note));

  DOLMEN_TRY(const std::optional<Note> found,
             db::get<Note>(store, "notes", {{"topic", "dolmen"}, {"written", 2}}).outcome());
  if (found) std::printf("found: %s, %zu tags\n", found->text.value_or("").c_str(), found->tags.size());

  // The first note has neither tags nor stars, which may be missing.
  for (const db::Result<Note>& each : db::query<Note>(store, "notes", {.key = db::key("topic") == "dolmen"})) {
    if (!each) return std::unexpected(each.error());
    std::printf("note %d: %d stars\n", static_cast<int>(each->written), each->stars);
  }
  return {};
}

int main(int argument_count, char** arguments) {
  const auto store = db::open(argument_count > 1 ? arguments[1] : "memory:");
  if (!store) return report(store.error());

  const auto made = (*store)->create_table({.name = "notes",
                                            .partition_key = {"topic", db::KeyType::kString},
                                            .sort_key = db::KeyAttribute{"written", db::KeyType::kNumber}});
  if (!made && made.error().code() != db::Code::kTableExists) return report(made.error());

  if (const db::Result<void> done = as_items(**store); !done) return report(done.error());
  if (const db::Result<void> done = as_structs(**store); !done) return report(done.error());
}
