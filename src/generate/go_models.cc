#include "generate/go_models.h"

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

/// What support/*.go calls its own in the same package.
constexpr auto kGoPackageNames = std::to_array<std::string_view>(
    {"AtLeast",     "AtMost",     "Attribute",    "BeginsWith", "Between",       "BinarySet",     "CreateInput",
     "Cursor",      "Decode",     "DecodeCursor", "Encode",     "EncodeCursor",  "Equals",        "ErrorName",
     "Field",       "FormatTime", "GreaterThan",  "Index",      "Item",          "JSONText",      "KeyOf",
     "KeyProvider", "LessThan",   "Model",        "ModelError", "NonceProvider", "Null",          "NumberSet",
     "Options",     "PutInput",   "QueryOptions", "Record",     "Seal",          "SortCondition", "StringSet",
     "Unseal",      "UpdateInput"});
static_assert(std::ranges::is_sorted(kGoPackageNames));
/// Methods of every record.
constexpr auto kGoMethods = std::to_array<std::string_view>({"Model", "TableName"});
/// Keywords, and what the functions use. Parameters begin with a small letter.
constexpr auto kGoParameters = std::to_array<std::string_view>(
    {"any",      "attributevalue", "break",     "case",        "chan", "const",   "continue", "default", "defer",
     "dynamodb", "else",           "error",     "fallthrough", "for",  "func",    "go",       "goto",    "if",
     "import",   "int64",          "interface", "map",         "nil",  "options", "package",  "range",   "return",
     "select",   "string",         "struct",    "switch",      "time", "type",    "var"});
static_assert(std::ranges::is_sorted(kGoParameters));

std::string_view go_type(MemberKind kind) {
  switch (kind) {
    case MemberKind::kText: return "string";
    case MemberKind::kTime: return "time.Time";
    case MemberKind::kNumber: return "attributevalue.Number";
    case MemberKind::kInteger:
    case MemberKind::kVersion:
    case MemberKind::kSeconds: return "int64";
    case MemberKind::kBytes: return "[]byte";
    case MemberKind::kBool: return "bool";
    case MemberKind::kNull: return "Null";
    case MemberKind::kList: return "[]any";
    case MemberKind::kVector: return "[]float32";
    case MemberKind::kMap: return "map[string]any";
    case MemberKind::kTextSet: return "[]string";
    case MemberKind::kNumberSet: return "[]attributevalue.Number";
    case MemberKind::kByteSet: return "[][]byte";
    case MemberKind::kJson: return "any";
  }
  std::unreachable();
}

/// Slices and maps are nil without being pointed to.
bool can_be_nil(MemberKind kind) {
  return kind == MemberKind::kBytes || kind == MemberKind::kList || kind == MemberKind::kVector ||
         kind == MemberKind::kMap;
}

/// What tags can say as it is: they separate by commas and quote.
bool is_plain(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  });
}

/// Lines of which the columns stand below each other, as gofmt puts them.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view margin) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      // gofmt counts characters, however wide they are.
      const auto characters = std::ranges::count_if(row[i], [](char c) { return (c & 0xC0) != 0x80; });
      widths[i] = std::max(widths[i], static_cast<std::size_t>(characters));
    }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    std::string line(margin);
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      const auto characters = std::ranges::count_if(row[i], [](char c) { return (c & 0xC0) != 0x80; });
      if (i + 1 < row.size()) line.append(widths[i] - static_cast<std::size_t>(characters) + 1, ' ');
    }
    out += line + "\n";
  }
  return out;
}

struct GoMember {
  const ModelAttribute* attribute;
  std::string name;
  MemberShape shape;

  [[nodiscard]] std::string type() const {
    return fmt::format("{}{}", shape.nullable && !can_be_nil(shape.kind) ? "*" : "", go_type(shape.kind));
  }
};

