#include "wire/tls.h"

#include <openssl/ssl.h>

#include "base/fail.h"

namespace dolmen::wire {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

Result<void> check(const error_code& error, std::string_view what, const std::filesystem::path& file) {
  if (!error) return {};
  return fail(Code::kInvalidArgument, "cannot use {} as {}: {}", file.string(), what, error.message());
}

}  // namespace

TlsSettings::TlsSettings() : context_(ssl::context::tls_server) {
  SSL_CTX* const native = context_.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  // Idle connections need no buffers.
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  context_.set_options(ssl::context::no_compression | ssl::context::single_dh_use);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
}

Result<std::shared_ptr<TlsSettings>> TlsSettings::load(const TlsFiles& files) {
  std::shared_ptr<TlsSettings> settings(new TlsSettings());
  ssl::context& context = settings->context_;
  error_code error;
  context.use_certificate_chain_file(files.certificate.string(), error);
  DOLMEN_TRY_VOID(check(error, "the certificate of the server", files.certificate));
  context.use_private_key_file(files.key.string(), ssl::context::pem, error);
  DOLMEN_TRY_VOID(check(error, "the key of that certificate", files.key));
  if (SSL_CTX_check_private_key(context.native_handle()) != 1)
    return fail(Code::kInvalidArgument, "{} is not the key of the certificate in {}", files.key.string(),
                files.certificate.string());
  if (files.client_authority.empty()) return settings;
  context.load_verify_file(files.client_authority.string(), error);
  DOLMEN_TRY_VOID(check(error, "the authority of clients", files.client_authority));
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
  DOLMEN_TRY_VOID(check(error, "the authority of clients", files.client_authority));
  return settings;
}

}  // namespace dolmen::wire
