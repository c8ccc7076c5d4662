// expect: DOLMEN_RECORD(Note, ...) names writen, which is not a member of Note
#include <dolmen/dolmen.h>

struct Note {
  std::string topic;
  std::int64_t written = 0;
};
DOLMEN_RECORD(Note, topic, (writen, "w"));
