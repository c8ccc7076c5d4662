#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "partiql/read_plan.h"
#include "partiql/statement.h"
#include "service/failures.h"
#include "service/requests.h"

/// What the engine knows of statements that it carries out: each becomes reads and writes like those of every other
/// request.
namespace dolmen::engine {

/// A statement whose table exists.
struct OpenStatement {
  std::shared_ptr<const partiql::Statement> statement;
  std::shared_ptr<const Table> table;
};

/// A statement of a batch: a read, a write, or the reason why it is neither.
struct BatchMember {
  /// What it would do, even when it is refused; nothing for text that is no statement.
  std::optional<partiql::StatementKind> kind;
  std::optional<Error> refusal;
  OpenStatement opened;
  /// Of the item that it is about.
  std::optional<EncodedItem> key;
  std::optional<GetItemRequest> get;
  std::optional<WriteRequest> write;
};

/// A statement of a transaction: a read, a write, or the reason why it cancels the transaction.
struct TransactionMember {
  partiql::StatementKind kind = partiql::StatementKind::kSelect;
  std::shared_ptr<const partiql::Statement> statement;
  std::optional<CancellationReason> refusal;
  std::optional<GetItemRequest> get;
  std::optional<WriteRequest> write;
};

/// The key of the item that a write names.
EncodedItem key_of_write(const WriteRequest& write, const TableDefinition& table);

/// What DynamoDB calls the failure of a statement in a batch.
StatementFailure failure_of(const Error& error);

/// The error of an INSERT, for which a condition that fails means that the item exists.
Error error_of_insert(Error error);

}  // namespace dolmen::engine
