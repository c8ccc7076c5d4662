// expect: a member of a table has one type of DynamoDB
// one_error: yes
#include <dolmen/dolmen.h>

struct Note {
  std::string topic;
  std::int64_t written = 0;
  bool draft = false;
  std::optional<std::string> text;
  std::variant<int, std::string> both;
};
DOLMEN_RECORD(Note, topic, written, draft, text, both);

auto table(dolmen::Store& store) {
  return dolmen::Table<Note>::create_or_open(store, "notes", dolmen::keys(&Note::topic));
}
