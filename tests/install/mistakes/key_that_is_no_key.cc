// expect: a key is a text, a number, bytes, a time or an enumeration
// one_error: yes
#include <dolmen/dolmen.h>

struct Note {
  std::string topic;
  std::int64_t written = 0;
  bool draft = false;
  std::optional<std::string> text;
};
DOLMEN_RECORD(Note, topic, written, draft, text);

auto table(dolmen::Store& store) {
  return dolmen::Table<Note>::create_or_open(store, "notes", dolmen::keys(&Note::topic, &Note::draft));
}
