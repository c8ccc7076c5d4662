#include "cli/backup.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "buckets/folder_mirror.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "dolmen/remote.h"
#include "dolmen/timestamp.h"
#include "protocol/object_view.h"
#include "service/dolmen_calls.h"
#include "service/store_backups.h"
#include "service/wait.h"
#include "storage/store_backups.h"

namespace dolmen::cli {
namespace {

using storage::BackupFolder;
using storage::StoreBackup;

struct BackupFlags {
  std::string folder;
  std::string data = "./data";
  std::string endpoint;
  std::optional<std::uint32_t> id;
  std::uint32_t keep = 0;
  bool json = false;
  /// To know whether --data was given.
  std::optional<Option> data_option = std::nullopt;
};

/// Those are not in the data directory, so that a backup does not have them.
constexpr std::string_view kNotIncluded = "not included: access keys (--access) and TLS files of the server";

/// A folder of backups, on this machine or in a bucket.
struct OpenedBackups {
  /// Null for a folder on this machine.
  std::unique_ptr<FolderMirror> mirror;
  BackupFolder folder;
};

Result<OpenedBackups> open_backups(const std::string& place) {
  std::unique_ptr<FolderMirror> mirror;
  if (is_bucket_url(place)) {
    DOLMEN_TRY(mirror, FolderMirror::open(place, BackupFolder::describes_backups));
  }
  DOLMEN_TRY(BackupFolder folder, BackupFolder::open(mirror ? mirror->folder() : std::filesystem::path(place)));
  return OpenedBackups{.mirror = std::move(mirror), .folder = std::move(folder)};
}

/// The backup that the flags name, with the content of all its files.
Result<std::uint32_t> fetch_backup(const OpenedBackups& opened, const BackupFlags& flags) {
  std::uint32_t id = 0;
  if (flags.id) {
    id = *flags.id;
  } else {
    DOLMEN_TRY(id, opened.folder.newest());
  }
  if (opened.mirror) DOLMEN_TRY_VOID(opened.mirror->fetch(opened.folder.files_of(id)));
  return id;
}

LogicalItem item_of(const StoreBackup& backup) {
  return {{"id", static_cast<std::int64_t>(backup.id)},
          {"created", backup.created_s},
          {"files", static_cast<std::int64_t>(backup.files)},
          {"bytes", static_cast<std::int64_t>(backup.bytes)},
          {"complete", backup.complete}};
}

std::string time_text(std::int64_t seconds) {
  const Result<std::string> text =
      format_timestamp(Timestamp::from(std::chrono::sys_seconds(std::chrono::seconds(seconds))));
  return text ? text->substr(0, std::string_view("2026-11-16T10:20:30").size()).append("Z") : "";
}

Result<std::string> at_server(const BackupFlags& flags) {
  if (!flags.endpoint.starts_with("http://") && !flags.endpoint.starts_with("https://"))
    return fail(Code::kInvalidArgument, "--endpoint: \"{}\" is not the address of a Dolmen server", flags.endpoint);
  // A backup takes as long as the disk does.
  DOLMEN_TRY(const std::unique_ptr<Store> store,
             open_remote({.endpoint = flags.endpoint, .request_timeout = std::chrono::hours(24)}));
  auto* server = store->companions().find<DolmenCalls>();
  Result<std::string> answer =
      wait_for<std::string>([&](auto done) { server->call("CreateStoreBackup", "{}", std::move(done)); });
  if (!answer && answer.error().code() == Code::kUnknownOperation)
    return fail(Code::kUnsupported, "the server at the endpoint does not make backups; use a Dolmen server");
  return answer;
}

Result<StoreBackupMade> here(const BackupFlags& flags) {
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store({.data = flags.data, .data_option = flags.data_option}));
  auto* backups = store->companions().find<StoreBackups>();
  if (backups == nullptr)
    return fail(Code::kUnsupported, "the environment names a server; name the store by --data DIR or --endpoint URL");
  if (!is_bucket_url(flags.folder)) return backups->back_up(flags.folder);
  DOLMEN_TRY(const std::unique_ptr<FolderMirror> mirror,
             FolderMirror::open(flags.folder, BackupFolder::describes_backups));
  DOLMEN_TRY(const StoreBackupMade made, backups->back_up(mirror->folder().native()));
  DOLMEN_TRY_VOID(mirror->put_new(BackupFolder::sort_for_copying));
  return made;
}

int create_backup(const BackupFlags& flags) {
  if (!flags.endpoint.empty()) {
    const Result<std::string> answer = at_server(flags);
    if (!answer) return report(answer.error(), flags.json);
    const Result<ObjectView> made = ObjectView::response(*answer);
    if (!made) return report(made.error(), flags.json);
    if (flags.json) {
      fmt::print("{}\n", *answer);
      return kDone;
    }
    fmt::print("backup {}: {} files, {} bytes, {} of them new\n{}\n", made->shown("Id"), made->shown("Files"),
               made->shown("Bytes"), made->shown("NewBytes"), kNotIncluded);
    return kDone;
  }
  if (flags.folder.empty())
    return report(Error(Code::kInvalidArgument, "name the folder of the backups, or a server by --endpoint URL"),
                  flags.json);
  const Result<StoreBackupMade> made = here(flags);
  if (!made) return report(made.error(), flags.json);
  if (flags.json)
    return print_json(LogicalItem{{"id", static_cast<std::int64_t>(made->id)},
                                  {"files", static_cast<std::int64_t>(made->files)},
                                  {"bytes", static_cast<std::int64_t>(made->bytes)},
                                  {"new_bytes", static_cast<std::int64_t>(made->new_bytes)}})
               ? kDone
               : kFailed;
  fmt::print("backup {}: {} files, {} bytes, {} of them new\n{}\n", made->id, made->files, made->bytes, made->new_bytes,
             kNotIncluded);
  return kDone;
}

int list_backups(const BackupFlags& flags) {
  const auto list = [&]() -> Result<std::vector<StoreBackup>> {
    DOLMEN_TRY(const OpenedBackups opened, open_backups(flags.folder));
    return opened.folder.list();
  };
  const Result<std::vector<StoreBackup>> found = list();
  if (!found) return report(found.error(), flags.json);
  if (flags.json) {
    LogicalValue::List all;
    for (const StoreBackup& backup : *found) all.emplace_back(item_of(backup));
    return print_json(all) ? kDone : kFailed;
  }
  for (const StoreBackup& backup : *found)
    fmt::print("{}  {}  {} files  {} bytes{}\n", backup.id, time_text(backup.created_s), backup.files, backup.bytes,
               backup.complete ? "" : "  not complete");
  return kDone;
}

int verify_backup(const BackupFlags& flags) {
  std::uint32_t id = 0;
  const auto verify = [&]() -> Result<std::vector<std::string>> {
    DOLMEN_TRY(const OpenedBackups opened, open_backups(flags.folder));
    DOLMEN_TRY(id, fetch_backup(opened, flags));
    return opened.folder.verify(id);
  };
  const Result<std::vector<std::string>> damaged = verify();
  if (!damaged) return report(damaged.error(), flags.json);
  if (flags.json) {
    LogicalValue::List lines;
    for (const std::string& line : *damaged) lines.emplace_back(line);
    if (!print_json(LogicalItem{{"id", static_cast<std::int64_t>(id)}, {"damaged", lines}})) return kFailed;
  } else if (damaged->empty()) {
    fmt::print("backup {} is whole\n", id);
  } else {
    for (const std::string& line : *damaged) fmt::print("{}\n", line);
  }
  return damaged->empty() ? kDone : kFailed;
}

int restore_backup(const BackupFlags& flags) {
  std::uint32_t id = 0;
  const auto restore = [&]() -> Result<void> {
    DOLMEN_TRY(const OpenedBackups opened, open_backups(flags.folder));
    DOLMEN_TRY(id, fetch_backup(opened, flags));
    return opened.folder.restore(id, flags.data);
  };
  if (const Result<void> restored = restore(); !restored) return report(restored.error(), flags.json);
  if (flags.json)
    return print_json(LogicalItem{{"id", static_cast<std::int64_t>(id)}, {"data", flags.data}}) ? kDone : kFailed;
  fmt::print("backup {} is restored to {}\n", id, flags.data);
  return kDone;
}

int prune_backups(const BackupFlags& flags) {
  const auto prune = [&]() -> Result<std::size_t> {
    DOLMEN_TRY(const OpenedBackups opened, open_backups(flags.folder));
    DOLMEN_TRY(const std::size_t removed, opened.folder.prune(flags.keep));
    if (opened.mirror) DOLMEN_TRY_VOID(opened.mirror->remove_gone());
    return removed;
  };
  const Result<std::size_t> removed = prune();
  if (!removed) return report(removed.error(), flags.json);
  if (flags.json) return print_json(LogicalItem{{"removed", static_cast<std::int64_t>(*removed)}}) ? kDone : kFailed;
  fmt::print("removed {} backups\n", *removed);
  return kDone;
}

using Action = int (*)(const BackupFlags& flags);

/// A verb about a folder of backups.
Verb add_folder_verb(const Verb& parent, const std::string& name, const std::string& help,
                     const std::shared_ptr<BackupFlags>& flags, Action action) {
  const Verb verb = parent.verb(name, help);
  const Option folder = verb.text("FOLDER", flags->folder, "Folder of the backups, or s3://BUCKET/PREFIX").not_empty();
  if (action != create_backup) static_cast<void>(folder.required());
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags, action] { return action(*flags); });
  return verb;
}

}  // namespace

