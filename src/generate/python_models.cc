#include "generate/python_models.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "generate/member_shape.h"
#include "generate/model_parts.h"
#include "generate/names.h"
#include "generate/source_text.h"
#include "model/dms_names.h"

namespace dolmen::generate {

namespace {

constexpr Layout kBlack{.width = 88, .indent_step = 4};

/// Keywords, and names that the code itself uses: a member of such a name would hide them.
constexpr auto kPythonReserved = std::to_array<std::string_view>(
    {"Any",       "Decimal", "False", "Literal",    "None",     "Sequence", "True",    "and",   "as",       "assert",
     "async",     "await",   "bool",  "break",      "bytes",    "case",     "changed", "class", "continue", "cursor",
     "dataclass", "def",     "del",   "descending", "dict",     "dms",      "elif",    "else",  "except",   "field",
     "finally",   "for",     "from",  "global",     "if",       "import",   "in",      "int",   "is",       "keys",
     "lambda",    "limit",   "list",  "match",      "nonlocal", "not",      "now",     "or",    "pass",     "raise",
     "record",    "return",  "set",   "str",        "try",      "type",     "while",   "with",  "yield"});
static_assert(std::ranges::is_sorted(kPythonReserved));

struct PythonType {
  std::string_view name;
  /// What the member holds unless it is given.
  std::string_view initial;
};

PythonType python_type(MemberKind kind) {
  switch (kind) {
    case MemberKind::kText:
    case MemberKind::kTime: return {"str", "\"\""};
    case MemberKind::kNumber: return {"Decimal", "Decimal(0)"};
    case MemberKind::kInteger:
    case MemberKind::kVersion:
    case MemberKind::kSeconds: return {"int", "0"};
    case MemberKind::kBytes: return {"bytes", "b\"\""};
    case MemberKind::kBool: return {"bool", "False"};
    case MemberKind::kNull: return {"None", "None"};
    case MemberKind::kList: return {"list[Any]", "field(default_factory=list)"};
    case MemberKind::kVector: return {"list[float]", "field(default_factory=list)"};
    case MemberKind::kMap: return {"dict[str, Any]", "field(default_factory=dict)"};
    case MemberKind::kTextSet: return {"set[str]", "field(default_factory=set)"};
    case MemberKind::kNumberSet: return {"set[Decimal]", "field(default_factory=set)"};
    case MemberKind::kByteSet: return {"set[bytes]", "field(default_factory=set)"};
    case MemberKind::kJson: return {"Any", "None"};
  }
  std::unreachable();
}

struct PythonMember {
  const ModelAttribute* attribute;
  std::string name;
  MemberShape shape;
};

/// Writes the code of one model.
class PythonModel {
 public:
  PythonModel(const Model& model, Scope& module)
      : model_(model),
        class_name_(module.take(pascal_case(model.name, "model"))),
        rules_name_(module.take(upper_case(model.name, "model"))),
        field_type_(module.take(class_name_ + "Field")),
        module_(module) {
    Scope members(kPythonReserved);
    for (const ModelAttribute& attribute : model.attributes)
      members_.push_back(
          {&attribute, members.take(snake_case(attribute.name, "attribute")), member_shape(model, attribute)});
  }

  [[nodiscard]] GeneratedModel names() const { return {model_.name, class_name_, rules_name_}; }

  void write(std::string& out) {
    write_class(out);
    write_rules(out);
    write_key(out);
    write_update(out);
    write_query(out, nullptr);
    for (const ModelIndex& index : model_.indexes) write_query(out, &index);
    write_vector_indexes(out);
  }

 private:
  void write_class(std::string& out) const {
    fmt::format_to(
        std::back_inserter(out),
        "\n\n@dataclass(kw_only=True)\nclass {}:\n    \"\"\"An item of the model {} in the table {}.\"\"\"\n\n",
        class_name_, comment_text(model_.name), model_.table);
    for (const PythonMember& member : members_) {
      if (const std::string remark = member_remark(*member.attribute); !remark.empty())
        fmt::format_to(std::back_inserter(out), "    #: {}\n", remark);
      const PythonType type = python_type(member.shape.kind);
      const std::string_view initial = member.shape.nullable ? "None" : type.initial;
      fmt::format_to(std::back_inserter(out), "    {}: {}{}{}\n", member.name, type.name,
                     member.shape.nullable ? " | None" : "", member.shape.given ? "" : fmt::format(" = {}", initial));
    }
  }

