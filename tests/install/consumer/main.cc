#include <cstdio>
#include <dolmen/dolmen.h>

struct Note {
  std::string topic;
  std::optional<std::string> text;
};
DOLMEN_RECORD(Note, topic, text);

int main() {
  const auto store = dolmen::open("memory:").value();
  store->create_table({.name = "notes", .partition_key = {"topic"}}).value();
  dolmen::put(*store, "notes", Note{.topic = "dolmen", .text = "stone table"}).value();
  const auto note = dolmen::get<Note>(*store, "notes", {{"topic", "dolmen"}}).value();
  if (!note || note->text != "stone table") return 1;
  std::printf("dolmen %s: %s\n", std::string(dolmen::version()).c_str(), note->text->c_str());
}
