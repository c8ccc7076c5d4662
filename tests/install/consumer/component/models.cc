// Keeps an item of a model in memory.
#include <dolmen/embedded.h>
#include <dolmen/model/model.h>
#include <dolmen/model/model_table.h>
#include <iostream>

constexpr const char* kModels = R"(
dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys:
      partition: { attribute: "topic", type: "S" }
    attributes:
      - { attribute: "topic", type: "S", required: true }
      - { attribute: "text", type: "S", optional: true }
)";

int main() {
  const auto store = dolmen::open_embedded({.durability = dolmen::Durability::kMemory}).value();
  const dolmen::ModelSet models = dolmen::parse_models(kModels, "notes.yml").value();
  auto notes = dolmen::ModelTable::open(*store, *models.find("Note")).value();
  notes.create_table().value();
  notes.create({{"topic", "dolmen"}, {"text", "stone table"}}).value();
  const auto note = notes.get({{"topic", "dolmen"}}).value();
  if (note.at("text") != dolmen::LogicalValue("stone table")) return 1;
  std::cout << "stone table\n";
}