/// Writes the code of one model.
class GoModel {
 public:
  GoModel(const Model& model, Scope& package)
      : model_(model),
        type_(package.take(go_name(model.name, "model"))),
        rules_(package.take(type_ + "Model")),
        package_(package) {
    Scope members(kGoMethods);
    for (const ModelAttribute& attribute : model.attributes)
      members_.push_back(
          {&attribute, members.take(go_name(attribute.name, "attribute")), member_shape(model, attribute)});
  }

  [[nodiscard]] GeneratedModel names() const { return {model_.name, type_, rules_}; }

  void write(std::string& out) {
    write_struct(out);
    write_methods(out);
    write_rules(out);
    write_fields(out);
    write_indexes(out);
    write_key(out);
    write_query(out, nullptr);
    for (const ModelIndex& index : model_.indexes) write_query(out, &index);
  }

 private:
  void write_struct(std::string& out) const {
    fmt::format_to(std::back_inserter(out), "\n// {} is an item of the model {} in the table {}.\ntype {} struct {{\n",
                   type_, comment_text(model_.name), model_.table, type_);
    std::vector<std::vector<std::string>> rows;
    if (model_.naming == NamingConvention::kSnakeCase)
      rows.push_back({"_", "struct{}", "`dynamodbav:\"-\" theorydb:\"naming:snake_case\"`"});
    for (const GoMember& member : members_) {
      // A remark stands alone on its line, which ends the columns.
      if (const std::string remark = member_remark(*member.attribute); !remark.empty()) {
        out += aligned(rows, "\t");
        rows.clear();
        fmt::format_to(std::back_inserter(out), "\t// {}\n", remark);
      }
      rows.push_back({member.name, member.type(), tags(member)});
    }
    out += aligned(rows, "\t") + "}\n";
  }

  /// Values that only this code stores as the model says are closed to reflection: it would store them in the clear.
  [[nodiscard]] std::string tags(const GoMember& member) const {
    const ModelAttribute& attribute = *member.attribute;
    if (!is_plain(attribute.name)) return "`dynamodbav:\"-\" theorydb:\"-\"`";
    const bool is_closed = attribute.encrypted || attribute.json || attribute.type == Type::kNull;
    std::string own = is_closed ? "-" : attribute.name;
    if (!is_closed && attribute.omit_empty) own += ",omitempty";
    if (!is_closed && attribute.type == Type::kStringSet) own += ",stringset";
    if (!is_closed && attribute.type == Type::kNumberSet) own += ",numberset";
    if (!is_closed && attribute.type == Type::kBinarySet) own += ",binaryset";
    return fmt::format("`dynamodbav:\"{}\" theorydb:\"{}\"`", own, theorydb_tag(attribute));
  }

  [[nodiscard]] std::string theorydb_tag(const ModelAttribute& attribute) const {
    std::string tag;
    if (attribute.name == model_.partition_key.name) tag += "pk,";
    if (model_.sort_key && attribute.name == model_.sort_key->name) tag += "sk,";
    for (const std::string& role : portable_roles(attribute)) tag += role + ",";
    tag += "attr:" + attribute.name;
    if (attribute.omit_empty) tag += ",omitempty";
    if (is_set(attribute.type)) tag += ",set";
    if (attribute.json) tag += ",json";
    if (attribute.binary) tag += ",binary";
    if (attribute.encrypted) tag += ",encrypted";
    for (const ModelIndex& index : model_.indexes) {
      const bool is_local = index.type == IndexType::kLocal;
      if (!is_local && index.partition_key.name == attribute.name) tag += fmt::format(",index:{},pk", index.name);
      if (index.sort_key && index.sort_key->name == attribute.name)
        tag += fmt::format(",{}:{},sk", is_local ? "lsi" : "index", index.name);
    }
    return tag;
  }