  void write_rules(std::string& out) const {
    std::vector<std::string> changeable;
    for (const PythonMember& member : members_)
      if (is_changeable(model_, *member.attribute)) changeable.push_back(python_literal(member.name));
    if (!changeable.empty()) {
      out += "\n\n#: What an update may change.\n";
      out += laid_out(kBlack, 0, field_type_ + " = Literal[", changeable, "]");
    }
    fmt::format_to(std::back_inserter(out), "\n{}{} = dms.Model(\n    {},\n    name={},\n",
                   changeable.empty() ? "\n" : "", rules_name_, class_name_, python_literal(model_.name));
    fmt::format_to(std::back_inserter(out), "    table={},\n    partition={},\n", python_literal(model_.table),
                   python_literal(model_.partition_key.name));
    if (model_.sort_key)
      fmt::format_to(std::back_inserter(out), "    sort={},\n", python_literal(model_.sort_key->name));
    std::vector<std::string> attributes;
    for (const PythonMember& member : members_)
      attributes.push_back(laid_out(kBlack, 8, "dms.Attribute(", attribute_parts(member), "),"));
    write_tuple(out, "attributes", attributes);
    std::vector<std::string> indexes;
    for (const ModelIndex& index : model_.indexes)
      indexes.push_back(laid_out(kBlack, 8, "dms.Index(", index_parts(index), "),"));
    write_tuple(out, "indexes", indexes);
    if (model_.write_policy.mode == WriteMode::kWriteOnce) out += "    write_once=True,\n";
    std::vector<std::string> kept;
    for (const std::string& name : model_.write_policy.protected_attributes)
      kept.push_back(fmt::format("        {},\n", python_literal(name)));
    write_tuple(out, "protected", kept);
    out += ")\n";
  }

  /// An argument that is a tuple; nothing when that is empty. Lines end in commas. black leaves a tuple of one where it
  /// fits.
  static void write_tuple(std::string& out, std::string_view name, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    if (lines.size() == 1) {
      const std::string_view only = std::string_view(lines[0]).substr(8, lines[0].size() - 9);
      const std::string line = fmt::format("    {}=({}),", name, only);
      if (only.find('\n') == std::string_view::npos && columns(line) <= kBlack.width) {
        out += line + "\n";
        return;
      }
    }
    fmt::format_to(std::back_inserter(out), "    {}=(\n{}    ),\n", name, fmt::join(lines, ""));
  }

  static std::vector<std::string> attribute_parts(const PythonMember& member) {
    const ModelAttribute& attribute = *member.attribute;
    std::vector<std::string> parts{python_literal(attribute.name), python_literal(member.name),
                                   python_literal(type_name(attribute.type))};
    if (attribute.required) parts.emplace_back("required=True");
    if (member.shape.nullable) parts.emplace_back("nullable=True");
    if (attribute.omit_empty) parts.emplace_back("omit_empty=True");
    std::string roles;
    for (const std::string& role : portable_roles(attribute))
      fmt::format_to(std::back_inserter(roles), "{}{}", roles.empty() ? "" : " ", python_literal(role) + ",");
    if (std::ranges::count(roles, ',') > 1) roles.pop_back();
    if (!roles.empty()) parts.push_back(fmt::format("roles=({})", roles));
    if (attribute.format != AttributeFormat::kNone)
      parts.push_back(fmt::format("format={}", python_literal(format_name(attribute.format))));
    if (attribute.dimensions != 0) parts.push_back(fmt::format("dimensions={}", attribute.dimensions));
    if (attribute.json) parts.emplace_back("json=True");
    if (attribute.encrypted) parts.emplace_back("encrypted=True");
    return parts;
  }

  static std::vector<std::string> index_parts(const ModelIndex& index) {
    std::vector<std::string> parts{python_literal(index.name), python_literal(index.partition_key.name)};
    if (index.sort_key) parts.push_back(python_literal(index.sort_key->name));
    return parts;
  }

  [[nodiscard]] const PythonMember& member_of(const std::string& attribute) const {
    return *std::ranges::find(members_, attribute, [](const PythonMember& each) { return each.attribute->name; });
  }

  [[nodiscard]] std::string parameter(const std::string& attribute) const {
    const PythonMember& member = member_of(attribute);
    return fmt::format("{}: {}", member.name, python_type(member.shape.kind).name);
  }

  void write_key(std::string& out) {
    const std::string name = module_.take(snake_case(model_.name + "_key", "model"));
    std::vector<std::string> parameters{parameter(model_.partition_key.name)};
    std::string arguments = member_of(model_.partition_key.name).name;
    if (model_.sort_key) {
      parameters.push_back(parameter(model_.sort_key->name));
      arguments += ", " + member_of(model_.sort_key->name).name;
    }
    out += "\n\n" + laid_out(kBlack, 0, fmt::format("def {}(", name), parameters, ") -> dms.Item:");
    fmt::format_to(std::back_inserter(out), "    \"\"\"The key of a {}, for get_item and delete.\"\"\"\n", class_name_);
    out += laid_out(kBlack, 4, fmt::format("return {}.key(", rules_name_), {arguments}, ")");
  }

