#include "schema/digest.h"

#include <array>
#include <openssl/evp.h>

#include "base/check.h"

namespace dolmen::schema {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  DOLMEN_CHECK(done == 1 && length == 32, "OpenSSL has SHA-256");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text.push_back(kDigits[digest[i] >> 4U]);
    text.push_back(kDigits[digest[i] & 15U]);
  }
  return text;
}

}  // namespace dolmen::schema
