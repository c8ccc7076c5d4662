#include "document/mapping.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "base/fail.h"
#include "config/read.h"
#include "document/tree.h"
#include "schema/limits.h"
#include "schema/violations.h"

namespace dolmen::document {
namespace {

using config::Node;
using config::Problem;

constexpr std::size_t kMappingBytesMax = 1024 * 1024;

/// The field at a path through objects; null when there is none.
const SchemaType* field_at(const Schema& schema, std::string_view path) {
  const std::vector<SchemaField>* fields = &schema.fields;
  while (true) {
    const std::size_t dot = path.find('.');
    const auto found = std::ranges::find(*fields, path.substr(0, dot), &SchemaField::name);
    if (found == fields->end()) return nullptr;
    if (dot == std::string_view::npos) return &found->type;
    fields = &found->type.fields;
    path.remove_prefix(dot + 1);
  }
}

bool is_int_text(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::to_string(value) == text;
}

/// 36.0 as 36; nothing when there is a fraction, or an exponent.
std::optional<std::string> int_of_float(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  if (text.find_first_not_of('0', point + 1) != std::string_view::npos) return std::nullopt;
  const std::string_view whole = text.substr(0, point) == "-0" ? "0" : text.substr(0, point);
  return is_int_text(whole) ? std::optional<std::string>(whole) : std::nullopt;
}

std::optional<Node> number_node(std::optional<std::string> text) {
  if (!text) return std::nullopt;
  Node node{.kind = Node::Kind::kNumber};
  node.text = *std::move(text);
  return node;
}

/// A number as JSON writes it, with a fraction or an exponent.
std::optional<Node> as_float(const Node& value) {
  const config::Reading reading = config::read_json(value.text, {.bytes = limits::kDocumentTextBytes, .depth = 1});
  const bool is_number = reading.root && reading.problems.empty() && reading.root->kind == Node::Kind::kNumber;
  if (!is_number) return std::nullopt;
  const bool is_int = value.text.find_first_of(".eE") == std::string::npos;
  return number_node(is_int ? value.text + ".0" : value.text);
}

std::optional<Node> as_bool(const Node& value) {
  if (value.kind == Node::Kind::kBoolean) return value;
  if (value.kind != Node::Kind::kString || (value.text != "true" && value.text != "false")) return std::nullopt;
  Node node{.kind = Node::Kind::kBoolean};
  node.boolean = value.text == "true";
  return node;
}

std::optional<Node> as_string(const Node& value) {
  Node node{.kind = Node::Kind::kString};
  node.text = value.kind == Node::Kind::kBoolean ? (value.boolean ? "true" : "false") : value.text;
  return node;
}

/// The value in another type, when it has exactly one form there.
std::optional<Node> converted(const Node& value, FieldType type) {
  const bool is_scalar =
      value.kind == Node::Kind::kBoolean || value.kind == Node::Kind::kNumber || value.kind == Node::Kind::kString;
  if (!is_scalar) return std::nullopt;
  switch (type) {
    case FieldType::kString: return as_string(value);
    case FieldType::kBool: return as_bool(value);
    case FieldType::kFloat: return value.kind == Node::Kind::kBoolean ? std::nullopt : as_float(value);
    case FieldType::kInt:
      if (value.kind == Node::Kind::kBoolean) return std::nullopt;
      return number_node(is_int_text(value.text) ? value.text : int_of_float(value.text));
    case FieldType::kObject:
    case FieldType::kArray: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

/// Reads a mapping file and finds all of its mistakes.
class MappingReader {
 public:
  MappingReader(const Schema& from, const Schema& to) : from_(from), to_(to) { mapping_.to_ = to.ref; }

  void read(const Node& root) {
    if (root.kind != Node::Kind::kMap) {
      report(root.position, "", "root_type", "a mapping must have rename, remove, convert or add");
      return;
    }
    for (const Node::Entry& part : root.entries) {
      if (part.name == "rename")
        read_renames(part);
      else if (part.name == "remove" || part.name == "convert")
        read_paths(part);
      else if (part.name == "add")
        read_additions(part);
      else
        report(part.name_position, part.name, "unknown_key",
               fmt::format("\"{}\" is not allowed here; only rename, remove, convert and add are", part.name));
    }
  }

  Mapping take_mapping() { return std::move(mapping_); }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  void report(config::Position at, std::string path, std::string rule, std::string message) {
    problems_.push_back({at, std::move(path), std::move(rule), std::move(message)});
  }

  /// Whether a version has the field; the name `_id` is taken, since it never changes.
  bool check_path(const Schema& schema, const std::string& path, config::Position at, const std::string& part) {
    if (path == "_id") {
      report(at, part, "id_immutable", "_id cannot change");
      return false;
    }
    if (field_at(schema, path) != nullptr) return true;
    report(at, part, "field", fmt::format("{} has no field {}", to_string(schema.ref), path));
    return false;
  }

  bool check_kind(const Node::Entry& part, Node::Kind kind) {
    if (part.value.kind == kind) return true;
    report(part.value.position, part.name, "key_type",
           fmt::format("\"{}\" must be a {}, not a {}", part.name, config::kind_name(kind),
                       config::kind_name(part.value.kind)));
    return false;
  }

  void read_renames(const Node::Entry& part) {
    if (!check_kind(part, Node::Kind::kMap)) return;
    for (const Node::Entry& entry : part.value.entries) {
      const bool known = check_path(from_, entry.name, entry.name_position, part.name);
      if (entry.value.kind != Node::Kind::kString)
        report(entry.value.position, part.name, "key_type", "the new name must be a string");
      else if (check_path(to_, entry.value.text, entry.value.position, part.name) && known)
        mapping_.renames_.push_back({.from = entry.name, .to = entry.value.text});
    }
  }

  void read_paths(const Node::Entry& part) {
    if (!check_kind(part, Node::Kind::kList)) return;
    const bool converts = part.name == "convert";
    for (const Node& path : part.value.elements) {
      if (path.kind != Node::Kind::kString) {
        report(path.position, part.name, "key_type", "a field must be a string");
        continue;
      }
      if (!check_path(converts ? to_ : from_, path.text, path.position, part.name)) continue;
      if (!converts) {
        mapping_.removals_.push_back(path.text);
        continue;
      }
      const FieldType type = field_at(to_, path.text)->type;
      if (type == FieldType::kObject || type == FieldType::kArray)
        report(path.position, part.name, "field",
               fmt::format("{} is an {}, and only scalars are converted", path.text, field_type_name(type)));
      mapping_.conversions_.push_back({.path = path.text, .type = type});
    }
  }

  void read_additions(const Node::Entry& part) {
    if (!check_kind(part, Node::Kind::kMap)) return;
    for (const Node::Entry& entry : part.value.entries)
      if (check_path(to_, entry.name, entry.name_position, part.name))
        mapping_.additions_.push_back({.path = entry.name, .value = entry.value});
  }

  const Schema& from_;
  const Schema& to_;
  Mapping mapping_;
  std::vector<Problem> problems_;
};

Result<Mapping> Mapping::read(std::string_view text, std::string_view file_name, const Schema& from, const Schema& to) {
  const config::Reading reading = config::read_document(text, file_name, {.bytes = kMappingBytesMax});
  if (!reading.root || !reading.problems.empty())
    return std::unexpected(config::error_of(Code::kQueryInvalid, file_name, reading.problems));
  MappingReader reader(from, to);
  reader.read(*reading.root);
  if (!reader.problems().empty())
    return std::unexpected(config::error_of(Code::kQueryInvalid, file_name, reader.problems()));
  return reader.take_mapping();
}

Result<std::string> Mapping::apply(std::string_view document) const {
  config::Reading reading =
      config::read_json(document, {.bytes = limits::kDocumentTextBytes, .depth = limits::kDocumentNesting + 1});
  if (!reading.root || reading.root->kind != Node::Kind::kMap)
    return fail(Code::kCorruption, "a stored document cannot be read");
  Node& root = *reading.root;
  std::vector<ErrorDetail> problems;
  for (const Rename& rename : renames_) {
    std::optional<Node> value = take_value(root, rename.from);
    if (value && !add_value(root, rename.to, *std::move(value)))
      problems.push_back({.path = rename.to,
                          .rule = "rename",
                          .message = fmt::format("{} cannot be renamed to it, because it is there", rename.from)});
  }
  for (const std::string& path : removals_) take_value(root, path);
  for (const Conversion& conversion : conversions_) {
    Node* value = find_value(root, conversion.path);
    if (value == nullptr) continue;
    if (std::optional<Node> fresh = converted(*value, conversion.type))
      *value = *std::move(fresh);
    else
      problems.push_back(
          {.path = conversion.path,
           .rule = "convert",
           .message = fmt::format("the value cannot be converted to {}", field_type_name(conversion.type))});
  }
  for (const Addition& addition : additions_)
    if (find_value(root, addition.path) == nullptr) add_value(root, addition.path, addition.value);
  if (!problems.empty()) return std::unexpected(schema::validation_error(to_, std::move(problems)));
  return tree_text(root);
}

}  // namespace dolmen::document
