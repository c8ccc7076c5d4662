#include "generate/documents.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "base/fail.h"
#include "generate/cpp_text.h"
#include "generate/names.h"
#include "generate/source_text.h"

namespace dolmen::generate {

namespace {

/// An object of the schema, which becomes a type of its own.
struct DocumentType {
  std::string name;
  const std::vector<SchemaField>* fields;
};

/// Knows how a language names and writes the types of a schema.
class DocumentWriter {
 public:
  DocumentWriter(Language language, const Schema& schema)
      : language_(language), root_(pascal_case(schema.ref.id + " " + schema.ref.version, "document")) {
    collect(root_, schema.fields);
  }

  /// Inner types come first, as C++ and Python need it.
  [[nodiscard]] const std::vector<DocumentType>& types() const { return types_; }
  [[nodiscard]] const std::string& root() const { return root_; }

  /// The type of a value inside the type `owner`.
  [[nodiscard]] std::string type_of(const SchemaType& type, const std::string& name) const {
    const bool is_python = language_ == Language::kPython;
    switch (type.type) {
      case FieldType::kString: return pick("std::string", "string", "string", "str");
      case FieldType::kInt: return pick("std::int64_t", "number", "int64", "int");
      case FieldType::kBool: return pick("bool", "boolean", "bool", "bool");
      case FieldType::kFloat: return pick("double", "number", root_ + "Float", "float");
      case FieldType::kObject: return name;
      case FieldType::kArray: break;
    }
    const std::string element = type_of(type.element.front(), name);
    if (language_ == Language::kCpp) return fmt::format("std::vector<{}>", element);
    if (language_ == Language::kTypeScript) return element + "[]";
    return is_python ? fmt::format("list[{}]", element) : "[]" + element;
  }

  [[nodiscard]] std::string inner_name(const std::string& owner, const SchemaField& field) const {
    const auto found = std::ranges::find(inner_, std::pair(owner, field.name), &InnerName::place);
    return found == inner_.end() ? "" : found->name;
  }

 private:
  struct InnerName {
    std::pair<std::string, std::string> place;
    std::string name;
  };

  [[nodiscard]] std::string pick(std::string_view cpp, std::string_view ts, std::string_view go,
                                 std::string_view python) const {
    switch (language_) {
      case Language::kCpp: return std::string(cpp);
      case Language::kTypeScript: return std::string(ts);
      case Language::kGo: return std::string(go);
      case Language::kPython: break;
    }
    return std::string(python);
  }

  void collect(const std::string& name, const std::vector<SchemaField>& fields) {
    for (const SchemaField& field : fields) {
      const SchemaType* type = &field.type;
      while (type->type == FieldType::kArray) type = &type->element.front();
      if (type->type != FieldType::kObject) continue;
      const std::string inner = names_.take(name + pascal_case(field.name, "field"));
      inner_.push_back({{name, field.name}, inner});
      collect(inner, type->fields);
    }
    types_.push_back({name, &fields});
  }

