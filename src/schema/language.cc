// The language of schema files: strict JSON with closed sets of keys.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <span>

#include "config/read.h"
#include "dolmen/schema.h"
#include "schema/limits.h"
#include "schema/names.h"

namespace dolmen {
namespace {

using config::Node;
using config::Problem;

/// A declaration costs at most three levels of JSON: the map of fields, the field, and its element type.
constexpr unsigned kJsonDepth = 4 + 3 * limits::kSchemaNesting;

constexpr FieldType kTypes[] = {FieldType::kString, FieldType::kInt,    FieldType::kBool,
                                FieldType::kFloat,  FieldType::kObject, FieldType::kArray};

class LanguageReader {
 public:
  Schema read(const Node& root) {
    Schema schema;
    if (root.kind != Node::Kind::kMap) {
      report(root, "", "root_type", "a schema must be a JSON object");
      return schema;
    }
    check_keys(root, "", {"schema_id", "schema_version", "description", "fields"});
    schema.ref.id = name(root, "schema_id", schema::id_problem);
    if (const Node* version = root.find("schema_version"); version != nullptr && version->kind == Node::Kind::kNumber) {
      schema.version_number = version_number(*version);
      schema.ref.version = version->text;
    } else {
      schema.ref.version = name(root, "schema_version", schema::version_problem);
    }
    if (const Node* description = root.find("description"); description != nullptr)
      schema.description = text(*description, "description");
    if (const Node* fields = required_key(root, "", "fields"); fields != nullptr) {
      schema.fields = read_fields(*fields, "fields", 0);
      check_id(*fields, schema.fields);
    }
    number_scalars(schema.fields, "", true, schema);
    return schema;
  }

  std::vector<Problem> take_problems() {
    const auto place = [](const Problem& problem) {
      return std::tuple(problem.position.line, problem.position.column, std::string_view(problem.path),
                        std::string_view(problem.rule));
    };
    std::ranges::stable_sort(problems_, {}, place);
    return std::move(problems_);
  }

 private:
  void report(const Node& at, std::string_view path, std::string_view rule, std::string message) {
    problems_.push_back({at.position, std::string(path), std::string(rule), std::move(message)});
  }

  const Node* required_key(const Node& map, std::string_view path, std::string_view key) {
    const Node* found = map.find(key);
    if (found == nullptr)
      report(map, config::child_path(path, key), "missing_key", fmt::format("\"{}\" is missing; add it", key));
    return found;
  }

  void check_keys(const Node& map, std::string_view path, std::initializer_list<std::string_view> allowed) {
    for (const Node::Entry& entry : map.entries)
      if (std::ranges::find(allowed, entry.name) == allowed.end())
        problems_.push_back({entry.name_position, config::child_path(path, entry.name), "unknown_key",
                             fmt::format("\"{}\" is not allowed here; only {} are allowed", entry.name,
                                         fmt::join(std::span(allowed.begin(), allowed.size()), ", "))});
  }

  std::string text(const Node& node, std::string_view path) {
    if (node.kind == Node::Kind::kString) return node.text;
    report(node, path, "key_type",
           fmt::format("\"{}\" must be a string in double quotes, not a {}", path, config::kind_name(node.kind)));
    return {};
  }

  std::string name(const Node& root, std::string_view key, std::optional<std::string> (*problem_of)(std::string_view)) {
    const Node* node = required_key(root, "", key);
    if (node == nullptr) return {};
    const std::size_t known = problems_.size();
    std::string value = text(*node, key);
    if (problems_.size() != known) return {};
    if (const auto problem = problem_of(value))
      report(*node, key, key, fmt::format("\"{}\" cannot be a {}: {}", value, key, *problem));
    return value;
  }

