#pragma once

#include <string>
#include <string_view>

#include "dolmen/documents.h"

namespace dolmen::document {

/// The prefix of the operation in X-Amz-Target.
inline constexpr std::string_view kTargetPrefix = "Dolmen_20261115.";

/// True when the protocol has an operation of that name.
bool is_operation(std::string_view operation);

/// Carries out an operation of the document protocol (docs/documents-openapi.yaml). Takes and returns a JSON object.
/// Fails as the operations of Documents do, with kSerialization when the body is not a JSON object, and with
/// kUnknownOperation. Waits for the disk.
Result<std::string> execute(Documents& documents, std::string_view operation, std::string_view body);

}  // namespace dolmen::document
