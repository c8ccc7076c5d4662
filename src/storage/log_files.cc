#include "storage/log_files.h"

#include <charconv>
#include <fmt/core.h>
#include <system_error>

namespace dolmen::storage {
namespace {

constexpr std::string_view kLogSuffix = ".log";
constexpr std::string_view kManifestPrefix = "MANIFEST-";

std::optional<std::uint64_t> whole_number(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::uint64_t> log_number(std::string_view name) {
  if (!name.ends_with(kLogSuffix)) return std::nullopt;
  name.remove_suffix(kLogSuffix.size());
  return whole_number(name);
}

std::string log_name(std::uint64_t number) { return fmt::format("{:06}{}", number, kLogSuffix); }

std::optional<std::uint64_t> manifest_number(std::string_view name) {
  if (!name.starts_with(kManifestPrefix)) return std::nullopt;
  name.remove_prefix(kManifestPrefix.size());
  return whole_number(name);
}

std::string_view name_in(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace dolmen::storage
