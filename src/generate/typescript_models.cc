#include "generate/typescript_models.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "generate/member_shape.h"
#include "generate/model_parts.h"
#include "generate/names.h"
#include "generate/source_text.h"
#include "model/dms_names.h"
#include "model/types.h"

namespace dolmen::generate {

namespace {

constexpr Layout kPrettier{.width = 80, .indent_step = 2};

/// Words that cannot name a parameter or a constant of a module, and names that the code itself uses.
constexpr auto kTypeScriptReserved = std::to_array<std::string_view>(
    {"Record",    "Set",    "Uint8Array", "any",    "arguments",  "as",        "async",    "await",      "bigint",
     "boolean",   "break",  "case",       "catch",  "class",      "const",     "continue", "debugger",   "default",
     "delete",    "dms",    "do",         "else",   "enum",       "eval",      "export",   "extends",    "false",
     "finally",   "for",    "function",   "if",     "implements", "import",    "in",       "instanceof", "interface",
     "let",       "never",  "new",        "null",   "number",     "object",    "options",  "package",    "private",
     "protected", "public", "return",     "static", "string",     "super",     "switch",   "symbol",     "this",
     "throw",     "true",   "try",        "type",   "typeof",     "undefined", "unknown",  "var",        "void",
     "while",     "with",   "yield"});
static_assert(std::ranges::is_sorted(kTypeScriptReserved));

/// The type of a member in a record, of one in a new record, and in the item of the document client.
struct TypeScriptType {
  std::string_view record;
  std::string_view given;
  std::string_view stored;
};

TypeScriptType typescript_type(MemberKind kind) {
  constexpr std::string_view kBytes = "Uint8Array";
  switch (kind) {
    case MemberKind::kText:
    case MemberKind::kTime: return {"string", "string", "string"};
    case MemberKind::kNumber: return {"dms.NumberValue", "dms.Numeric", "dms.Numeric"};
    case MemberKind::kInteger: return {"bigint", "bigint | number", "dms.Numeric"};
    case MemberKind::kVersion:
    case MemberKind::kSeconds: return {"number", "number", "dms.Numeric"};
    case MemberKind::kBytes: return {kBytes, kBytes, kBytes};
    case MemberKind::kBool: return {"boolean", "boolean", "boolean"};
    case MemberKind::kNull: return {"null", "null", "null"};
    case MemberKind::kList: return {"dms.Native[]", "dms.Native[]", "dms.Native[]"};
    case MemberKind::kVector: return {"number[]", "dms.Vector", "dms.Numeric[]"};
    case MemberKind::kMap: return {"dms.Item", "dms.Item", "dms.Item"};
    case MemberKind::kTextSet: return {"Set<string>", "Set<string>", "Set<string>"};
    case MemberKind::kNumberSet: return {"Set<dms.NumberValue>", "Set<dms.Numeric>", "Set<dms.Numeric>"};
    case MemberKind::kByteSet: return {"Set<Uint8Array>", "Set<Uint8Array>", "Set<Uint8Array>"};
    case MemberKind::kJson: return {"dms.Json", "dms.Json", "string"};
  }
  std::unreachable();
}

/// Of a code point of three bytes: the ideographs, kana and Hangul, all of which are letters.
bool is_eastern_letter(std::string_view rest) {
  if (rest.size() < 3 || (rest[0] & 0xF0) != 0xE0) return false;
  const unsigned code = (static_cast<unsigned char>(rest[0]) & 0x0FU) << 12U |
                        (static_cast<unsigned char>(rest[1]) & 0x3FU) << 6U |
                        (static_cast<unsigned char>(rest[2]) & 0x3FU);
  return (code >= 0x3041 && code <= 0x3096) || (code >= 0x30A1 && code <= 0x30FA) ||
         (code >= 0x4E00 && code <= 0x9FEF) || (code >= 0xAC00 && code <= 0xD7A3);
}

/// A property's name, in quotes unless it can do without.
std::string property(std::string_view name) {
  bool plain = !name.empty() && !is_digit(name[0]);
  for (std::size_t i = 0; i < name.size() && plain; ++i) {
    const char c = name[i];
    if (is_eastern_letter(name.substr(i)))
      i += 2;
    else
      plain = is_letter_or_digit(c) || c == '_' || c == '$';
  }
  return plain ? std::string(name) : typescript_literal(name);
}

std::string object_text(std::size_t indent, const std::vector<std::string>& parts, std::string_view after) {
  std::string line = fmt::format("{}{{ {} }}{}", std::string(indent, ' '), fmt::join(parts, ", "), after);
  if (columns(line) <= kPrettier.width) return line + "\n";
  const std::string inner(indent + 2, ' ');
  return fmt::format("{0}{{\n{1}{2},\n{0}}}{3}\n", std::string(indent, ' '), inner,
                     fmt::join(parts, fmt::format(",\n{}", inner)), after);
}

struct TypeScriptMember {
  const ModelAttribute* attribute;
  MemberShape shape;
};

/// Writes the code of one model.
class TypeScriptModel {
 public:
  TypeScriptModel(const Model& model, Scope& module)
      : model_(model),
        type_(module.take(pascal_case(model.name, "model"))),
        new_type_(module.take("New" + type_)),
        item_type_(module.take(type_ + "Item")),
        field_type_(module.take(type_ + "Field")),
        rules_(module.take(camel_case(model.name, "model") + "Model")),
        module_(module) {
    for (const ModelAttribute& attribute : model.attributes)
      members_.push_back({&attribute, member_shape(model, attribute)});
  }

