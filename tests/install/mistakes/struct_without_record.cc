// expect: constraint failure
// one_error: yes
#include <dolmen/dolmen.h>

struct Plain {
  std::string id;
};

dolmen::Table<Plain>* table = nullptr;
