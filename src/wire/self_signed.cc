#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <memory>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fail.h"
#include "wire/tls.h"

namespace dolmen::wire {
namespace {

template <auto kFree>
struct FreedBy {
  template <class T>
  void operator()(T* value) const {
    kFree(value);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreedBy<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreedBy<X509_free>>;
using Memory = std::unique_ptr<BIO, FreedBy<BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreedBy<X509_EXTENSION_free>>;

bool is_ip_text(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

/// In a certificate, names stand between commas, and a wildcard may be the first part.
bool is_host_name(const std::string& name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == '*'; });
}

std::string text_of(const Memory& memory) {
  char* bytes = nullptr;
  const auto count = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(count)};
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  DOLMEN_CHECK(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1,
               "the extension can be written");
}

void set_serial_and_time(X509* certificate, int days) {
  std::uint64_t serial = 0;
  DOLMEN_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof(serial)) == 1, "there is randomness");
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1U);
  constexpr long kSecondsPerDay = 24L * 3600;
  X509_gmtime_adj(X509_getm_notBefore(certificate), -kSecondsPerDay);  // Clocks differ.
  X509_gmtime_adj(X509_getm_notAfter(certificate), days * kSecondsPerDay);
}

}  // namespace

Result<SelfSigned> make_self_signed(const std::vector<std::string>& names, int days) {
  std::string alternatives;
  for (const std::string& name : names) {
    if (!is_ip_text(name) && !is_host_name(name))
      return fail(Code::kInvalidArgument, "\"{}\" is neither a host name nor an IP address", name);
    alternatives.append(alternatives.empty() ? "" : ",").append(is_ip_text(name) ? "IP:" : "DNS:").append(name);
  }
  if (names.empty()) return fail(Code::kInvalidArgument, "a certificate needs a name");
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  DOLMEN_CHECK(key != nullptr && certificate != nullptr, "P-256 is available");
  X509_set_version(certificate.get(), X509_VERSION_3);
  set_serial_and_time(certificate.get(), days);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(names.front().c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate.get(), NID_subject_alt_name, alternatives);
  DOLMEN_CHECK(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0, "the certificate can be signed");
  const Memory certificate_text(BIO_new(BIO_s_mem()));
  const Memory key_text(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate_text.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return SelfSigned{text_of(certificate_text), text_of(key_text)};
}

}  // namespace dolmen::wire
