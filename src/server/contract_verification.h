#pragma once

#include <string>
#include <string_view>

#include "contract/contracts.h"
#include "contract/definition.h"
#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// The operation of Dolmen's own that looks for stored items which break a contract, a page at a time.
inline constexpr std::string_view kVerifyContract = "VerifyContract";

/// {"table": ..., "version": ..., "limit": "500", "start": {...}} becomes {"checked": ..., "violating": ..., "items":
/// [{"key":
/// ..., "kind": ..., "violations": [{"path": ..., "rule": ..., "message": ...}]}], "next": {...}}. The contract is a
/// version that was published, or what the members models, schemas, discriminator and kinds say, as in BindContract.
/// Keys are DynamoDB JSON; `next` is the `start` of the next page and missing at the end. Nothing is changed.
///
/// Fails with kQueryInvalid, kUnknownSchemaVersion, kTableNotFound, and as contract::Rules::make does.
Result<std::string> verify_contract(Store& store, const contract::Contracts& contracts, std::string_view body,
                                    const contract::SchemaText& schema_text);

}  // namespace dolmen
