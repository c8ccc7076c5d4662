#pragma once

#include <memory>

#include "base/joined_stop.h"
#include "remote/caller.h"
#include "service/service.h"

namespace dolmen::remote {

/// The operations at an endpoint.
class RemoteService final : public Service {
 public:
  RemoteService(Caller::Options options, std::function<CredentialCache::Fetch(http::Client&)> credentials);

  void create_table(TableDefinition definition, Done<TableDescription> done) override;
  void describe_table(const std::string& name, Done<TableDescription> done) override;
  void delete_table(const std::string& name, Done<TableDescription> done) override;
  void list_tables(const ListTablesRequest& request, Done<TableNamePage> done) override;
  void write_item(WriteRequest request, Done<WriteResponse> done) override;
  void get_item(const GetItemRequest& request, Done<GetItemResponse> done) override;
  void read_many(const ReadManyRequest& request, Done<ReadManyResponse> done) override;
  void batch_get(const BatchGetRequest& request, Done<BatchGetResponse> done) override;
  void batch_write(BatchWriteRequest request, Done<BatchWriteResponse> done) override;
  void transact_write(TransactWriteRequest request, Done<TransactWriteResponse> done) override;
  void transact_get(const TransactGetRequest& request, Done<TransactGetResponse> done) override;
  std::unique_ptr<Service> cancelable(std::stop_token stop) override;
  void call_dolmen(std::string_view operation, std::string body, Done<std::string> done) override;

 private:
  /// The same endpoint, by the same caller, until `whole` or this one is to stop.
  RemoteService(const RemoteService& whole, const std::stop_token& stop);

  /// Calls an operation and reads its response by `read(body)`.
  template <class Response, class Read>
  void perform(Call call, Read read, Done<Response> done);
  template <class Response, class Read>
  void perform(std::string_view operation, Repeat repeat, Result<std::string> body, Read read, Done<Response> done);

  const RetryOptions retry_;
  const std::function<std::uint64_t()> random_;
  const std::unique_ptr<Caller> own_caller_;
  Caller& caller_;
  /// Nothing when nobody can stop the calls. Each call keeps it, for it may outlive this.
  const std::shared_ptr<const JoinedStop> stop_;
};

}  // namespace dolmen::remote
