#include <cstdio>
#include <dolmen/open.h>
#include <dolmen/testing.h>

int main() {
  const auto server = dolmen::testing::serve().value();
  const auto store = dolmen::open(server.url()).value();
  std::printf("%zu tables\n", store->list_tables().value().names.size());
}