  [[nodiscard]] GeneratedModel names() const { return {model_.name, type_, rules_}; }

  void write(std::string& out) {
    write_record(out);
    write_new(out);
    write_item(out);
    write_fields(out);
    write_rules(out);
    write_key(out);
    write_query(out, nullptr);
    for (const ModelIndex& index : model_.indexes) write_query(out, &index);
    write_vector_indexes(out);
  }

 private:
  void write_record(std::string& out) const {
    fmt::format_to(std::back_inserter(out),
                   "\n/** An item of the model {} in the table {}. */\nexport interface {} {{\n",
                   comment_text(model_.name), model_.table, type_);
    for (const TypeScriptMember& member : members_) {
      if (const std::string remark = member_remark(*member.attribute); !remark.empty())
        fmt::format_to(std::back_inserter(out), "  /** {} */\n", remark);
      fmt::format_to(std::back_inserter(out), "  {}{}: {};\n", property(member.attribute->name),
                     member.shape.nullable ? "?" : "", typescript_type(member.shape.kind).record);
    }
    out += "}\n";
  }

  void write_new(std::string& out) const {
    fmt::format_to(std::back_inserter(out), "\n/** What a program says of a {}. */\nexport interface {} {{\n", type_,
                   new_type_);
    for (const TypeScriptMember& member : members_)
      fmt::format_to(std::back_inserter(out), "  {}{}: {}{};\n", property(member.attribute->name),
                     member.shape.given ? "" : "?", typescript_type(member.shape.kind).given,
                     member.shape.given ? "" : " | undefined");
    out += "}\n";
  }

  [[nodiscard]] std::string stored_type(const TypeScriptMember& member) const {
    const ModelAttribute& attribute = *member.attribute;
    if (attribute.encrypted) return "dms.Envelope";
    if (attribute.json && attribute.type != Type::kString) return "dms.Native";
    const bool may_be_null = (attribute.json || is_set(attribute.type)) && !attribute.required;
    return fmt::format("{}{}", typescript_type(member.shape.kind).stored, may_be_null ? " | null" : "");
  }

  void write_item(std::string& out) const {
    fmt::format_to(std::back_inserter(out), "\n/** A {} as the document client stores it. */\nexport interface {} {{\n",
                   type_, item_type_);
    for (const TypeScriptMember& member : members_) {
      const bool is_there =
          member.attribute->required || model_.is_key(member.attribute->name) || is_owned(*member.attribute);
      fmt::format_to(std::back_inserter(out), "  {}{}: {};\n", property(member.attribute->name), is_there ? "" : "?",
                     stored_type(member));
    }
    out += "}\n";
  }

  void write_fields(std::string& out) const {
    std::vector<std::string> names;
    for (const TypeScriptMember& member : members_)
      if (is_changeable(model_, *member.attribute)) names.push_back(typescript_literal(member.attribute->name));
    if (names.empty()) names.emplace_back("never");
    const std::string all = fmt::format("{}", fmt::join(names, " | "));
    out += "\n/** What an update may change. */\n";
    if (columns(field_type_) + columns(all) + std::string_view("export type  = ;").size() <= kPrettier.width)
      fmt::format_to(std::back_inserter(out), "export type {} = {};\n", field_type_, all);
    else if (columns(all) + 3 <= kPrettier.width)
      fmt::format_to(std::back_inserter(out), "export type {} =\n  {};\n", field_type_, all);
    else
      fmt::format_to(std::back_inserter(out), "export type {} =\n  | {};\n", field_type_, fmt::join(names, "\n  | "));
  }