void add_backup(const Verb& program) {
  auto flags = std::make_shared<BackupFlags>();
  const Verb verb = program.verb("backup", "Back up a whole store to a folder or a bucket, and restore it");
  const Verb creating =
      add_folder_verb(verb, "create", "Add a backup; files that are there already are shared", flags, create_backup);
  const Option data =
      creating.text("--data", flags->data, "Directory of a store that nobody has open").shown_as("DIR").not_empty();
  const Option endpoint =
      creating.text("--endpoint", flags->endpoint, "Running server, which writes to the folder of its --backups")
          .shown_as("URL")
          .not_empty();
  data.not_with(endpoint);
  flags->data_option = data;
  add_folder_verb(verb, "list", "List the backups, the oldest first", flags, list_backups);
  constexpr std::uint32_t kIdMin = 1;
  const Verb verifying =
      add_folder_verb(verb, "verify", "Look at every file of a backup, and name those that are damaged or missing",
                      flags, verify_backup);
  verifying.number("--id", flags->id, "Which backup; the newest without it", {.smallest = kIdMin});
  const Verb restoring = add_folder_verb(
      verb, "restore", "Make a data directory of a backup; one that is damaged is refused before anything is written",
      flags, restore_backup);
  restoring.text("--data", flags->data, "Directory to make, which is missing or empty").shown_as("DIR").not_empty();
  restoring.number("--id", flags->id, "Which backup; the newest without it", {.smallest = kIdMin});
  const Verb pruning = add_folder_verb(
      verb, "prune", "Remove all but the newest backups, and those that are not complete", flags, prune_backups);
  pruning.number("--keep", flags->keep, "How many to keep", {.smallest = 0U}).required();
}

}  // namespace dolmen::cli