  void write_methods(std::string& out) const {
    fmt::format_to(std::back_inserter(out),
                   "\n// TableName is the table of the model.\nfunc ({0}) TableName() string {{ return {1} }}\n"
                   "\n// Model holds the rules.\nfunc (*{0}) Model() *Model {{ return {2} }}\n"
                   "\nfunc (record *{0}) fields() []any {{\n\treturn []any{{\n",
                   type_, go_literal(model_.table), rules_);
    for (const GoMember& member : members_) fmt::format_to(std::back_inserter(out), "\t\t&record.{},\n", member.name);
    out += "\t}\n}\n";
  }

  void write_rules(std::string& out) const {
    fmt::format_to(std::back_inserter(out), "\n// {0} holds the rules of {1}.\nvar {0} = &Model{{\n", rules_, type_);
    std::vector<std::vector<std::string>> rows{{"Name:", go_literal(model_.name) + ","},
                                               {"Table:", go_literal(model_.table) + ","},
                                               {"Partition:", go_literal(model_.partition_key.name) + ","}};
    if (model_.sort_key) rows.push_back({"Sort:", go_literal(model_.sort_key->name) + ","});
    out += aligned(rows, "\t") + "\tAttributes: []Attribute{\n";
    for (const GoMember& member : members_)
      fmt::format_to(std::back_inserter(out), "\t\t{{{}}},\n", fmt::join(attribute_parts(member), ", "));
    out += "\t},\n";
    if (!model_.indexes.empty()) {
      out += "\tIndexes: []Index{\n";
      for (const ModelIndex& index : model_.indexes)
        fmt::format_to(std::back_inserter(out), "\t\t{{Name: {}, Partition: {}{}}},\n", go_literal(index.name),
                       go_literal(index.partition_key.name),
                       index.sort_key ? ", Sort: " + go_literal(index.sort_key->name) : "");
      out += "\t},\n";
    }
    rows.clear();
    if (model_.write_policy.mode == WriteMode::kWriteOnce) rows.push_back({"WriteOnce:", "true,"});
    std::vector<std::string> kept;
    for (const std::string& name : model_.write_policy.protected_attributes) kept.push_back(go_literal(name));
    if (!kept.empty()) rows.push_back({"Protected:", fmt::format("[]string{{{}}},", fmt::join(kept, ", "))});
    out += aligned(rows, "\t") + "}\n";
  }

  static std::vector<std::string> attribute_parts(const GoMember& member) {
    const ModelAttribute& attribute = *member.attribute;
    std::vector<std::string> parts{"Name: " + go_literal(attribute.name),
                                   "Type: " + go_literal(type_name(attribute.type))};
    if (attribute.required) parts.emplace_back("Required: true");
    if (member.shape.nullable) parts.emplace_back("Nullable: true");
    if (attribute.omit_empty) parts.emplace_back("OmitEmpty: true");
    if (const std::vector<std::string> roles = portable_roles(attribute); !roles.empty())
      parts.push_back("Role: " + go_literal(roles.front()));
    if (attribute.format != AttributeFormat::kNone)
      parts.push_back("Format: " + go_literal(format_name(attribute.format)));
    if (attribute.dimensions != 0) parts.push_back(fmt::format("Dimensions: {}", attribute.dimensions));
    if (attribute.json) parts.emplace_back("JSON: true");
    if (attribute.encrypted) parts.emplace_back("Encrypted: true");
    return parts;
  }

  void write_constants(std::string& out, std::string_view comment,
                       const std::vector<std::vector<std::string>>& rows) const {
    if (!rows.empty()) fmt::format_to(std::back_inserter(out), "\n// {}\nconst (\n{})\n", comment, aligned(rows, "\t"));
  }

  void write_fields(std::string& out) {
    std::vector<std::vector<std::string>> rows;
    for (const GoMember& member : members_)
      if (is_changeable(model_, *member.attribute))
        rows.push_back({package_.take(fmt::format("{}Field{}", type_, member.name)), "Field",
                        "= " + go_literal(member.attribute->name)});
    write_constants(out, fmt::format("What an update of {} may change.", type_), rows);
  }

