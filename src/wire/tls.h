#pragma once

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::wire {

struct TlsFiles {
  /// The certificate of the server, followed by those that lead from it to its root, in PEM.
  std::filesystem::path certificate = {};
  std::filesystem::path key = {};
  /// Certificates of those who sign clients. Given, only clients with a certificate come in.
  std::filesystem::path client_authority = {};

  [[nodiscard]] bool given() const { return !certificate.empty(); }
};

/// What a server proves its identity with: TLS 1.2 and 1.3.
class TlsSettings {
 public:
  /// Fails with kInvalidArgument and names the file that cannot be used, or that does not fit the others.
  static Result<std::shared_ptr<TlsSettings>> load(const TlsFiles& files);

  [[nodiscard]] boost::asio::ssl::context& context() { return context_; }

 private:
  TlsSettings();

  boost::asio::ssl::context context_;
};

/// A certificate that nobody else vouches for, with its key, both in PEM.
struct SelfSigned {
  std::string certificate;
  std::string key;
};

/// `names` are host names and IP addresses. Fails with kInvalidArgument for a name that cannot be in a certificate.
Result<SelfSigned> make_self_signed(const std::vector<std::string>& names, int days);

}  // namespace dolmen::wire