  std::optional<std::int64_t> version_number(const Node& node) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
    const bool whole = error == std::errc{} && end == node.text.data() + node.text.size() && number >= 0;
    if (whole && node.text.size() <= schema::kVersionDigitsMax && node.text != "-0") return number;
    report(
        node, "schema_version", "schema_version",
        fmt::format("{} cannot be a schema_version: an integer must have 1 to {} digits, without a sign, a fraction or "
                    "an exponent",
                    node.text, schema::kVersionDigitsMax));
    return std::nullopt;
  }

  std::vector<SchemaField> read_fields(const Node& node, const std::string& path, unsigned depth) {
    std::vector<SchemaField> fields;
    if (node.kind != Node::Kind::kMap) {
      report(node, path, "key_type",
             fmt::format("\"fields\" must be a JSON object, not a {}", config::kind_name(node.kind)));
      return fields;
    }
    if (node.entries.size() > limits::kFieldsPerObject)
      report(node, path, "field_count",
             fmt::format("an object has {} fields; at most {} are allowed", node.entries.size(),
                         limits::kFieldsPerObject));
    field_count_ += node.entries.size();
    if (field_count_ > limits::kFieldsPerSchema && !std::exchange(counted_, true))
      report(node, path, "field_count",
             fmt::format("the schema has too many fields; at most {} are allowed", limits::kFieldsPerSchema));
    for (const Node::Entry& entry : node.entries) {
      check_field_name(entry, path);
      fields.push_back(read_field(entry, config::child_path(path, entry.name), depth));
    }
    std::ranges::sort(fields, {}, &SchemaField::name);
    return fields;
  }

  void check_field_name(const Node::Entry& entry, const std::string& path) {
    const auto refuse = [&](std::string why) {
      problems_.push_back({entry.name_position, config::child_path(path, entry.name), "field_name", std::move(why)});
    };
    if (entry.name.empty()) refuse("a field needs a name");
    if (entry.name.size() > limits::kFieldNameBytes)
      refuse(fmt::format("a field name must not be longer than {} bytes", limits::kFieldNameBytes));
    if (entry.name.starts_with('$')) refuse("a field name must not begin with $, which marks operators");
    if (entry.name.find_first_of(".[]") != std::string::npos)
      refuse("a field name must not contain . or [ or ], which separate the parts of paths");
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (std::ranges::any_of(entry.name, is_control)) refuse("a field name must not contain control characters");
  }

  SchemaField read_field(const Node::Entry& entry, const std::string& path, unsigned depth) {
    SchemaField field{.name = entry.name};
    if (entry.value.kind != Node::Kind::kMap) {
      report(entry.value, path, "key_type", "a field must be a JSON object with \"type\" and \"required\"");
      return field;
    }
    if (const Node* required = required_key(entry.value, path, "required"); required != nullptr) {
      if (required->kind != Node::Kind::kBoolean)
        report(*required, config::child_path(path, "required"), "key_type", "\"required\" must be true or false");
      field.required = required->boolean;
    }
    field.type = read_type(entry.value, path, depth, true);
    return field;
  }

  /// A field with `required` beside its type, or the bare type of an array's elements.
  SchemaType read_type(const Node& node, const std::string& path, unsigned depth, bool is_field) {
    SchemaType type;
    const Node* named = required_key(node, path, "type");
    const auto known = named == nullptr ? std::end(kTypes) : std::ranges::find(kTypes, named->text, field_type_name);
    if (known == std::end(kTypes) || named->kind != Node::Kind::kString) {
      if (named != nullptr)
        report(*named, config::child_path(path, "type"), "type_name",
               "the type must be one of \"string\", \"int\", \"bool\", \"float\", \"object\" and \"array\"");
      read_untyped(node, path, depth, is_field);
      return type;
    }
    type.type = *known;
    switch (type.type) {
      case FieldType::kObject: read_object(node, path, depth, is_field, type); break;
      case FieldType::kArray: read_array(node, path, depth, is_field, type); break;
      default:
        if (is_field)
          check_keys(node, path, {"type", "required"});
        else
          check_keys(node, path, {"type"});
    }
    return type;
  }

