#pragma once

#include <string>
#include <string_view>

#include "api/service.h"
#include "wire/table_name.h"

namespace dolmen::wire {

/// Who carries out operations, and for whom.
struct Backend {
  Service& service;
  Account account;
};

/// Carries out one operation: reads its JSON, checks it in DynamoDB's order, calls the service and writes the response
/// as JSON.
///
///   1. the text is a JSON object                       SerializationException
///   2. the types of its members (shape_check.h)        SerializationException
///   3. the constraints of its members (shape_check.h)  ValidationException, all violations in one
///   4. what is not supported is refused                ValidationException
///   5. the meaning of parameters and values            ValidationException
///   6. the service: tables, keys, conditions, effect
void execute(std::string_view operation, std::string_view body, const Backend& backend, Done<std::string> done);

/// True when `execute` knows the operation.
bool is_operation(std::string_view operation);

}  // namespace dolmen::wire
