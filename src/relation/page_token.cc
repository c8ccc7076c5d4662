#include "relation/page_token.h"

#include "base/base64.h"
#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"

namespace dolmen::relation {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kHashBytes = 8;

std::string hash_text(std::string_view of) {
  std::string text;
  append_big_endian(text, hash64(of));
  return text;
}

}  // namespace

std::string make_token(std::string_view list, std::string_view position) {
  std::string body(1, kVersion);
  body += hash_text(list);
  body += position;
  body += hash_text(body);
  return encode_base64(body, Base64::kUrl);
}

Result<std::string> read_token(std::string_view list, std::string_view token) {
  const Result<std::string> decoded = decode_base64(token, Base64::kUrl);
  if (!decoded || decoded->size() < 1 + 2 * kHashBytes || decoded->front() != kVersion)
    return fail(Code::kInvalidPageToken, "this is not a page token");
  const std::string_view body = std::string_view(*decoded).substr(0, decoded->size() - kHashBytes);
  if (hash_text(body) != decoded->substr(body.size()))
    return fail(Code::kInvalidPageToken, "the page token is damaged");
  if (body.substr(1, kHashBytes) != hash_text(list))
    return fail(Code::kInvalidPageToken, "the page token belongs to another list");
  return std::string(body.substr(1 + kHashBytes));
}

}  // namespace dolmen::relation
