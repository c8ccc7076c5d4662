// A table from a struct alone: the members are the attributes, members name the key, and nothing is written twice. Run
// it with the address of a store, such as ./data; without one it keeps everything in memory.
#include <chrono>
#include <cstdio>
#include <dolmen/dolmen.h>
#include <optional>
#include <set>
#include <string>

namespace db = dolmen;

enum class Kind { idea, task };
DOLMEN_ENUM(Kind, idea, task);

struct Note {
  std::string topic;
  std::int64_t written = 0;
  Kind kind = Kind::idea;
  std::optional<std::string> text;
  std::set<std::string> tags;
  int stars = 0;
  std::int64_t version = 0;
  std::optional<std::chrono::sys_seconds> expires;
};
DOLMEN_RECORD(Note, topic, written, kind, text, tags, (stars, defaulted), version, (expires, "ttl", as_seconds));

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

void show(const Note& note) {
  std::printf("%s %d: %s, %d stars, version %d\n", note.topic.c_str(), static_cast<int>(note.written),
              note.text.value_or("(no text)").c_str(), note.stars, static_cast<int>(note.version));
}

db::Result<void> change(db::Table<Note>& notes) {
  // Changes of single members, provided that conditions hold. The version is counted up.
  DOLMEN_TRY_VOID(notes.update({"dolmen", 1}, db::set(&Note::text, "table of stone"), db::add(&Note::stars, 5),
                               db::add(&Note::tags, {"breton"}), db::only_if(&Note::text, "stone table")));
  const db::Result<void> again =
      notes.update({"dolmen", 1}, db::set(&Note::text, "mine"), db::only_if(&Note::text, "stone table"));
  if (!again && again.error().code() == db::Code::kConditionFailed) std::puts("somebody was faster");

  // Two programs have the same note; the second that saves it loses.
  DOLMEN_TRY(Note mine, notes.get({"dolmen", 1}));
  Note yours = mine;
  mine.text = "set in stone";
  DOLMEN_TRY_VOID(notes.update(mine, {&Note::text}));
  yours.stars = 1;
  if (!notes.update(yours, {&Note::stars})) std::puts("an old copy is not saved");
  return {};
}

db::Result<void> find(db::Table<Note>& notes) {
  for (const db::Result<Note>& note : notes.query("dolmen", db::field(&Note::written) >= 1).descending().each()) {
    if (!note) return std::unexpected(note.error());
    show(*note);
  }
  DOLMEN_TRY(const std::vector<Note> tasks, notes.query("task").index("by_kind").all());
  std::printf("%zu task\n", tasks.size());
  DOLMEN_TRY(const std::vector<Note> starred,
             notes.scan().filter(db::field(&Note::stars) > 3).project({&Note::topic, &Note::stars}).all());
  std::printf("%zu with more than 3 stars\n", starred.size());
  return {};
}

db::Result<void> run(db::Store& store) {
  DOLMEN_TRY(db::Table<Note> notes,
             db::Table<Note>::create_or_open(store, "typed-notes", db::keys(&Note::topic, &Note::written),
                                             {.indexes = {db::global_index("by_kind", &Note::kind, &Note::written)},
                                              .ttl = &Note::expires,
                                              .stream = db::StreamView::kNewAndOldImages,
                                              .version = &Note::version}));
  DOLMEN_TRY_VOID(notes.put({.topic = "dolmen", .written = 1, .text = "stone table"}));
  DOLMEN_TRY_VOID(notes.put({.topic = "dolmen", .written = 2, .kind = Kind::task}));
  DOLMEN_TRY_VOID(change(notes));
  DOLMEN_TRY_VOID(find(notes));
  DOLMEN_TRY_VOID(notes.remove({"dolmen", 2}, db::only_if(db::field(&Note::stars) < 3)));
  std::printf("gone: %s\n", notes.find({"dolmen", 2}).found() ? "no" : "yes");
  return {};
}

int main(int argument_count, char** arguments) {
  const auto store = db::open(argument_count > 1 ? arguments[1] : "memory:");
  if (!store) return report(store.error());
  const db::Result<void> done = run(**store);
  return done ? 0 : report(done.error());
}
