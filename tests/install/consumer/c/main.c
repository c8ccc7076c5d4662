#include <dolmen/c.h>
#include <stdio.h>

int main(void) {
  dolmen_store* store = NULL;
  char* answer = NULL;
  if (dolmen_open("memory:", &store) != DOLMEN_OK) return 1;
  if (dolmen_call(store, "ListTables", "{}", &answer) != DOLMEN_OK) return 1;
  printf("dolmen %s: %s\n", dolmen_version(), answer);
  dolmen_free(answer);
  return dolmen_close(store) == DOLMEN_OK ? 0 : 1;
}
