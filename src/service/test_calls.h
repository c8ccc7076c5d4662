#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "service/service.h"

/// The operations of a service as plain calls, for tests.
namespace dolmen {

/// Starts an operation and waits for its answer.
template <class Response, class Start>
Result<Response> answer_of(Start start) {
  auto promise = std::make_shared<std::promise<Result<Response>>>();
  std::future<Result<Response>> future = promise->get_future();
  start([promise](Result<Response> result) { promise->set_value(std::move(result)); });
  return future.get();
}

inline Result<WriteResponse> call(Service& service, WriteRequest request) {
  return answer_of<WriteResponse>([&](auto done) { service.write_item(std::move(request), std::move(done)); });
}

inline Result<GetItemResponse> call(Service& service, const GetItemRequest& request) {
  return answer_of<GetItemResponse>([&](auto done) { service.get_item(request, std::move(done)); });
}

inline Result<ReadManyResponse> call(Service& service, const ReadManyRequest& request) {
  return answer_of<ReadManyResponse>([&](auto done) { service.read_many(request, std::move(done)); });
}

inline Result<BatchGetResponse> call(Service& service, const BatchGetRequest& request) {
  return answer_of<BatchGetResponse>([&](auto done) { service.batch_get(request, std::move(done)); });
}

inline Result<BatchWriteResponse> call(Service& service, BatchWriteRequest request) {
  return answer_of<BatchWriteResponse>([&](auto done) { service.batch_write(std::move(request), std::move(done)); });
}

inline Result<TransactWriteResponse> call(Service& service, TransactWriteRequest request) {
  return answer_of<TransactWriteResponse>(
      [&](auto done) { service.transact_write(std::move(request), std::move(done)); });
}

inline Result<TransactGetResponse> call(Service& service, const TransactGetRequest& request) {
  return answer_of<TransactGetResponse>([&](auto done) { service.transact_get(request, std::move(done)); });
}

inline Result<TableDescription> create_table(Service& service, TableDefinition definition) {
  return answer_of<TableDescription>([&](auto done) { service.create_table(std::move(definition), std::move(done)); });
}

inline Result<TableDescription> describe_table(Service& service, const std::string& name) {
  return answer_of<TableDescription>([&](auto done) { service.describe_table(name, std::move(done)); });
}

inline Result<TableDescription> delete_table(Service& service, const std::string& name) {
  return answer_of<TableDescription>([&](auto done) { service.delete_table(name, std::move(done)); });
}

inline Result<TableNamePage> list_tables(Service& service) {
  return answer_of<TableNamePage>([&](auto done) { service.list_tables({}, std::move(done)); });
}

}  // namespace dolmen
