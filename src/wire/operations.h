#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "access/gatekeeper.h"
#include "access/resource_policies.h"
#include "service/service.h"
#include "wire/table_name.h"
#include "wire/texts.h"

namespace dolmen::wire {

/// The service that carries out the operations of a caller, the account that they belong to, and the words in which
/// they are refused.
struct Backend {
  Service& service;
  const Account& account;
  Texts texts = Texts::kCurrent;
  /// Checks what the caller may do. Null: everybody may do everything.
  access::Gatekeeper* gatekeeper = nullptr;
  const access::KnownKey* caller = nullptr;
  /// Set to the table that the request names, for the log: see AnsweredView. Null: nobody wants to know. Lives until
  /// the operation is done.
  std::string* table = nullptr;
  /// Explains a read. Usually null.
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Where long work goes on. Null: it is done here. Outlives all operations of the service.
  const Elsewhere* elsewhere = nullptr;
  /// The policies of tables and streams. Null: there are none.
  access::ResourcePolicies* policies = nullptr;
  /// Whether the service may leave out writes of a batch, for the caller to send again.
  bool leaves_out_writes = true;
  /// The host and port by which the caller reached the server.
  std::string_view reached_at = {};
};

/// The two interfaces of DynamoDB, each with operations of its own and a prefix of its own in X-Amz-Target.
enum class Interface : std::uint8_t { kTables, kStreams };

/// Checks that the interface has the operation. Fails with kUnknownOperation: without a message, as DynamoDB does, for
/// operations that DynamoDB does not have, and with a message for those that Dolmen does not support. Returns its name
/// as a text that lives as long as the program.
Result<std::string_view> check_operation(Interface interface, std::string_view operation);

/// The parameters of a supported operation that are refused with any value, by name.
std::span<const std::string_view> unsupported_parameters(std::string_view operation);

/// Carries out one operation: reads its JSON, checks it in DynamoDB's order, calls the service and writes the response
/// as JSON. The first check that fails is the answer, so the order is part of the contract (texts.h says where the two
/// layers of DynamoDB differ):
///
///   what is checked                                  where                            what is answered
///   1. the text is a JSON object                     operations.cc, start             SerializationException
///   2. the JSON types of all members                 shape_check.h, check_types       SerializationException
///   3. presence, lengths, ranges, patterns, values   constraint_check.h,              ValidationException
///                                                    check_constraints
///      and then that the caller may do it            demand.h                         AccessDeniedException
///   4. what is not supported                         operations.cc, check_supported   ValidationException
///   5. expressions with legacy parameters, and       expression_parameters.h,         ValidationException
///      placeholders without an expression            check_forms
///   6. attribute values, combinations of parameters  *_operations.cc, from top to     ValidationException
///      and placeholders                              bottom of each operation
///   7. syntax and meaning of expressions, unused     service/expressions.h                ValidationException
///      placeholders; then the size of an item
///   8. the table exists                              engine/catalogue.h               ResourceNotFoundException
///   9. keys, index keys and paths fit the table      engine: ItemWrite::attach, ...   ValidationException
///  10. the condition holds                           engine: ItemWrite::decide        ConditionalCheckFailed...
///  11. the effect fits what is there                 engine: ItemWrite::decide        ValidationException
///
/// Steps 1 to 6 need nothing but the request and are done here; 7 to 11 are the service's (engine/). A transaction does
/// 6 and 7 action by action, then 8 for all, and reports what 9 to 11 find as reasons of its cancellation.
/// Statements have an order of their own (statement_operations.cc, engine/statements.h): their parameters, the
/// statement itself, its clauses, literals and operands, and only then the table.
void execute(Interface interface, std::string_view operation, std::string_view body, const Backend& backend,
             Done<std::string> done);

}  // namespace dolmen::wire
