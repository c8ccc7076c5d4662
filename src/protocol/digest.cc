#include "protocol/digest.h"

#include <array>
#include <fmt/format.h>
#include <iterator>
#include <openssl/evp.h>

#include "base/check.h"

namespace dolmen {

std::string hex(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

std::string hex_sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  DOLMEN_CHECK(done == 1, "SHA-256 is available");
  return hex(digest);
}

}  // namespace dolmen
