#include "cli/model_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/unicode.h"
#include "model/dms_names.h"
#include "model/naming.h"

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
  if (attribute.format == AttributeFormat::kVector)
    words.push_back(fmt::format("vector of {}", attribute.dimensions));
  else
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

}  // namespace

std::string render_model(const Model& model) {
  std::string out = fmt::format("{}  in table {}", model.name, model.table);
  if (model.naming != NamingConvention::kNone) out += fmt::format(", names in {}", convention_name(model.naming));
  out += fmt::format("\nkey: {}\n", key_text(model.partition_key, model.sort_key));
  if (model.write_policy.mode == WriteMode::kWriteOnce) out += "items are write_once\n";
  if (!model.write_policy.protected_attributes.empty())
    out += fmt::format("protected: {}\n", join(model.write_policy.protected_attributes));
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
  for (const ModelVectorIndex& index : model.vector_indexes) {
    out += fmt::format("VECTOR {}: {}  {}  {}", index.name, index.attribute, vector_distance_name(index.distance),
                       projection_name(index.projection));
    if (!index.included_attributes.empty()) out += fmt::format(" ({})", join(index.included_attributes));
    for (const SearchAttribute& one : index.search)
      out += fmt::format(", {} {} ({})", search_role_name(one.role), one.name, key_type_name(one.type));
    out += "\n";
  }
  return out;
}

}  // namespace dolmen::cli