  void write_indexes(std::string& out) {
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](const std::string& index) {
      rows.push_back(
          {package_.take(fmt::format("{}Index{}", type_, go_name(index, "index"))), "= " + go_literal(index)});
    };
    for (const ModelIndex& index : model_.indexes) add(index.name);
    for (const ModelVectorIndex& index : model_.vector_indexes) add(index.name);
    write_constants(out, fmt::format("Indexes of {}.", type_), rows);
  }

  [[nodiscard]] std::string parameter(Scope& scope, const std::string& attribute, std::string& name) const {
    const auto found =
        std::ranges::find(members_, attribute, [](const GoMember& each) { return each.attribute->name; });
    name = scope.take(camel_case(attribute, "attribute"));
    return fmt::format("{} {}", name, go_type(found->shape.kind));
  }

  void write_key(std::string& out) {
    Scope scope(kGoParameters);
    std::string partition;
    std::string sort = "nil";
    std::string parameters = parameter(scope, model_.partition_key.name, partition);
    if (model_.sort_key) parameters += ", " + parameter(scope, model_.sort_key->name, sort);
    fmt::format_to(std::back_inserter(out),
                   "\n// {0} is the key of a {1}.\nfunc {0}({2}) (Item, error) {{\n\treturn {3}.Key({4}, {5})\n}}\n",
                   package_.take(type_ + "Key"), type_, parameters, rules_, partition, sort);
  }

  void write_query(std::string& out, const ModelIndex* index) {
    const KeyAttribute& partition = index == nullptr ? model_.partition_key : index->partition_key;
    const std::optional<KeyAttribute>& sort = index == nullptr ? model_.sort_key : index->sort_key;
    Scope scope(kGoParameters);
    std::string partition_name;
    std::string sort_name = "nil";
    std::string parameters = parameter(scope, partition.name, partition_name);
    if (sort) {
      sort_name = scope.take(camel_case(sort->name, "attribute"));
      parameters += fmt::format(", {} *SortCondition", sort_name);
    }
    const std::string name = package_.take(
        index == nullptr ? type_ + "Query" : fmt::format("{}Query{}", type_, go_name(index->name, "index")));
    fmt::format_to(std::back_inserter(out),
                   "\n// {0} is a page of one partition of {1}.\n"
                   "func {0}({2}, options QueryOptions) (*dynamodb.QueryInput, error) {{\n"
                   "\treturn {3}.Query({4}, {5}, {6}, options)\n}}\n",
                   name, index == nullptr ? "the table" : "the index " + comment_text(index->name), parameters, rules_,
                   partition_name, sort_name, go_literal(index == nullptr ? "" : index->name));
  }

  const Model& model_;
  std::string type_;
  std::string rules_;
  Scope& package_;
  std::vector<GoMember> members_;
};

}  // namespace

Result<GeneratedCode> generate_go_models(const ModelSet& set, const ModelCodeOptions& options) {
  GeneratedCode code;
  std::string text;
  Scope package(kGoPackageNames);
  for (const Model& model : set.models) {
    GoModel writer(model, package);
    writer.write(text);
    code.models.push_back(writer.names());
  }
  const auto uses = [&](std::string_view name) { return text.find(name) != std::string::npos; };
  code.text = fmt::format(
      "// Code generated by dolmen model generate --lang go from {}; DO NOT EDIT.\n// Source: sha256 {}\n\npackage "
      "{}\n\n"
      "import (\n{}{}\t\"github.com/aws/aws-sdk-go-v2/service/dynamodb\"\n)\n",
      comment_text(options.source.file_name), options.source.sha256,
      options.namespace_name.empty() ? "models" : options.namespace_name, uses("time.Time") ? "\t\"time\"\n\n" : "",
      uses("attributevalue.") ? "\t\"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue\"\n" : "");
  code.text += text;
  return code;
}

}  // namespace dolmen::generate
