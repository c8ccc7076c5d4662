#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/model/table.h>

struct Note {
  std::string topic;
  std::optional<std::string> text;
  std::int64_t version = 0;
};
DOLMEN_RECORD(Note, topic, text, (version, defaulted));

constexpr const char* kModels = R"(
dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys:
      partition: { attribute: "topic", type: "S" }
    attributes:
      - { attribute: "topic", type: "S", required: true }
      - { attribute: "text", type: "S", optional: true, encryption: {} }
      - { attribute: "version", type: "N", roles: ["version"] }
)";

int main() {
  const auto store = dolmen::open("memory:").value();
  const dolmen::ModelSet models = dolmen::parse_models(kModels, "notes.yml").value();
  const auto keys = dolmen::deterministic_keys("test");
  auto notes = dolmen::Table<Note>::open(*store, *models.find("Note"), {.keys = keys.get()}).value();
  notes.items().create_table().value();

  Note note{.topic = "dolmen", .text = "stone"};
  notes.create(note).value();
  note.text = "stone table";
  notes.update(note, {&Note::text}).value();
  note = notes.get({"dolmen"}).value();
  if (note.text != "stone table" || note.version != 1) return 1;

  dolmen::put(*store, "notes", Note{.topic = "plain"}).value();
  if (!dolmen::get<Note>(*store, "notes", {{"topic", "plain"}}).found()) return 1;
  std::printf("dolmen %s: %s\n", std::string(dolmen::version()).c_str(), note.text->c_str());
}