  void write_update(std::string& out) {
    if (std::ranges::none_of(model_.attributes,
                             [&](const ModelAttribute& attribute) { return is_changeable(model_, attribute); }))
      return;
    fmt::format_to(std::back_inserter(out),
                   "\n\ndef {}(\n    record: {},\n    changed: Sequence[{}],\n    *,\n    now: dms.Now = None,\n"
                   "    keys: dms.KeyProvider | None = None,\n) -> dms.Item:\n"
                   "    \"\"\"For update_item: writes these fields if the version is still the record's.\"\"\"\n"
                   "    return {}.update(record, changed, now=now, keys=keys)\n",
                   module_.take(snake_case(model_.name + "_update", "model")), class_name_, field_type_, rules_name_);
  }

  void write_query(std::string& out, const ModelIndex* index) {
    const KeyAttribute& partition = index == nullptr ? model_.partition_key : index->partition_key;
    const std::optional<KeyAttribute>& sort = index == nullptr ? model_.sort_key : index->sort_key;
    const std::string place = index == nullptr ? "the table" : fmt::format("the index {}", comment_text(index->name));
    const std::string name = module_.take(snake_case(
        index == nullptr ? model_.name + "_query" : fmt::format("{}_query_{}", model_.name, index->name), "model"));
    fmt::format_to(std::back_inserter(out), "\n\ndef {}(\n    {},\n", name, parameter(partition.name));
    if (sort) fmt::format_to(std::back_inserter(out), "    {}: dms.Sort | None = None,\n", member_of(sort->name).name);
    out +=
        "    *,\n    descending: bool = False,\n    limit: int | None = None,\n    cursor: str = \"\",\n) -> "
        "dms.Item:\n";
    fmt::format_to(std::back_inserter(out), "    \"\"\"A page of one partition of {}, for query.\"\"\"\n", place);
    fmt::format_to(std::back_inserter(out), "    return {}.query(\n        {},\n", rules_name_,
                   member_of(partition.name).name);
    if (sort) fmt::format_to(std::back_inserter(out), "        {},\n", member_of(sort->name).name);
    if (index != nullptr) fmt::format_to(std::back_inserter(out), "        index={},\n", python_literal(index->name));
    out += "        descending=descending,\n        limit=limit,\n        cursor=cursor,\n    )\n";
  }

  void write_vector_indexes(std::string& out) {
    for (const ModelVectorIndex& index : model_.vector_indexes) {
      const bool is_first = &index == &model_.vector_indexes.front();
      fmt::format_to(std::back_inserter(out), "\n{}#: A vector index of {}, for search_vectors.\n{} = {}\n",
                     is_first ? "\n" : "", class_name_,
                     module_.take(upper_case(model_.name + " index " + index.name, "index")),
                     python_literal(index.name));
    }
  }

  const Model& model_;
  std::string class_name_;
  std::string rules_name_;
  std::string field_type_;
  Scope& module_;
  std::vector<PythonMember> members_;
};

/// What stands above the code: where it comes from, and what it imports.
std::string python_head(const Source& source, std::string_view code) {
  std::string out = fmt::format(
      "\"\"\"Generated from {}; edit that file, not this.\n\nBy: dolmen model generate --lang python\n"
      "Source: sha256 {}\n\"\"\"\n\nfrom __future__ import annotations\n\n",
      comment_text(source.file_name), source.sha256);
  const auto uses = [&](std::string_view text) { return code.find(text) != std::string_view::npos; };
  if (uses("Sequence[")) out += "from collections.abc import Sequence\n";
  fmt::format_to(std::back_inserter(out), "from dataclasses import dataclass{}\n", uses("= field(") ? ", field" : "");
  if (uses("Decimal")) out += "from decimal import Decimal\n";
  std::vector<std::string_view> typing;
  if (uses(": Any") || uses("[Any]") || uses(", Any]")) typing.emplace_back("Any");
  if (uses("= Literal[")) typing.emplace_back("Literal");
  if (!typing.empty()) fmt::format_to(std::back_inserter(out), "from typing import {}\n", fmt::join(typing, ", "));
  return out + "\nfrom . import dolmen_support as dms\n";
}

}  // namespace

std::string python_module_name(std::string_view stem) { return Scope(kPythonReserved).take(snake_case(stem, "file")); }

Result<GeneratedCode> generate_python_models(const ModelSet& set, const ModelCodeOptions& options) {
  GeneratedCode code;
  Scope module(kPythonReserved);
  std::string text;
  for (const Model& model : set.models) {
    PythonModel writer(model, module);
    writer.write(text);
    code.models.push_back(writer.names());
  }
  code.text = python_head(options.source, text) + text;
  return code;
}

}  // namespace dolmen::generate
