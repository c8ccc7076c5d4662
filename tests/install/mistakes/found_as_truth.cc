// expect: use of deleted function
#include <dolmen/dolmen.h>

struct Note {
  std::string topic;
};
DOLMEN_RECORD(Note, topic);

bool is_there(dolmen::Store& store) {
  if (dolmen::get<Note>(store, "notes", {{"topic", "dolmen"}})) return true;
  return false;
}