  /// What has no type may be any; its other mistakes are mistakes whatever it is.
  void read_untyped(const Node& node, const std::string& path, unsigned depth, bool is_field) {
    if (is_field)
      check_keys(node, path, {"type", "required", "fields", "element_type"});
    else
      check_keys(node, path, {"type", "fields", "element_type"});
    if (depth == limits::kSchemaNesting) return;
    if (const Node* fields = node.find("fields"); fields != nullptr)
      read_fields(*fields, config::child_path(path, "fields"), depth + 1);
    if (const Node* element = node.find("element_type"); element != nullptr)
      read_element(*element, config::child_path(path, "element_type"), depth + 1);
  }

  /// Whether an object or array may stand here.
  bool check_depth(const Node& node, const std::string& path, unsigned depth) {
    if (depth < limits::kSchemaNesting) return true;
    report(node, path, "depth", fmt::format("objects and arrays are nested more than {} deep", limits::kSchemaNesting));
    return false;
  }

  void read_object(const Node& node, const std::string& path, unsigned depth, bool is_field, SchemaType& type) {
    if (is_field)
      check_keys(node, path, {"type", "required", "fields"});
    else
      check_keys(node, path, {"type", "fields"});
    if (!check_depth(node, path, depth)) return;
    if (const Node* fields = required_key(node, path, "fields"); fields != nullptr)
      type.fields = read_fields(*fields, config::child_path(path, "fields"), depth + 1);
  }

  void read_array(const Node& node, const std::string& path, unsigned depth, bool is_field, SchemaType& type) {
    if (is_field)
      check_keys(node, path, {"type", "required", "element_type"});
    else
      check_keys(node, path, {"type", "element_type"});
    if (!check_depth(node, path, depth)) return;
    const Node* element = required_key(node, path, "element_type");
    type.element.emplace_back();
    if (element != nullptr)
      type.element.front() = read_element(*element, config::child_path(path, "element_type"), depth + 1);
  }

  SchemaType read_element(const Node& node, const std::string& path, unsigned depth) {
    if (node.kind == Node::Kind::kMap) return read_type(node, path, depth, false);
    report(node, path, "key_type", "\"element_type\" must be a JSON object with \"type\"");
    return {};
  }

  void check_id(const Node& node, const std::vector<SchemaField>& fields) {
    const auto found = std::ranges::find(fields, "_id", &SchemaField::name);
    if (found == fields.end()) {
      report(node, "fields._id", "id_field", "\"_id\" is missing; every schema must declare it as a required string");
    } else if (!found->required || found->type.type != FieldType::kString) {
      report(*node.find("_id"), "fields._id", "id_field", "\"_id\" must be a required string");
    }
  }

  void number_scalars(std::vector<SchemaField>& fields, const std::string& path, bool always, Schema& schema) {
    for (SchemaField& field : fields) {
      const std::string own = config::child_path(path, field.name);
      const bool present = always && field.required;
      if (field.type.type == FieldType::kObject) {
        number_scalars(field.type.fields, own, present, schema);
      } else if (field.type.type != FieldType::kArray) {
        field.type.scalar = schema.scalars.size();
        schema.scalars.push_back({.path = own, .type = field.type.type, .always_present = present});
      }
    }
  }

  std::vector<Problem> problems_;
  std::size_t field_count_ = 0;
  bool counted_ = false;
};

}  // namespace

Result<Schema> parse_schema(std::string_view text, std::string_view file_name) {
  const config::Reading reading = config::read_json(text, {.bytes = limits::kSchemaBytes, .depth = kJsonDepth});
  if (!reading.root) return std::unexpected(config::error_of(Code::kSchemaInvalid, file_name, reading.problems));
  LanguageReader reader;
  Schema schema = reader.read(*reading.root);
  const std::vector<Problem> problems = reader.take_problems();
  if (!problems.empty()) return std::unexpected(config::error_of(Code::kSchemaInvalid, file_name, problems));
  return schema;
}

}  // namespace dolmen
