#include "server/document_target.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "base/fail.h"
#include "buckets/folder_mirror.h"
#include "contract/operations.h"
#include "document/operations.h"
#include "entity/operations.h"
#include "protocol/object_writer.h"
#include "relation/operations.h"
#include "server/top_keys.h"
#include "server/vector_statistics.h"
#include "service/store_backups.h"
#include "storage/store_backups.h"

namespace dolmen {
namespace {

/// Takes no members: the server's operator has said where backups go.
constexpr std::string_view kCreateStoreBackup = "CreateStoreBackup";

}  // namespace

DocumentTarget::DocumentTarget(Documents documents, Store& store, const Options& options)
    : store_(store),
      backups_(options.backups),
      documents_(std::move(documents)),
      contracts_(store, options.warn),
      entities_(store),
      relations_(store, {.resume_deletes = options.resume_deletes, .log = options.warn}),
      workers_({}) {
  if (options.resume_deletes) static_cast<void>(workers_.run([this] { relations_.resume(); }));
}

void DocumentTarget::stop() {
  relations_.interrupt();
  workers_.stop_soon();
}

std::string_view DocumentTarget::prefix() const { return document::kTargetPrefix; }

access::Role DocumentTarget::role_needed(std::string_view operation) const {
  const auto begins_with_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return operation.starts_with(word); });
  };
  if (begins_with_one_of({"Get", "Query", "List", "Describe", "Explain", "Validate", "Find", "Verify"}))
    return access::Role::kReadOnly;
  if (begins_with_one_of({"Insert", "Put", "Update", "Delete", "Remove", "Move", "Transact"}))
    return access::Role::kReadWrite;
  // Only those on relations that bind types or repair change what everybody sees.
  if (relation::is_operation(operation) && !begins_with_one_of({"Bind", "Repair"})) return access::Role::kReadWrite;
  // Schemas, indexes and contracts change what everybody may write.
  return access::Role::kAdmin;
}

bool DocumentTarget::has_operation(std::string_view operation) {
  return document::is_operation(operation) || contract::is_operation(operation) || entity::is_operation(operation) ||
         relation::is_operation(operation) || operation == kCreateStoreBackup || operation == kDescribeTopKeys ||
         operation == kDescribeVectorIndex;
}

Result<void> DocumentTarget::check_operation(std::string_view operation) const {
  if (has_operation(operation)) return {};
  return fail(Code::kUnknownOperation, "{}{} is not an operation", prefix(), operation);
}

void DocumentTarget::execute(std::string_view operation, std::string_view body, Done<std::string> done) {
  // Shared, because the error below needs it too.
  auto answer = std::make_shared<Done<std::string>>(std::move(done));
  const bool taken = workers_.run(
      [this, answer, name = std::string(operation), text = std::string(body)] { (*answer)(execute_here(name, text)); });
  if (!taken) (*answer)(fail(Code::kThrottled, "too many operations of Dolmen's own are waiting; try again"));
}

Result<std::string> DocumentTarget::execute_here(const std::string& operation, const std::string& body) {
  if (operation == kCreateStoreBackup) return back_up();
  if (operation == kDescribeTopKeys) return describe_top_keys(store_, body);
  if (operation == kDescribeVectorIndex) return describe_vector_index(store_, body);
  if (contract::is_operation(operation)) return execute_on_contracts({.name = operation, .body = body});
  if (entity::is_operation(operation)) return entities_.execute(operation, body);
  if (relation::is_operation(operation)) return relations_.execute(operation, body);
  return document::execute(documents_, operation, body);
}

Result<std::string> DocumentTarget::back_up() {
  auto* backups = store_.companions().find<StoreBackups>();
  if (backups == nullptr || backups_.empty())
    return fail(Code::kUnsupported, "this server makes no backups; start it with --backups DIR");
  const std::lock_guard lock(backup_mutex_);
  std::unique_ptr<FolderMirror> mirror;
  if (is_bucket_url(backups_)) {
    DOLMEN_TRY(mirror, FolderMirror::open(backups_, storage::BackupFolder::describes_backups));
  }
  DOLMEN_TRY(const StoreBackupMade made, backups->back_up(mirror ? mirror->folder().native() : backups_));
  if (mirror) DOLMEN_TRY_VOID(mirror->put_new(storage::BackupFolder::sort_for_copying));
  return object_text([&](ObjectWriter& object) {
    object.number("Id", made.id)
        .number("Files", made.files)
        .number("Bytes", made.bytes)
        .number("NewBytes", made.new_bytes);
  });
}

Result<std::string> DocumentTarget::execute_on_contracts(const contract::Operation& operation) {
  return contract::execute(contracts_, operation, [&](const SchemaRef& ref) -> Result<std::string> {
    DOLMEN_TRY(PublishedInfo info, documents_.schema(ref));
    return std::move(info.text);
  });
}

}  // namespace dolmen
