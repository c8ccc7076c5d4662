#include "remote/remote_service.h"

#include <utility>

#include "base/random.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

std::string_view operation_of(WriteKind kind) {
  switch (kind) {
    case WriteKind::kPut: return "PutItem";
    case WriteKind::kUpdate: return "UpdateItem";
    case WriteKind::kDelete: return "DeleteItem";
    case WriteKind::kCheck: break;
  }
  return "";
}

/// For somebody who creates a table, one that is in use exists.
Done<TableDescription> exists_when_in_use(Done<TableDescription> done) {
  return [done = std::move(done)](Result<TableDescription> table) mutable {
    if (!table && table.error().code() == Code::kTableInUse)
      return done(std::unexpected(Error(Code::kTableExists, table.error().message())));
    done(std::move(table));
  };
}

}  // namespace

RemoteService::RemoteService(Caller::Options options, std::function<CredentialCache::Fetch(http::Client&)> credentials)
    : retry_(options.remote.retry),
      random_(options.remote.random),
      own_caller_(std::make_unique<Caller>(std::move(options), std::move(credentials))),
      caller_(*own_caller_) {}

RemoteService::RemoteService(const RemoteService& whole, const std::stop_token& stop)
    : retry_(whole.retry_),
      random_(whole.random_),
      caller_(whole.caller_),
      stop_(std::make_shared<JoinedStop>(whole.stop_ ? whole.stop_->token() : std::stop_token(), stop)) {}

std::unique_ptr<Service> RemoteService::cancelable(std::stop_token stop) {
  return std::unique_ptr<Service>(new RemoteService(*this, stop));
}

template <class Response, class Read>
void RemoteService::perform(Call call, Read read, Done<Response> done) {
  const bool writes = call.repeat != Repeat::kRead;
  if (stop_) call.stop = stop_->token();
  caller_.call(std::move(call), [stop = stop_, read = std::move(read), writes,
                                 done = std::move(done)](Result<std::string> body) mutable {
    Result<Response> response =
        body ? read(std::string_view(*body)) : Result<Response>(std::unexpected(std::move(body).error()));
    // Whoever says that it succeeded, but not in DynamoDB's words, may not have carried it out.
    if (body && !response && writes)
      response = std::unexpected(Error(Code::kUnknownOutcome, response.error().message()));
    done(std::move(response));
  });
}

template <class Response, class Read>
void RemoteService::perform(std::string_view operation, Repeat repeat, Result<std::string> body, Read read,
                            Done<Response> done) {
  if (!body) return done(std::unexpected(std::move(body).error()));
  perform<Response>(Call{.operation = operation, .body = std::move(*body), .repeat = repeat}, std::move(read),
                    std::move(done));
}

void RemoteService::create_table(TableDefinition definition, Done<TableDescription> done) {
  perform<TableDescription>(
      "CreateTable", Repeat::kSame, create_table_body(definition),
      [](std::string_view body) { return read_table(body, "TableDescription"); }, exists_when_in_use(std::move(done)));
}

void RemoteService::call_dolmen(std::string_view operation, std::string body, Done<std::string> done) {
  // Not all of them may be repeated: an insert that succeeded would find its own document.
  const bool reads = operation.starts_with("Get") || operation.starts_with("List") || operation.starts_with("Query") ||
                     operation.starts_with("Describe") || operation.starts_with("Explain");
  // The name must outlive the call.
  auto name = std::make_shared<const std::string>(operation);
  Call call{.operation = *name,
            .body = std::move(body),
            .repeat = reads ? Repeat::kRead : Repeat::kNever,
            .prefix = "Dolmen_20261115."};
  perform<std::string>(
      std::move(call), [name](std::string_view response) -> Result<std::string> { return std::string(response); },
      std::move(done));
}

void RemoteService::describe_table(const std::string& name, Done<TableDescription> done) {
  perform<TableDescription>(
      "DescribeTable", Repeat::kRead, table_name_body(name),
      [](std::string_view body) { return read_table(body, "Table"); }, std::move(done));
}

void RemoteService::delete_table(const std::string& name, Done<TableDescription> done) {
  perform<TableDescription>(
      "DeleteTable", Repeat::kSame, table_name_body(name),
      [](std::string_view body) { return read_table(body, "TableDescription"); }, std::move(done));
}

void RemoteService::list_tables(const ListTablesRequest& request, Done<TableNamePage> done) {
  perform<TableNamePage>("ListTables", Repeat::kRead, list_tables_body(request), read_table_names, std::move(done));
}

void RemoteService::write_item(WriteRequest request, Done<WriteResponse> done) {
  perform<WriteResponse>(operation_of(request.kind), repeat_of(request, retry_), write_body(request), read_write,
                         std::move(done));
}

void RemoteService::get_item(const GetItemRequest& request, Done<GetItemResponse> done) {
  perform<GetItemResponse>("GetItem", Repeat::kRead, get_body(request), read_get, std::move(done));
}

void RemoteService::read_many(const ReadManyRequest& request, Done<ReadManyResponse> done) {
  perform<ReadManyResponse>(request.key_condition ? "Query" : "Scan", Repeat::kRead, read_many_body(request),
                            remote::read_many, std::move(done));
}

void RemoteService::batch_get(const BatchGetRequest& request, Done<BatchGetResponse> done) {
  perform<BatchGetResponse>(
      "BatchGetItem", Repeat::kRead, batch_get_body(request),
      [request](std::string_view body) { return read_batch_get(body, request); }, std::move(done));
}

void RemoteService::batch_write(BatchWriteRequest request, Done<BatchWriteResponse> done) {
  Result<std::string> body = batch_write_body(request);
  perform<BatchWriteResponse>(
      "BatchWriteItem", retry_.repeat_writes ? Repeat::kSame : Repeat::kNever, std::move(body),
      [request = std::move(request)](std::string_view text) { return read_batch_write(text, request); },
      std::move(done));
}

void RemoteService::transact_write(TransactWriteRequest request, Done<TransactWriteResponse> done) {
  if (!request.client_token) {
    FunctionRandom random(random_);
    request.client_token = random_uuid(random);
  }
  perform<TransactWriteResponse>("TransactWriteItems", Repeat::kToken, transact_write_body(request),
                                 read_transact_write, std::move(done));
}

void RemoteService::transact_get(const TransactGetRequest& request, Done<TransactGetResponse> done) {
  perform<TransactGetResponse>(
      "TransactGetItems", Repeat::kRead, transact_get_body(request),
      [request](std::string_view body) { return read_transact_get(body, request); }, std::move(done));
}

}  // namespace dolmen::remote
