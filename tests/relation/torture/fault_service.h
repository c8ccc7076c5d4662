#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dolmen/store.h"
#include "service/service.h"

namespace dolmen::torture {

/// Where the process under test "crashes": at the so many-th call from now, before it is carried out or when its answer
/// is on the way. From then on every call fails, until `revive`.
struct CrashPoint {
  std::uint64_t calls = 0;
  bool carried_out = false;
};

/// A service that passes everything on to another store, crashes when told to, and looks at every transaction for what
/// DynamoDB would refuse: more than 100 actions, more than 4 MB, two actions on one item; and for scans, which the
/// library has no business with. May be called from any thread; `arm`, `meanwhile` and `revive` only while nobody else
/// calls.
class FaultService final : public Service {
 public:
  explicit FaultService(Store& store) : below_(store.service()) {}

  void arm(CrashPoint point);
  void revive();
  /// Somebody else does something between two calls: before the so many-th from now.
  void meanwhile(std::uint64_t calls, std::function<void()> what);
  /// The next so many queries of the inverted index do not see the newest record, as on AWS.
  void lag(unsigned queries) { lagging_queries_ = queries; }
  [[nodiscard]] bool crashed() const { return crashed_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  /// What was wrong with requests.
  [[nodiscard]] std::vector<std::string> complaints();

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

 private:
  enum class Fate : std::uint8_t { kCarryOut, kLose, kRefuse };
  Fate next_fate();
  void complain(std::string what);
  void check(const TransactWriteRequest& request);

  template <class Response, class Call>
  void pass(Done<Response> done, Call call);

  Service& below_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> crash_at_ = 0;
  std::atomic<std::uint64_t> meanwhile_at_ = 0;
  std::function<void()> meanwhile_;
  bool carried_out_ = false;
  std::atomic<bool> crashed_ = false;
  std::atomic<unsigned> lagging_queries_ = 0;
  std::mutex complaints_mutex_;
  std::vector<std::string> complaints_;
};

}  // namespace dolmen::torture
