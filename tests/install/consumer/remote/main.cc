// Keeps an item at the endpoint that it is given, and needs nothing that keeps tables here.
#include <dolmen/remote.h>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto store = dolmen::open_remote({.endpoint = argv[1]});
  if (!store || !(*store)->create_table({.name = "notes", .partition_key = {"topic"}})) return 1;
  if (!(*store)->put_item("notes", {{"topic", "dolmen"}, {"text", "stone table"}})) return 1;
  const auto got = (*store)->get_item("notes", {{"topic", "dolmen"}});
  if (!got || !got->item) return 1;
  std::cout << got->item->at("text").string() << "\n";
  return 0;
}
