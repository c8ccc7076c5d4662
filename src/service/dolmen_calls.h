#pragma once

#include <string>
#include <string_view>

#include "service/service.h"

namespace dolmen {

/// The operations of Dolmen's own protocol at a remote store. A companion of its Store.
class DolmenCalls {
 public:
  virtual ~DolmenCalls() = default;
  /// Takes and returns a JSON object. Fails with kUnknownOperation when the endpoint does not speak Dolmen's
  /// protocol.
  virtual void call(std::string_view operation, std::string body, Done<std::string> done) = 0;
};

}  // namespace dolmen
