#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::wire {

/// Keeps web pages away from a server that asks nobody for a key. A page that a developer visits can send requests to
/// the developer's own machine: with its own origin, or, when its name has been made to lead to this server ("DNS
/// rebinding"), with its own name as the host.
class BrowserGuard {
 public:
  struct Options {
    /// The address that the server listens on.
    std::string address = "127.0.0.1";
    /// Other names under which clients know it.
    std::vector<std::string> host_names = {};
  };

  explicit BrowserGuard(Options options) : options_(std::move(options)) {}

  /// Fails with kAccessDenied for a host that is neither an IP address, nor a name without dots such as
  /// localhost, nor a name of DynamoDB or of this server; and for every origin, which the caller has found not to be
  /// allowed.
  [[nodiscard]] Result<void> check(std::string_view host, std::optional<std::string_view> foreign_origin) const;

  /// Whether the page of an origin came from this server, as its console does: the origin is the host that the request
  /// is for, and that is an IP address, localhost or a name of this server. Names of DynamoDB are not enough: a page
  /// that somebody else has sent under such a name may have been led here.
  [[nodiscard]] bool is_own_origin(std::string_view origin, std::string_view host) const;

 private:
  [[nodiscard]] bool is_own(std::string_view name) const;

  const Options options_;
};

}  // namespace dolmen::wire
