#pragma once

#include <string>
#include <string_view>

#include "service/service.h"

namespace dolmen {

/// The operations of DynamoDB at a remote store with their JSON as it is, whatever the endpoint understands. A
/// companion of its Store.
class JsonCalls {
 public:
  virtual ~JsonCalls() = default;
  /// Takes and returns a JSON object. `of_streams` names the interface that has the operation. A write whose outcome is
  /// unknown is not repeated.
  virtual void call_json(std::string_view operation, bool of_streams, std::string body, Done<std::string> done) = 0;
};

}  // namespace dolmen
