#include "cli/opened_table.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>
#include <vector>

#include "base/fail.h"
#include "config/node.h"

namespace dolmen::cli {
namespace {

/// So many names are compared with a misspelt one.
constexpr std::size_t kNamesCompared = 2500;

std::string nearest_table(Store& store, const std::string& name) {
  std::vector<std::string> names;
  ListTables request;
  while (names.size() < kNamesCompared) {
    const Result<TableNamePage> page = store.list_tables(request);
    if (!page) break;
    names.insert(names.end(), page->names.begin(), page->names.end());
    if (!page->last_name) break;
    request.after = page->last_name;
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(config::nearest_name(name, views, std::clamp<std::size_t>(name.size() / 3, 1, 3)));
}

Error with_table_advice(Store& store, const StoreFlags& flags, const std::string& name, const Error& error) {
  if (error.code() != Code::kTableNotFound) return error;
  const std::string near = nearest_table(store, name);
  return {Code::kTableNotFound,
          fmt::format("Table \"{}\" does not exist in {}; {}", name, store_name(flags),
                      near.empty() ? fmt::format("create it with \"dolmen table create {} --key NAME:S\"", name)
                                   : fmt::format("did you mean \"{}\"?", near))};
}

}  // namespace

Result<TableDescription> described_table(Store& store, const StoreFlags& flags, const std::string& name) {
  Result<TableDescription> table = store.describe_table(name);
  if (!table) return std::unexpected(with_table_advice(store, flags, name, table.error()));
  return table;
}

Result<OpenedTable> open_table(const StoreFlags& flags, const std::string& name) {
  DOLMEN_TRY(std::unique_ptr<Store> store, open_store(flags));
  DOLMEN_TRY(TableDescription table, described_table(*store, flags, name));
  return OpenedTable{.store = std::move(store), .table = std::move(table)};
}

Result<void> confirm(const std::string& question, bool yes) {
  if (yes) return {};
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
    return fail(Code::kInvalidArgument, "{} Nobody can be asked here; add --yes", question);
  fmt::print(stderr, "{} [y/N] ", question);
  std::fflush(stderr);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return {};
  return fail(Code::kCanceled, "nothing was changed");
}

}  // namespace dolmen::cli