  Language language_;
  std::string root_;
  Scope names_{{}};
  std::vector<InnerName> inner_;
  std::vector<DocumentType> types_;
};

std::string comment_head(const Source& source, std::string_view language) {
  return fmt::format(
      "// Generated from {}; edit that file, not this.\n// By: dolmen schema generate --lang {}\n// Source: sha256 "
      "{}\n",
      comment_text(source.file_name), language, source.sha256);
}

std::string cpp_documents(const DocumentWriter& writer, const Schema& schema, const ModelCodeOptions& options) {
  std::string code;
  for (const DocumentType& type : writer.types()) {
    CppScope members;
    std::string record = fmt::format("DOLMEN_RECORD({}", type.name);
    fmt::format_to(std::back_inserter(code), "struct {} {{\n", type.name);
    for (const SchemaField& field : *type.fields) {
      const std::string name = members.take(snake_case(field.name, "field"));
      const std::string inner = writer.type_of(field.type, writer.inner_name(type.name, field));
      const bool is_scalar = field.type.type == FieldType::kInt || field.type.type == FieldType::kBool ||
                             field.type.type == FieldType::kFloat;
      fmt::format_to(std::back_inserter(code), "  {} {}{};\n",
                     field.required ? inner : fmt::format("std::optional<{}>", inner), name,
                     field.required && is_scalar ? "{}" : "");
      record += name == field.name ? ", " + name : fmt::format(", ({}, {})", name, cpp_literal(field.name));
    }
    fmt::format_to(std::back_inserter(code),
                   "\n  friend bool operator==(const {0}&, const {0}&) = default;\n}};\n{1});\n\n", type.name, record);
  }
  fmt::format_to(std::back_inserter(code),
                 "/// The schema of {}.\ninline const dolmen::SchemaRef {}_schema{{{}, {}}};\n", writer.root(),
                 snake_case(writer.root(), "document"), cpp_literal(schema.ref.id), cpp_literal(schema.ref.version));
  if (!options.namespace_name.empty())
    code = fmt::format("namespace {0} {{\n\n{1}\n}}  // namespace {0}\n", options.namespace_name, code);
  return comment_head(options.source, "cpp") +
         "// clang-format off\n#pragma once\n\n#include <cstdint>\n#include <optional>\n#include <string>\n#include "
         "<vector>\n\n#include <dolmen/record.h>\n#include <dolmen/schema.h>\n\n" +
         code;
}

std::string typescript_property(const std::string& name) {
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '$'; };
  const bool plain = !is_digit(name[0]) && std::ranges::all_of(name, fits);
  return plain ? name : typescript_literal(name);
}

std::string typescript_documents(const DocumentWriter& writer, const Schema& schema, const ModelCodeOptions& options) {
  std::string out = comment_head(options.source, "ts");
  for (const DocumentType& type : writer.types()) {
    fmt::format_to(std::back_inserter(out), "\nexport interface {} {{\n", type.name);
    for (const SchemaField& field : *type.fields)
      fmt::format_to(std::back_inserter(out), "  {}{}: {};\n", typescript_property(field.name),
                     field.required ? "" : "?", writer.type_of(field.type, writer.inner_name(type.name, field)));
    out += "}\n";
  }
  std::string constant = writer.root() + "Schema";
  constant[0] = ascii_lower(constant[0]);
  fmt::format_to(std::back_inserter(out),
                 "\n/** The schema of {}. */\nexport const {} = {{\n  id: {},\n  version: {},\n}} as const;\n",
                 writer.root(), constant, typescript_literal(schema.ref.id), typescript_literal(schema.ref.version));
  return out;
}

std::string python_documents(const DocumentWriter& writer, const Schema& schema, const ModelCodeOptions& options) {
  std::string code;
  for (const DocumentType& type : writer.types()) {
    fmt::format_to(std::back_inserter(code), "{0} = TypedDict(\n    \"{0}\",\n    {{\n", type.name);
    for (const SchemaField& field : *type.fields) {
      const std::string inner = writer.type_of(field.type, writer.inner_name(type.name, field));
      fmt::format_to(std::back_inserter(code), "        {}: {},\n", python_literal(field.name),
                     field.required ? inner : fmt::format("NotRequired[{}]", inner));
    }
    code += "    },\n)\n\n";
  }
  const bool has_optional = code.find("NotRequired[") != std::string::npos;
  return fmt::format(
      "\"\"\"Generated from {}; edit that file, not this.\n\nBy: dolmen schema generate --lang python\nSource: sha256 "
      "{}\n"
      "\"\"\"\n\nfrom typing import Final{}, TypedDict\n\n{}#: The schema of {}.\n{}_ID: Final = {}\n{}_VERSION: Final "
      "= {}\n",
      comment_text(options.source.file_name), options.source.sha256, has_optional ? ", NotRequired" : "", code,
      writer.root(), upper_case(writer.root(), "document"), python_literal(schema.ref.id),
      upper_case(writer.root(), "document"), python_literal(schema.ref.version));
}

/// Columns below each other, as gofmt puts them.
std::string go_fields(const DocumentWriter& writer, const DocumentType& type) {
  std::vector<std::array<std::string, 3>> rows;
  std::array<std::size_t, 2> widths{};
  Scope members({});
  for (const SchemaField& field : *type.fields) {
    const bool is_slice = field.type.type == FieldType::kArray;
    const std::string inner = writer.type_of(field.type, writer.inner_name(type.name, field));
    // A tag cannot hold a comma or a quote as such; encoding/json takes no such name.
    const bool plain = field.name.find_first_of(",\"`\\") == std::string::npos;
    rows.push_back(
        {members.take(go_name(field.name, "field")), (field.required || is_slice ? "" : "*") + inner,
         plain ? fmt::format("`json:\"{}{}\"`", field.name, field.required ? "" : ",omitempty") : "`json:\"-\"`"});
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], rows.back()[i].size());
  }
  std::string out;
  for (const auto& [name, go, tag] : rows)
    fmt::format_to(std::back_inserter(out), "\t{:<{}} {:<{}} {}\n", name, widths[0], go, widths[1], tag);
  return out;
}

