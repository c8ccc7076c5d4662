// A small search by likeness: notes in a table, each with a vector that is computed from its words, and a vector index
// that finds those nearest to a question. Run it with the address of a store, such as ./data; without one it keeps
// everything in memory. A real program gets its vectors from a language model; here they count words and parts of
// words, which needs no network.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <dolmen/dolmen.h>
#include <string>
#include <string_view>
#include <vector>

namespace db = dolmen;

constexpr std::size_t kDimensions = 128;

struct Note {
  std::string shelf;
  std::string title;
  std::string text;
  std::int64_t year = 0;
  std::array<float, kDimensions> meaning{};
};
DOLMEN_RECORD(Note, shelf, title, text, year, meaning);

constexpr std::string_view kQuestions[] = {"old graves made of big stones", "a database that keeps items by their keys",
                                           "how to bake bread at home"};

std::vector<Note> sample() {
  return {{.shelf = "history",
           .title = "dolmen",
           .text = "A dolmen is an old grave of upright stones under a large flat stone",
           .year = 2019},
          {.shelf = "history",
           .title = "menhir",
           .text = "A menhir is one tall stone that somebody set upright long ago",
           .year = 2019},
          {.shelf = "history",
           .title = "castle",
           .text = "Castles had walls, towers and a gate with a bridge",
           .year = 2021},
          {.shelf = "computing",
           .title = "tables",
           .text = "A table store keeps items by their keys and finds them quickly",
           .year = 2024},
          {.shelf = "computing",
           .title = "indexes",
           .text = "An index of a database finds items by other attributes",
           .year = 2025},
          {.shelf = "computing",
           .title = "logs",
           .text = "A log is written before the data, so that a crash loses nothing",
           .year = 2025},
          {.shelf = "kitchen",
           .title = "bread",
           .text = "Bread is baked at home from flour, water, salt and yeast",
           .year = 2020},
          {.shelf = "kitchen",
           .title = "soup",
           .text = "A soup of lentils and carrots cooks for half an hour",
           .year = 2022}};
}

std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// Words, and groups of four letters in them, each add to one element; longer words count more.
std::array<float, kDimensions> embed(std::string_view text) {
  std::array<float, kDimensions> vector{};
  std::string word;
  const auto add = [&](std::string_view part, float weight) { vector[hash_of(part) % kDimensions] += weight; };
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      word.push_back(static_cast<char>(c | 0x20));
      continue;
    }
    if (word.size() > 3) add(word, 1.0F);
    for (std::size_t at = 0; at + 4 <= word.size(); ++at) add(std::string_view(word).substr(at, 4), 0.5F);
    word.clear();
  }
  return vector;
}

db::Result<void> make_table(db::Store& store) {
  db::Result<db::TableDescription> made = store.create_table(
      {.name = "notes",
       .partition_key = {"shelf"},
       .sort_key = db::KeyAttribute{"title"},
       .vector_indexes = {{.name = "by_meaning", .attribute = "meaning", .dimensions = kDimensions},
                          {.name = "by_meaning_of_year",
                           .attribute = "meaning",
                           .dimensions = kDimensions,
                           .search = {{"shelf", db::KeyType::kString, db::SearchRole::kHash},
                                      {"year", db::KeyType::kNumber, db::SearchRole::kInlineFilter}}}}});
  if (!made && made.error().code() != db::Code::kTableExists) return std::unexpected(made.error());
  for (Note note : sample()) {
    note.meaning = embed(note.text);
    DOLMEN_TRY_VOID(db::put(store, "notes", note));
  }
  return {};
}

db::Result<void> ask(db::Store& store) {
  for (const std::string_view question : kQuestions) {
    std::printf("%.*s\n", static_cast<int>(question.size()), question.data());
    DOLMEN_TRY(const db::VectorHits found, store.search_vectors("notes", "by_meaning", embed(question), {.top_k = 2}));
    for (const auto& [item, score] : found)
      std::printf("  %.3f  %s: %s\n", score, item.at("title").string().c_str(), item.at("text").string().c_str());
  }
  std::printf("of the computing shelf, from 2025\n");
  DOLMEN_TRY(const db::VectorHits found,
             store.search_vectors("notes", "by_meaning_of_year", embed("finding items"),
                                  {.top_k = 5, .where = db::key("shelf") == "computing" && db::key("year") == 2025}));
  for (const auto& [item, score] : found) std::printf("  %.3f  %s\n", score, item.at("title").string().c_str());
  return {};
}

int main(int argc, char** argv) {
  const auto run = [&]() -> db::Result<void> {
    DOLMEN_TRY(const auto store, db::open(argc > 1 ? argv[1] : "memory:"));
    DOLMEN_TRY_VOID(make_table(*store));
    return ask(*store);
  };
  const db::Result<void> done = run();
  if (done) return 0;
  std::fprintf(stderr, "%s\n", done.error().message().c_str());
  return 1;
}
