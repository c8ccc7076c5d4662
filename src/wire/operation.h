#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "dolmen/error.h"
#include "service/elsewhere.h"
#include "service/service.h"
#include "wire/operations.h"
#include "wire/parameters.h"

/// The common parts of the operations. Each operation reads its parameters, whose types and constraints have been
/// checked, and starts the service. An error that it returns itself was found before that.
namespace dolmen::wire {

using StartOperation = Result<void> (*)(const Parameters&, const Backend&, Done<std::string>&);

/// How the wire carries out an operation.
struct WireOperation {
  OperationInfo info;
  StartOperation start;
  /// Parameters of DynamoDB that are not supported with any value.
  std::vector<std::string_view> unsupported = {};
  /// Checks the text of a request before its types are checked; null when nothing is to be checked in it.
  Result<void> (*decode)(std::string_view body) = nullptr;
};

/// The operations of a family; together they are those of service/operations.h.
std::span<const WireOperation> table_operations();
std::span<const WireOperation> item_operations();
std::span<const WireOperation> read_operations();
std::span<const WireOperation> vector_operations();
std::span<const WireOperation> batch_operations();
std::span<const WireOperation> transact_operations();
std::span<const WireOperation> statement_operations();
std::span<const WireOperation> stream_operations();
std::span<const WireOperation> time_to_live_operations();
std::span<const WireOperation> tag_operations();
std::span<const WireOperation> backup_operations();
std::span<const WireOperation> account_operations();
std::span<const WireOperation> policy_operations();
std::span<const WireOperation> insights_operations();
std::span<const WireOperation> kinesis_operations();
std::span<const WireOperation> global_table_operations();
std::span<const WireOperation> transfer_operations();

/// Whether the caller, of whom there is one, may do what an operation or a statement asks for: by its key and by the
/// policies of the tables.
Result<void> check_demand(const access::Demand& demand, const Backend& backend);

/// Converts the outcome of an operation to the body of its response. `trace` is that of a read that is explained.
template <class Response, class Encode>
Done<Response> encoded(Encode encode, Done<std::string> done, std::shared_ptr<ReadTrace> trace = nullptr) {
  return
      [encode = std::move(encode), done = std::move(done), trace = std::move(trace)](Result<Response> outcome) mutable {
        if (!outcome) return done(std::unexpected(std::move(outcome).error()));
        if (trace) trace->enter(ReadTrace::Phase::kEncode);
        done(encode(*outcome));
      };
}

Result<EncodedItem> read_item(const Parameters& parameters, std::string_view name);
/// Reads the item of a put or the key of another write, by the request's kind, with its size.
Result<void> read_written_item(const Parameters& parameters, WriteRequest& request);
Result<std::string> read_table_name(const Parameters& parameters, const Backend& backend);
ReturnCapacity read_return_capacity(const Parameters& parameters);
bool read_return_metrics(const Parameters& parameters);

}  // namespace dolmen::wire
