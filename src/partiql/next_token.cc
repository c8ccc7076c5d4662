#include "partiql/next_token.h"

#include "base/base64.h"
#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/varint.h"

namespace dolmen::partiql {
namespace {

// A token is base64 of: a version byte; the digest of the statement; the number of the step, as a varint; the key of
// the last row, an encoded item, or nothing; the first bytes of the hash of all that.
constexpr char kTokenVersion = 1;
constexpr std::size_t kDigestBytes = 16;
constexpr std::size_t kChecksumBytes = 8;

std::string checksum_of(std::string_view bytes) {
  std::string checksum;
  append_big_endian(checksum, hash64(bytes));
  return checksum;
}

std::unexpected<Error> invalid_token() { return fail(Code::kValidation, "Invalid NextToken"); }

}  // namespace

std::string digest_of(const StatementRequest& statement) {
  std::string all;
  append_varint(all, statement.text.size());
  all += statement.text;
  for (const AttributeValue& value : statement.parameters) append_value(all, value);
  std::string digest;
  append_big_endian(digest, hash64(all));
  append_big_endian(digest, hash64(all + "again"));
  return digest;
}

std::string next_token(const StatementRequest& statement, const NextPosition& position) {
  std::string bytes(1, kTokenVersion);
  bytes += digest_of(statement);
  append_varint(bytes, position.step);
  if (position.after) bytes += position.after->bytes;
  return encode_base64(bytes + checksum_of(bytes));
}

Result<NextPosition> read_next_token(std::string_view token, const StatementRequest& statement) {
  const Result<std::string> decoded = decode_base64(token);
  if (!decoded || decoded->size() < 1 + kDigestBytes + kChecksumBytes + 1) return invalid_token();
  std::string_view bytes = *decoded;
  const std::string_view checksum = bytes.substr(bytes.size() - kChecksumBytes);
  bytes.remove_suffix(kChecksumBytes);
  if (bytes.front() != kTokenVersion || checksum_of(bytes) != checksum) return invalid_token();
  if (bytes.substr(1, kDigestBytes) != digest_of(statement))
    return fail(Code::kValidation, "NextToken does not match request");
  bytes.remove_prefix(1 + kDigestBytes);
  const std::optional<std::uint64_t> step = take_varint(bytes);
  if (!step) return invalid_token();
  NextPosition position{.step = *step};
  if (bytes.empty()) return position;
  if (!decode_item(bytes)) return invalid_token();
  position.after = EncodedItem{std::string(bytes)};
  return position;
}

}  // namespace dolmen::partiql
