#pragma once

#include <string>
#include <string_view>

#include "contract/operations.h"
#include "dolmen/documents.h"
#include "server/workers.h"
#include "wire/aws_protocol.h"

namespace dolmen {

/// The operations of documents and of contracts over the wire (`Dolmen_20261115.*`).
class DocumentTarget final : public wire::Extension {
 public:
  /// The store must outlive this object. `warn` receives the warnings of the gates that are set up here.
  DocumentTarget(Documents documents, Store& store, contract::Warn warn)
      : documents_(std::move(documents)), contracts_(store, std::move(warn)), workers_({}) {}

  [[nodiscard]] std::string_view prefix() const override;
  [[nodiscard]] Result<void> check_operation(std::string_view operation) const override;
  /// Fails with kThrottled when too many operations are waiting.
  void execute(std::string_view operation, std::string_view body, Done<std::string> done) override;

  /// Finishes the operations in progress.
  void stop() { workers_.stop(); }

 private:
  Result<std::string> execute_on_contracts(const contract::Operation& operation);

  Documents documents_;
  contract::Contracts contracts_;
  Workers workers_;
};

}  // namespace dolmen
