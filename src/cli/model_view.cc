#include "cli/model_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/unicode.h"

namespace dolmen::cli {

namespace {

constexpr std::size_t kColumns = 4;
using Row = std::array<std::string, kColumns>;

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string key_text(const KeyAttribute& partition, const std::optional<KeyAttribute>& sort) {
  std::string out = fmt::format("{} ({})", partition.name, key_type_name(partition.type));
  if (sort) out += fmt::format(" / {} ({})", sort->name, key_type_name(sort->type));
  return out;
}

std::string_view format_name(AttributeFormat format) {
  switch (format) {
    case AttributeFormat::kRfc3339Nano: return "rfc3339nano";
    case AttributeFormat::kUnixSeconds: return "unix_seconds";
    case AttributeFormat::kInt: return "int";
    case AttributeFormat::kNone: break;
  }
  return "";
}

std::string_view projection_name(ProjectionType projection) {
  switch (projection) {
    case ProjectionType::kAll: return "ALL";
    case ProjectionType::kKeysOnly: return "KEYS_ONLY";
    case ProjectionType::kInclude: break;
  }
  return "INCLUDE";
}

std::string_view index_type_name(IndexType type) { return type == IndexType::kLocal ? "LSI" : "GSI"; }

std::string_view naming_name(NamingConvention naming) {
  switch (naming) {
    case NamingConvention::kCamelCase: return "camelCase";
    case NamingConvention::kSnakeCase: return "snake_case";
    case NamingConvention::kNone: break;
  }
  return "";
}

/// What an attribute is to the keys, by the keys themselves, and its other roles.
std::string keys_and_roles(const Model& model, const ModelAttribute& attribute) {
  std::vector<std::string> words;
  if (model.partition_key.name == attribute.name) words.emplace_back("pk");
  if (model.sort_key && model.sort_key->name == attribute.name) words.emplace_back("sk");
  for (const ModelIndex& index : model.indexes) {
    if (index.partition_key.name == attribute.name) words.push_back("index_pk:" + index.name);
    if (index.sort_key && index.sort_key->name == attribute.name) words.push_back("index_sk:" + index.name);
  }
  for (const AttributeRole& role : attribute.roles)
    if (const std::string text = role_text(role); std::ranges::find(words, text) == words.end()) words.push_back(text);
  return join(words);
}

std::vector<std::string> properties(const ModelAttribute& attribute) {
  std::vector<std::string> words;
  const auto add = [&](bool holds, std::string_view word) {
    if (holds) words.emplace_back(word);
  };
  add(attribute.required, "required");
  add(attribute.optional, "optional");
  add(attribute.omit_empty, "omit_empty");
  add(attribute.json, "json");
  add(attribute.binary, "binary");
  add(attribute.encrypted, "encrypted");
  add(attribute.format != AttributeFormat::kNone, format_name(attribute.format));
  return words;
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string render_table(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], utf16_length(row[i]));
  const auto rule = [&](std::string_view left, std::string_view middle, std::string_view right) {
    std::string out(left);
    for (std::size_t i = 0; i < kColumns; ++i) out += (i > 0 ? std::string(middle) : "") + repeat("─", widths[i] + 2);
    return out.append(right) + "\n";
  };
  std::string out = rule("┌", "┬", "┐");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < kColumns; ++i)
      out += "│ " + rows[r][i] + std::string(widths[i] - utf16_length(rows[r][i]) + 1, ' ');
    out += "│\n";
    if (r == 0) out += rule("├", "┼", "┤");
  }
  return out + rule("└", "┴", "┘");
}

LogicalValue describe_key(const KeyAttribute& key) {
  return LogicalItem{{"attribute", key.name}, {"type", key_type_name(key.type)}};
}

template <class Range>
LogicalValue::List list_of(const Range& range) {
  LogicalValue::List list;
  for (const auto& element : range) list.emplace_back(element);
  return list;
}

LogicalValue describe_attribute(const ModelAttribute& attribute) {
  LogicalItem out{{"attribute", attribute.name}, {"type", type_name(attribute.type)}};
  const auto flag = [&](const char* name, bool value) {
    if (value) out.emplace(name, true);
  };
  flag("required", attribute.required);
  flag("optional", attribute.optional);
  flag("omit_empty", attribute.omit_empty);
  flag("json", attribute.json);
  flag("binary", attribute.binary);
  flag("encrypted", attribute.encrypted);
  if (attribute.format != AttributeFormat::kNone) out.emplace("format", format_name(attribute.format));
  LogicalValue::List roles;
  for (const AttributeRole& role : attribute.roles) roles.emplace_back(role_text(role));
  if (!roles.empty()) out.emplace("roles", std::move(roles));
  return out;
}

LogicalValue describe_index(const ModelIndex& index) {
  LogicalItem projection{{"type", projection_name(index.projection)}};
  if (!index.included_attributes.empty()) projection.emplace("fields", list_of(index.included_attributes));
  LogicalItem out{{"name", index.name},
                  {"type", index_type_name(index.type)},
                  {"partition", describe_key(index.partition_key)},
                  {"projection", std::move(projection)}};
  if (index.sort_key) out.emplace("sort", describe_key(*index.sort_key));
  return out;
}

}  // namespace

std::string render_model(const Model& model) {
  std::string out = fmt::format("{}  in table {}", model.name, model.table);
  if (model.naming != NamingConvention::kNone) out += fmt::format(", names in {}", naming_name(model.naming));
  out += fmt::format("\nkey: {}\n", key_text(model.partition_key, model.sort_key));
  std::vector<Row> rows{{"attribute", "type", "keys and roles", "properties"}};
  for (const ModelAttribute& attribute : model.attributes)
    rows.push_back({attribute.name, std::string(type_name(attribute.type)), keys_and_roles(model, attribute),
                    join(properties(attribute))});
  out += render_table(rows);
  for (const ModelIndex& index : model.indexes) {
    out += fmt::format("{} {}: {}  {}", index_type_name(index.type), index.name,
                       key_text(index.partition_key, index.sort_key), projection_name(index.projection));
    if (!index.included_attributes.empty()) out += fmt::format(" ({})", join(index.included_attributes));
    out += "\n";
  }
  return out;
}

LogicalValue describe_model(const Model& model) {
  LogicalItem keys{{"partition", describe_key(model.partition_key)}};
  if (model.sort_key) keys.emplace("sort", describe_key(*model.sort_key));
  LogicalValue::List attributes;
  for (const ModelAttribute& attribute : model.attributes) attributes.push_back(describe_attribute(attribute));
  LogicalValue::List indexes;
  for (const ModelIndex& index : model.indexes) indexes.push_back(describe_index(index));
  LogicalItem out{{"name", model.name},
                  {"table", model.table},
                  {"keys", std::move(keys)},
                  {"attributes", std::move(attributes)},
                  {"indexes", std::move(indexes)}};
  if (model.naming != NamingConvention::kNone) out.emplace("naming", naming_name(model.naming));
  return out;
}

}  // namespace dolmen::cli
