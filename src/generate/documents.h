#pragma once

#include "dolmen/schema.h"
#include "generate/models.h"

namespace dolmen::generate {

/// Types of the documents of a schema: structs for TypedDocuments<T> in C++, interfaces in TypeScript, structs with
/// tags for encoding/json in Go, TypedDicts in Python. The type is called by the schema's id and version: UsersV1.
/// `namespace_name` is that of C++, or the package of Go. Fails with kInvalidArgument for a namespace that is none and
/// a name that contains NUL.
Result<std::string> generate_documents(Language language, const Schema& schema, const ModelCodeOptions& options);

}  // namespace dolmen::generate
