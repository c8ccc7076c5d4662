#include "server/document_target.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "base/fail.h"
#include "contract/operations.h"
#include "document/operations.h"
#include "entity/operations.h"
#include "relation/operations.h"
#include "server/contract_verification.h"
#include "server/top_keys.h"
#include "server/vector_statistics.h"

namespace dolmen {

DocumentTarget::DocumentTarget(Documents documents, Store& store, const Options& options)
    : store_(store),
      backups_(store, options.backups),
      faults_(options.faults),
      documents_(std::move(documents)),
      contracts_(store, options.warn),
      entities_(store),
      relations_(store, {.resume_deletes = options.resume_deletes, .log = options.warn}),
      check_(store),
      workers_({}) {
  if (options.resume_deletes) static_cast<void>(workers_.run([this] { relations_.resume(); }));
}

void DocumentTarget::stop() {
  relations_.interrupt();
  check_.stop();
  workers_.stop_soon();
}

std::string_view DocumentTarget::prefix() const { return document::kTargetPrefix; }

access::Role DocumentTarget::role_needed(std::string_view operation) const {
  // Verifying a backup reads all of its files.
  if (FaultSwitches::changes(operation) || StoreBackupOperations::verifies(operation)) return access::Role::kAdmin;
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
         relation::is_operation(operation) || StoreBackupOperations::is_operation(operation) ||
         FaultSwitches::is_operation(operation) || operation == kVerifyContract || operation == kDescribeTopKeys ||
         operation == kDescribeVectorIndex || StoreCheckJob::has_operation(operation);
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
  if (StoreBackupOperations::is_operation(operation)) return backups_.execute(operation, body);
  if (FaultSwitches::is_operation(operation)) return faults_.execute(operation, body);
  if (StoreCheckJob::has_operation(operation)) return check_.execute(operation, body);
  if (operation == kDescribeTopKeys) return describe_top_keys(store_, body);
  if (operation == kDescribeVectorIndex) return describe_vector_index(store_, body);
  if (contract::is_operation(operation) || operation == kVerifyContract)
    return execute_on_contracts({.name = operation, .body = body});
  if (entity::is_operation(operation)) return entities_.execute(operation, body);
  if (relation::is_operation(operation)) return relations_.execute(operation, body);
  return document::execute(documents_, operation, body);
}

Result<std::string> DocumentTarget::execute_on_contracts(const contract::Operation& operation) {
  const contract::SchemaText schema_text = [&](const SchemaRef& ref) -> Result<std::string> {
    DOLMEN_TRY(PublishedInfo info, documents_.schema(ref));
    return std::move(info.text);
  };
  if (operation.name == kVerifyContract) return verify_contract(store_, contracts_, operation.body, schema_text);
  return contract::execute(contracts_, operation, schema_text);
}

}  // namespace dolmen