std::string go_documents(const DocumentWriter& writer, const Schema& schema, const ModelCodeOptions& options) {
  std::string code;
  for (const DocumentType& type : writer.types())
    fmt::format_to(std::back_inserter(code), "\n// {0} is {1} of the schema {2}.\ntype {0} struct {{\n{3}}}\n",
                   type.name, type.name == writer.root() ? "a document" : "a part of a document",
                   comment_text(to_string(schema.ref)), go_fields(writer, type));
  fmt::format_to(std::back_inserter(code),
                 "\n// The schema of {0}.\nconst (\n\t{0}SchemaID      = {1}\n\t{0}SchemaVersion = {2}\n)\n",
                 writer.root(), go_literal(schema.ref.id), go_literal(schema.ref.version));
  std::string imports;
  if (code.find(writer.root() + "Float") != std::string::npos) {
    imports = "\nimport (\n\t\"strconv\"\n\t\"strings\"\n)\n";
    fmt::format_to(std::back_inserter(code),
                   "\n// {0}Float is written as a float also when it is whole: 30.0, which a schema tells from 30.\n"
                   "type {0}Float float64\n\n// MarshalJSON writes the number.\n"
                   "func (f {0}Float) MarshalJSON() ([]byte, error) {{\n"
                   "\ttext := strconv.FormatFloat(float64(f), 'f', -1, 64)\n\tif !strings.Contains(text, \".\") {{\n"
                   "\t\ttext += \".0\"\n\t}}\n\treturn []byte(text), nil\n}}\n",
                   writer.root());
  }
  return fmt::format(
      "// Code generated by dolmen schema generate --lang go from {}; DO NOT EDIT.\n// Source: sha256 {}\n\npackage "
      "{}\n{}{}",
      comment_text(options.source.file_name), options.source.sha256,
      options.namespace_name.empty() ? "documents" : options.namespace_name, imports, code);
}

bool has_nul(const std::vector<SchemaField>& fields) {
  return std::ranges::any_of(fields, [](const SchemaField& field) {
    const SchemaType* type = &field.type;
    while (type->type == FieldType::kArray) type = &type->element.front();
    return field.name.find('\0') != std::string::npos || has_nul(type->fields);
  });
}

}  // namespace

Result<std::string> generate_documents(Language language, const Schema& schema, const ModelCodeOptions& options) {
  if (has_nul(schema.fields))
    return fail(Code::kInvalidArgument, "a name in {} contains a NUL character, which code cannot have",
                options.source.file_name);
  const DocumentWriter writer(language, schema);
  switch (language) {
    case Language::kCpp:
      if (!options.namespace_name.empty() && !is_cpp_namespace(options.namespace_name))
        return fail(Code::kInvalidArgument, "\"{}\" is not the name of a C++ namespace", options.namespace_name);
      return cpp_documents(writer, schema, options);
    case Language::kTypeScript: return typescript_documents(writer, schema, options);
    case Language::kGo: return go_documents(writer, schema, options);
    case Language::kPython: break;
  }
  return python_documents(writer, schema, options);
}

}  // namespace dolmen::generate
