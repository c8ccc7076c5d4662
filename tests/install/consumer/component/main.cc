// Keeps an item in memory, and needs nothing that speaks to other machines; asked for one, it says so.
#include <dolmen/dolmen.h>
#include <iostream>

namespace db = dolmen;

struct Note {
  std::string topic;
  std::optional<std::string> text;
};
DOLMEN_RECORD(Note, topic, text);

int main() {
  const auto store = db::open("memory:").value();
  store->create_table({.name = "notes", .partition_key = {"topic"}}).value();
  db::put(*store, "notes", Note{.topic = "dolmen", .text = "stone table"}).value();
  const db::Found<Note> note = db::get<Note>(*store, "notes", {{"topic", "dolmen"}});
  if (!note.found()) return 1;
  if (db::open("http://127.0.0.1:8000").error().code() != db::Code::kUnsupported) return 1;
  std::cout << note->text.value_or("") << "\n";
}
