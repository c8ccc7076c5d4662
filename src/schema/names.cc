#include "schema/names.h"

#include <algorithm>
#include <fmt/format.h>

#include "schema/limits.h"

namespace dolmen::schema {
namespace {

constexpr std::string_view kPrefix = "schema_";
constexpr std::string_view kSuffix = ".json";

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::optional<std::string> name_problem(std::string_view name, std::string_view others, std::size_t bytes_max) {
  if (name.empty()) return "it is empty";
  if (name.size() > bytes_max)
    return fmt::format("it has {} bytes, and at most {} are allowed", name.size(), bytes_max);
  if (!is_alphanumeric(name.front())) return "it must begin with an ASCII letter or digit";
  const auto allowed = [others](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; };
  if (!std::ranges::all_of(name, allowed))
    return fmt::format("it may contain only ASCII letters, digits and {}", others);
  if (name.find("..") != std::string_view::npos) return "it must not contain two dots in a row";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> id_problem(std::string_view id) { return name_problem(id, "_.-", limits::kSchemaIdBytes); }

std::optional<std::string> version_problem(std::string_view version) {
  return name_problem(version, ".-", limits::kSchemaVersionBytes);
}

std::string file_name(const SchemaRef& ref) {
  return std::string(kPrefix).append(ref.id).append("_").append(ref.version).append(kSuffix);
}

std::optional<SchemaRef> ref_of_file(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() < kPrefix.size() + kSuffix.size())
    return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  const std::size_t split = name.rfind('_');
  if (split == std::string_view::npos) return std::nullopt;
  SchemaRef ref{.id = std::string(name.substr(0, split)), .version = std::string(name.substr(split + 1))};
  if (id_problem(ref.id) || version_problem(ref.version)) return std::nullopt;
  return ref;
}

std::string folded(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace dolmen::schema
