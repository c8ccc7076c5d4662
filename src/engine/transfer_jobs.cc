#include "engine/transfer_jobs.h"

#include <fmt/format.h>

#include "base/arn.h"
#include "base/ascii.h"
#include "base/limits.h"

namespace dolmen::engine::transfers {
namespace {

/// The service model wants at least so many hexadecimal digits, in groups of 16.
constexpr std::size_t kTokenDigits = 112;
constexpr std::size_t kIdBytes = 23;

bool is_id(std::string_view text) {
  constexpr std::size_t kTimeDigits = 14;
  return text.size() == kIdBytes && text[kTimeDigits] == '-' &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || c == '-'; });
}

}  // namespace

Result<void> check_owner(std::string_view text, const ArnOwner& owner) {
  const Arn arn = split_arn(text);
  if (!arn.is_whole()) return {};
  if (arn.is_of_dynamodb(owner.region) && arn.account() == owner.account) return {};
  return fail(Code::kAccessDenied, "Access is denied");
}

std::optional<JobName> read_arn(std::string_view text, std::string_view kind) {
  constexpr std::string_view kTable = "table/";
  const Arn arn = split_arn(text);
  if (!arn.is_whole() || arn.service() != "dynamodb" || !arn.resource().starts_with(kTable)) return std::nullopt;
  const std::string_view below = arn.resource().substr(kTable.size());
  const std::string between = fmt::format("/{}/", kind);
  const std::size_t at = below.find(between);
  if (at == std::string_view::npos || at + between.size() == below.size()) return std::nullopt;
  if (at < limits::kTableNameMin || at > limits::kTableNameMax) return std::nullopt;
  return JobName{.region = std::string(arn.region()),
                 .account = std::string(arn.account()),
                 .table = std::string(below.substr(0, at)),
                 .id = std::string(below.substr(at + between.size()))};
}

std::string token_after(std::string_view id) {
  std::string token;
  for (const char c : id) token += fmt::format("{:02x}", static_cast<unsigned char>(c));
  token.resize(kTokenDigits, '0');
  return token;
}

std::optional<std::string> id_of_token(std::string_view token) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (token.size() != kTokenDigits) return std::nullopt;
  std::string id;
  for (std::size_t i = 0; i < kIdBytes; ++i) {
    const std::size_t high = kDigits.find(token[2 * i]);
    const std::size_t low = kDigits.find(token[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    id.push_back(static_cast<char>(high * kDigits.size() + low));
  }
  if (!is_id(id) || token_after(id) != token) return std::nullopt;
  return id;
}

}  // namespace dolmen::engine::transfers
