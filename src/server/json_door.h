#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/store.h"
#include "server/document_target.h"
#include "wire/http_parser.h"
#include "wire/table_name.h"

namespace dolmen {

/// A store behind the protocol of a server, without a network: an operation and its JSON in, the JSON of the answer
/// out. Requests pass the same checks in the same order as over HTTP (wire/operations.h), so that answers and errors
/// are to the letter those of a server. A request to a remote store goes on as it is. Thread-safe.
class JsonDoor {
 public:
  /// A server's limit.
  static constexpr std::size_t kBodyBytesMax = wire::HttpParser::Limits{}.body_bytes_max;

  /// The store must outlive this object. `region` is that of its tables.
  JsonDoor(Store& store, std::string region);
  /// Finishes the operations in progress.
  ~JsonDoor();
  JsonDoor(const JsonDoor&) = delete;
  JsonDoor& operator=(const JsonDoor&) = delete;

  /// `operation` is a name, "GetItem", or what a client writes into X-Amz-Target, "DynamoDB_20120810.GetItem". Dolmen's
  /// own operations have the prefix "Dolmen_20261115.", which may be left out too. Waits for the answer.
  Result<std::string> call(std::string_view operation, std::string_view body);

 private:
  struct Target;

  [[nodiscard]] static Target target_of(std::string_view operation);
  Result<std::string> call_own(std::string_view operation, std::string_view body);
  /// Dolmen's own operations, made when the first is called: they have threads of their own.
  Result<DocumentTarget*> own_operations();

  Store& store_;
  const wire::Account account_;
  std::mutex own_mutex_;  // guards the next one
  std::unique_ptr<DocumentTarget> own_;
};

}  // namespace dolmen
