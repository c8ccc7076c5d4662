// Keeps an item in memory, and needs nothing that speaks to other machines.
#include <dolmen/embedded.h>
#include <iostream>

int main() {
  const auto store = dolmen::open_embedded({.durability = dolmen::Durability::kMemory});
  if (!store || !(*store)->create_table({.name = "notes", .partition_key = {"topic"}})) return 1;
  if (!(*store)->put_item("notes", {{"topic", "dolmen"}, {"text", "stone table"}})) return 1;
  const auto got = (*store)->get_item("notes", {{"topic", "dolmen"}});
  if (!got || !got->item) return 1;
  std::cout << got->item->at("text").string() << "\n";
  return 0;
}
