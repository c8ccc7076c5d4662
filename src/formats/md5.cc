#include "formats/md5.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/base64.h"
#include "base/check.h"

namespace dolmen::formats {

Md5 md5(std::string_view bytes) {
  constexpr std::size_t kMd5Bytes = 16;
  std::array<unsigned char, kMd5Bytes> digest{};
  DOLMEN_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_md5(), nullptr) == 1,
               "OpenSSL computes MD5");
  Md5 made;
  std::string raw;
  for (const unsigned char byte : digest) {
    raw.push_back(static_cast<char>(byte));
    made.hex += fmt::format("{:02x}", byte);
  }
  made.base64 = encode_base64(raw);
  return made;
}

}  // namespace dolmen::formats
