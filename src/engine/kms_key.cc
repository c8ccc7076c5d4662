#include "engine/kms_key.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kAlias = "alias/";

/// A UUID that depends on the alias alone.
std::string id_of_alias(std::string_view alias) {
  const std::uint64_t high = hash64(alias);
  const std::uint64_t low = hash64(std::string(alias).append("/"));
  return fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xfff,
                     low >> 52, low & 0xffff'ffff'ffff);
}

}  // namespace

std::string kms_key_arn(std::string_view key, std::string_view region, std::string_view account) {
  const std::size_t alias = key.find(kAlias);
  const bool is_arn = key.starts_with("arn:");
  if (is_arn && (alias == std::string_view::npos || key[alias - 1] != ':')) return std::string(key);
  const bool is_alias = is_arn || key.starts_with(kAlias);
  return fmt::format("arn:aws:kms:{}:{}:key/{}", region, account,
                     is_alias ? id_of_alias(key.substr(alias)) : std::string(key));
}

}  // namespace dolmen::engine
