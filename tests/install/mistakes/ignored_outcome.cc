// expect: nodiscard
// flags: -Werror
#include <dolmen/dolmen.h>

void forget(dolmen::Store& store) { store.put_item("nosuchtable", {{"topic", "lost"}}); }
