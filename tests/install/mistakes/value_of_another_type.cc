// expect: invalid conversion from
// one_error: yes
#include <dolmen/dolmen.h>

struct Note {
  std::string topic;
  std::int64_t written = 0;
  bool draft = false;
  std::optional<std::string> text;
};
DOLMEN_RECORD(Note, topic, written, draft, text);

auto change(dolmen::Table<Note>& notes) { return notes.update({"dolmen", 1}, dolmen::set(&Note::written, "soon")); }
