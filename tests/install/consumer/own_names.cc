// A program whose own types have the names of Dolmen's, in the global namespace and in one of its own.
#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <dolmen/isr.h>
#include <dolmen/lease.h>
#include <dolmen/model.h>
#include <dolmen/relation.h>
#include <optional>
#include <string>
#include <vector>

namespace db = dolmen;

enum class Type { bolt, nut };
DOLMEN_ENUM(Type, bolt, nut);

struct Page {
  int number = 0;
};
DOLMEN_RECORD(Page, number);

struct Item {
  Type type = Type::bolt;
  std::vector<Page> pages;
};
DOLMEN_RECORD(Item, type, pages);

struct Error {
  std::string text;
};

struct Task {
  std::string id;
  std::optional<Item> item;
  int stars = 0;
  std::int64_t version = 0;
};
DOLMEN_RECORD(Task, id, item, (stars, "rank", defaulted), version);

struct Table {
  std::vector<Task> rows;
  std::optional<Error> error;
};

namespace shop {

struct Store {
  std::string id;
  std::int64_t version = 0;
};
DOLMEN_RECORD(Store, id, (version, defaulted));

}  // namespace shop

Table read_all(db::Store& store) {
  Table table;
  for (const db::Result<Task>& task : db::scan<Task>(store, "tasks")) {
    if (task)
      table.rows.push_back(*task);
    else
      table.error = Error{task.error().message()};
  }
  return table;
}

int main() {
  const auto store = db::open("memory:").value();
  const db::Model model{
      .name = "Task",
      .table = "tasks",
      .partition_key = {"id", db::KeyType::kString},
      .attributes = {{.name = "id", .required = true},
                     {.name = "item", .type = db::Type::kMap},
                     {.name = "rank", .type = db::Type::kNumber},
                     {.name = "version", .type = db::Type::kNumber, .roles = {{db::Role::kVersion}}}}};
  auto tasks = db::Table<Task>::open(*store, model).value();
  tasks.items().ensure_table().value();
  Task task{.id = "t1", .item = Item{.type = Type::nut, .pages = {{7}}}, .stars = 5};
  tasks.create(task).value();
  db::put(*store, "tasks", shop::Store{.id = "s1"}).value();

  const Table table = read_all(*store);
  if (table.error || table.rows.size() != 2) return 1;
  const Task found = tasks.query().partition("t1").filter(db::field(&Task::stars) == 5).first().value();
  if (!found.item || found.item->type != Type::nut || found.item->pages.front().number != 7) return 1;
  std::printf("own names\n");
}
