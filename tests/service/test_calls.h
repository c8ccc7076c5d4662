#pragma once

#include <string>
#include <utility>

#include "service/service.h"
#include "service/wait.h"

/// The operations of a service as plain calls, for tests.
namespace dolmen {

inline Result<WriteResponse> call(Service& service, WriteRequest request) {
  switch (request.kind) {
    case WriteKind::kPut: return call<PutItem>(service, std::move(request));
    case WriteKind::kUpdate: return call<UpdateItem>(service, std::move(request));
    default: return call<DeleteItem>(service, std::move(request));
  }
}

inline Result<ReadManyResponse> call(Service& service, ReadManyRequest request) {
  const bool query = request.key_condition || request.key_conditions;
  return query ? call<Query>(service, std::move(request)) : call<Scan>(service, std::move(request));
}

inline auto call(Service& service, GetItemRequest request) { return call<GetItem>(service, std::move(request)); }
inline auto call(Service& service, BatchGetRequest request) { return call<BatchGetItem>(service, std::move(request)); }
inline auto call(Service& service, BatchWriteRequest request) {
  return call<BatchWriteItem>(service, std::move(request));
}
inline auto call(Service& service, TransactWriteRequest request) {
  return call<TransactWriteItems>(service, std::move(request));
}
inline auto call(Service& service, TransactGetRequest request) {
  return call<TransactGetItems>(service, std::move(request));
}

inline auto create_table(Service& service, TableDefinition definition) {
  return call<CreateTable>(service, std::move(definition));
}
inline auto describe_table(Service& service, const std::string& name) {
  return call<DescribeTable>(service, {.table = name});
}
inline auto delete_table(Service& service, const std::string& name) {
  return call<DeleteTable>(service, {.table = name});
}
inline auto list_tables(Service& service) { return call<ListTableNames>(service, {}); }

}  // namespace dolmen