  void write_rules(std::string& out) const {
    const std::string head = fmt::format("export const {} = new dms.{}<", rules_,
                                         model_.has_encrypted_attributes() ? "EncryptedModel" : "Model");
    const std::string types = fmt::format("{}, {}, {}, {}", type_, new_type_, item_type_, field_type_);
    const std::size_t width = columns(head) + columns(types) + 2;
    if (width > kPrettier.width) {
      fmt::format_to(std::back_inserter(out), "\n{}\n  {},\n  {},\n  {},\n  {}\n>({{\n", head, type_, new_type_,
                     item_type_, field_type_);
    } else {
      fmt::format_to(std::back_inserter(out), "\n{}{}>({}", head, types, width < kPrettier.width ? "{\n" : "\n  {\n");
    }
    // The object stands on lines of its own where only its brace is too much for the first.
    const bool is_apart = width == kPrettier.width;
    write_definition(out, is_apart ? 4 : 2);
    out += is_apart ? "  },\n);\n" : "});\n";
  }

  void write_definition(std::string& out, std::size_t indent) const {
    const std::string margin(indent, ' ');
    const auto text = [&](std::string_view name, const std::string& value) {
      fmt::format_to(std::back_inserter(out), "{}{}: {},\n", margin, name, typescript_literal(value));
    };
    text("name", model_.name);
    text("table", model_.table);
    text("partition", model_.partition_key.name);
    if (model_.sort_key) text("sort", model_.sort_key->name);
    std::vector<std::vector<std::string>> attributes;
    for (const TypeScriptMember& member : members_) attributes.push_back(attribute_parts(member));
    write_list(out, indent, "attributes", attributes);
    std::vector<std::vector<std::string>> indexes;
    for (const ModelIndex& index : model_.indexes) indexes.push_back(index_parts(index));
    write_list(out, indent, "indexes", indexes);
    if (model_.write_policy.mode == WriteMode::kWriteOnce) out += margin + "writeOnce: true,\n";
    if (const auto& names = model_.write_policy.protected_attributes; !names.empty()) {
      std::vector<std::string> literals;
      for (const std::string& name : names) literals.push_back(typescript_literal(name));
      out += laid_out(kPrettier, indent, "protected: [", literals, "],");
    }
  }

  static void write_list(std::string& out, std::size_t indent, std::string_view name,
                         const std::vector<std::vector<std::string>>& objects) {
    if (objects.empty()) return;
    const std::string margin(indent, ' ');
    if (objects.size() == 1) {
      const std::string line = fmt::format("{}{}: [{{ {} }}],", margin, name, fmt::join(objects[0], ", "));
      if (columns(line) <= kPrettier.width) {
        out += line + "\n";
        return;
      }
    }
    fmt::format_to(std::back_inserter(out), "{}{}: [\n", margin, name);
    for (const std::vector<std::string>& object : objects) out += object_text(indent + 2, object, ",");
    out += margin + "],\n";
  }

  static std::vector<std::string> attribute_parts(const TypeScriptMember& member) {
    const ModelAttribute& attribute = *member.attribute;
    std::vector<std::string> parts{fmt::format("name: {}", typescript_literal(attribute.name)),
                                   fmt::format("type: {}", typescript_literal(type_name(attribute.type)))};
    if (attribute.required) parts.emplace_back("required: true");
    if (member.shape.nullable) parts.emplace_back("nullable: true");
    if (attribute.omit_empty) parts.emplace_back("omitEmpty: true");
    std::vector<std::string> roles;
    for (const std::string& role : portable_roles(attribute)) roles.push_back(typescript_literal(role));
    if (!roles.empty()) parts.push_back(fmt::format("roles: [{}]", fmt::join(roles, ", ")));
    if (attribute.format != AttributeFormat::kNone)
      parts.push_back(fmt::format("format: {}", typescript_literal(format_name(attribute.format))));
    if (attribute.dimensions != 0) parts.push_back(fmt::format("dimensions: {}", attribute.dimensions));
    if (attribute.json) parts.emplace_back("json: true");
    if (attribute.encrypted) parts.emplace_back("encrypted: true");
    return parts;
  }

