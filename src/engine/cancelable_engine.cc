#include "engine/cancelable_engine.h"

#include <utility>

#include "service/write_gate.h"

namespace dolmen::engine {
namespace {

class CancelableEngine final : public Service {
 public:
  CancelableEngine(Service& engine, std::stop_token stop) : engine_(engine), stop_(std::move(stop)) {}

  void create_table(TableDefinition definition, Done<TableDescription> done) override {
    if (!refused(done)) engine_.create_table(std::move(definition), std::move(done));
  }
  void describe_table(const std::string& name, Done<TableDescription> done) override {
    if (!refused(done)) engine_.describe_table(name, std::move(done));
  }
  void delete_table(const std::string& name, Done<TableDescription> done) override {
    if (!refused(done)) engine_.delete_table(name, std::move(done));
  }
  void list_tables(const ListTablesRequest& request, Done<TableNamePage> done) override {
    if (!refused(done)) engine_.list_tables(request, std::move(done));
  }
  void write_item(WriteRequest request, Done<WriteResponse> done) override {
    if (!refused(done)) engine_.write_item(std::move(request), std::move(done));
  }
  void get_item(const GetItemRequest& request, Done<GetItemResponse> done) override {
    if (!refused(done)) engine_.get_item(request, std::move(done));
  }
  void read_many(const ReadManyRequest& request, Done<ReadManyResponse> done) override {
    if (!refused(done)) engine_.read_many(request, std::move(done));
  }
  void batch_get(const BatchGetRequest& request, Done<BatchGetResponse> done) override {
    if (!refused(done)) engine_.batch_get(request, std::move(done));
  }
  void batch_write(BatchWriteRequest request, Done<BatchWriteResponse> done) override {
    if (!refused(done)) engine_.batch_write(std::move(request), std::move(done));
  }
  void transact_write(TransactWriteRequest request, Done<TransactWriteResponse> done) override {
    if (!refused(done)) engine_.transact_write(std::move(request), std::move(done));
  }
  void transact_get(const TransactGetRequest& request, Done<TransactGetResponse> done) override {
    if (!refused(done)) engine_.transact_get(request, std::move(done));
  }
  void change_gate(GateChange change, Done<void> done) override {
    if (!refused(done)) engine_.change_gate(std::move(change), std::move(done));
  }
  void write_gate(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) override {
    if (!refused(done)) engine_.write_gate(table, std::move(done));
  }
  [[nodiscard]] bool is_embedded() const override { return engine_.is_embedded(); }
  [[nodiscard]] schema::Registry* schema_files() override { return engine_.schema_files(); }
  std::unique_ptr<Service> cancelable(std::stop_token stop) override {
    return std::make_unique<CancelableEngine>(*this, std::move(stop));
  }

 private:
  template <class Response>
  bool refused(Done<Response>& done) const {
    if (!stop_.stop_requested()) return false;
    done(std::unexpected(Error(Code::kCanceled, "the call was canceled before it began")));
    return true;
  }

  Service& engine_;
  const std::stop_token stop_;
};

}  // namespace

std::unique_ptr<Service> cancelable_engine(Service& engine, std::stop_token stop) {
  return std::make_unique<CancelableEngine>(engine, std::move(stop));
}

}  // namespace dolmen::engine