  void write_vector_indexes(std::string& out) {
    for (const ModelVectorIndex& index : model_.vector_indexes) {
      fmt::format_to(std::back_inserter(out), "\n/** A vector index of {}, for SearchVectors. */\n", type_);
      const std::string head =
          fmt::format("export const {} =", module_.take(camel_case(model_.name + " index " + index.name, "index")));
      const std::string value = typescript_literal(index.name) + ";";
      const bool fits = columns(head) + 1 + columns(value) <= kPrettier.width;
      out += head + (fits ? " " : "\n  ") + value + "\n";
    }
  }

  static std::vector<std::string> index_parts(const ModelIndex& index) {
    std::vector<std::string> parts{fmt::format("name: {}", typescript_literal(index.name)),
                                   fmt::format("partition: {}", typescript_literal(index.partition_key.name))};
    if (index.sort_key) parts.push_back(fmt::format("sort: {}", typescript_literal(index.sort_key->name)));
    return parts;
  }

  [[nodiscard]] std::string_view given_type(const std::string& attribute) const {
    const auto found =
        std::ranges::find(members_, attribute, [](const TypeScriptMember& each) { return each.attribute->name; });
    return typescript_type(found->shape.kind).given;
  }

  void write_key(std::string& out) {
    Scope scope(kTypeScriptReserved);
    std::vector<std::string> parameters;
    std::vector<std::string> arguments;
    for (const KeyAttribute* key : {&model_.partition_key, model_.sort_key ? &*model_.sort_key : nullptr}) {
      if (key == nullptr) continue;
      arguments.push_back(scope.take(camel_case(key->name, "attribute")));
      parameters.push_back(fmt::format("{}: {}", arguments.back(), given_type(key->name)));
    }
    const std::string name = module_.take(camel_case(model_.name + " key", "model"));
    fmt::format_to(std::back_inserter(out), "\n/** The key of a {}. */\n", type_);
    out += laid_out(kPrettier, 0, fmt::format("export function {}(", name), parameters, "): dms.Item {");
    out += laid_out(kPrettier, 2, fmt::format("return {}.key(", rules_), arguments, ");");
    out += "}\n";
  }

  void write_query(std::string& out, const ModelIndex* index) {
    const KeyAttribute& partition = index == nullptr ? model_.partition_key : index->partition_key;
    const std::optional<KeyAttribute>& sort = index == nullptr ? model_.sort_key : index->sort_key;
    Scope scope(kTypeScriptReserved);
    std::vector<std::string> arguments{scope.take(camel_case(partition.name, "attribute"))};
    std::vector<std::string> parameters{fmt::format("{}: {}", arguments[0], given_type(partition.name))};
    arguments.push_back(sort ? scope.take(camel_case(sort->name, "attribute")) : "undefined");
    if (sort) parameters.push_back(fmt::format("{}?: dms.Sort<{}>", arguments[1], given_type(sort->name)));
    arguments.push_back(typescript_literal(index == nullptr ? "" : index->name));
    arguments.emplace_back("options");
    parameters.emplace_back("options: dms.QueryOptions = {}");
    const std::string name = module_.take(camel_case(
        index == nullptr ? model_.name + " query" : fmt::format("{} query {}", model_.name, index->name), "model"));
    fmt::format_to(std::back_inserter(out), "\n/** A page of one partition of {}. */\n",
                   index == nullptr ? "the table" : "the index " + comment_text(index->name));
    out += laid_out(kPrettier, 0, fmt::format("export function {}(", name), parameters, "): dms.QueryInput {");
    out += laid_out(kPrettier, 2, fmt::format("return {}.query(", rules_), arguments, ");");
    out += "}\n";
  }

  const Model& model_;
  std::string type_;
  std::string new_type_;
  std::string item_type_;
  std::string field_type_;
  std::string rules_;
  Scope& module_;
  std::vector<TypeScriptMember> members_;
};

}  // namespace

Result<GeneratedCode> generate_typescript_models(const ModelSet& set, const ModelCodeOptions& options) {
  GeneratedCode code;
  code.text = fmt::format(
      "// Generated from {}; edit that file, not this.\n// By: dolmen model generate --lang ts\n// Source: sha256 {}\n"
      "import * as dms from \"./dolmen_support.js\";\n",
      comment_text(options.source.file_name), options.source.sha256);
  Scope module(kTypeScriptReserved);
  for (const Model& model : set.models) {
    TypeScriptModel writer(model, module);
    writer.write(code.text);
    code.models.push_back(writer.names());
  }
  return code;
}

}  // namespace dolmen::generate
