#include "generate/cpp_models.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/fail.h"
#include "generate/cpp_text.h"
#include "generate/cpp_types.h"
#include "generate/member_shape.h"
#include "generate/model_parts.h"
#include "generate/names.h"

namespace dolmen::generate {

namespace {

constexpr std::size_t kLineWidth = 120;
/// What DOLMEN_RECORD takes.
constexpr std::size_t kMembersMax = 256;
constexpr std::string_view kGlobalNamespace = "::";

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

Result<void> check_member_count(const Model& model) {
  if (model.attributes.size() > kMembersMax)
    return fail(Code::kInvalidArgument, "model \"{}\" has {} attributes; a struct may have up to {}", model.name,
                model.attributes.size(), kMembersMax);
  return {};
}

// ---- The struct ----

struct Member {
  const ModelAttribute* attribute;
  std::string name;
  CppType type;
};

std::vector<Member> members_of(const Model& model) {
  CppScope scope;
  std::vector<Member> members;
  for (const ModelAttribute& attribute : model.attributes)
    members.push_back({&attribute, scope.take(snake_case(attribute.name, "attribute")), cpp_type(model, attribute)});
  return members;
}

/// How DOLMEN_RECORD names a member.
std::string record_element(const Member& member) {
  std::string more;
  if (member.name != member.attribute->name) more += ", " + cpp_literal(member.attribute->name);
  if (member.type.as_seconds) more += ", as_seconds";
  return more.empty() ? member.name : fmt::format("({}{})", member.name, more);
}

void add_struct(std::string& out, const Model& model, const std::string& name) {
  const std::vector<Member> members = members_of(model);
  append(out, "/// An item of the model {} in the table {}.\nstruct {} {{\n", cpp_literal(model.name),
         cpp_literal(model.table), name);
  for (const Member& member : members) {
    append(out, "  {} {}{};", member.type.name, member.name, member.type.initializer);
    if (const std::string text = member_remark(*member.attribute, true); !text.empty()) append(out, "  ///< {}", text);
    out.push_back('\n');
  }
  append(out, "\n  friend bool operator==(const {0}&, const {0}&) = default;\n}};\n", name);

  std::string line = fmt::format("DOLMEN_RECORD({}", name);
  for (const Member& member : members) {
    const std::string element = record_element(member);
    line.push_back(',');
    if (line.size() + element.size() + 3 > kLineWidth) {
      append(out, "{}\n", line);
      line = std::string(std::string_view("DOLMEN_RECORD").size(), ' ');
    }
    append(line, " {}", element);
  }
  append(out, "{});\n\n", line);
}

// ---- The model ----

std::string key_text(const KeyAttribute& key) {
  return fmt::format("dolmen::KeyAttribute{{{}, {}}}", cpp_literal(key.name), cpp_enumerator(key.type));
}

std::string map_text(const LogicalItem& map);

/// A value of a file as C++ says it. Types are written out, because braces alone could mean something else.
struct ValueText {
  std::string operator()(std::nullptr_t) const { return "nullptr"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const LogicalNumber& value) const {
    return fmt::format("dolmen::LogicalNumber{{{}}}", cpp_literal(value.text));
  }
  std::string operator()(const std::string& value) const { return cpp_literal(value); }
  // Files have neither bytes nor times.
  std::string operator()(const Bytes&) const { return "nullptr"; }
  std::string operator()(const Timestamp&) const { return "nullptr"; }
  std::string operator()(const LogicalValue::List& value) const {
    std::string out;
    for (const LogicalValue& element : value)
      append(out, "{}dolmen::LogicalValue({})", out.empty() ? "" : ", ", element.visit(*this));
    return fmt::format("dolmen::LogicalValue::List{{{}}}", out);
  }
  std::string operator()(const LogicalItem& value) const { return map_text(value); }
};

std::string map_text(const LogicalItem& map) {
  std::string out;
  for (const auto& [name, value] : map)
    append(out, "{}{{{}, dolmen::LogicalValue({})}}", out.empty() ? "" : ", ", cpp_literal(name),
           value.visit(ValueText{}));
  return fmt::format("dolmen::LogicalItem{{{}}}", out);
}

std::string attribute_text(const ModelAttribute& attribute) {
  std::string out =
      fmt::format("{{.name = {}, .type = {}", cpp_literal(attribute.name), cpp_enumerator(attribute.type));
  if (attribute.required) out += ", .required = true";
  if (attribute.optional) out += ", .optional = true";
  if (attribute.omit_empty) out += ", .omit_empty = true";
  std::string roles;
  for (const AttributeRole& role : attribute.roles) {
    append(roles, "{}{{.role = {}", roles.empty() ? "" : ", ", cpp_enumerator(role.role));
    if (!role.index.empty()) append(roles, ", .index = {}", cpp_literal(role.index));
    roles.push_back('}');
  }
  if (!roles.empty()) append(out, ", .roles = {{{}}}", roles);
  if (attribute.format != AttributeFormat::kNone) append(out, ", .format = {}", cpp_enumerator(attribute.format));
  if (attribute.dimensions != 0) append(out, ", .dimensions = {}", attribute.dimensions);
  if (attribute.json) out += ", .json = true";
  if (attribute.binary) out += ", .binary = true";
  if (attribute.encrypted) out += ", .encrypted = true";
  if (!attribute.encryption.empty()) append(out, ", .encryption = {}", map_text(attribute.encryption));
  if (!attribute.tags.empty()) append(out, ", .tags = {}", map_text(attribute.tags));
  return out + "}";
}

std::string literals(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) append(out, "{}{}", out.empty() ? "" : ", ", cpp_literal(text));
  return out;
}

/// Of an index of either kind.
std::string projection_part(const auto& index) {
  std::string out = fmt::format(", .projection = {}", cpp_enumerator(index.projection));
  // Two literals alone in braces could be taken for the ends of a range.
  if (!index.included_attributes.empty())
    append(out, ", .included_attributes = std::vector<std::string>({{{}}})", literals(index.included_attributes));
  return out;
}

std::string index_text(const ModelIndex& index) {
  std::string out = fmt::format("{{.name = {}, .type = {}, .partition_key = {}", cpp_literal(index.name),
                                cpp_enumerator(index.type), key_text(index.partition_key));
  if (index.sort_key) append(out, ", .sort_key = {}", key_text(*index.sort_key));
  return out + projection_part(index) + "}";
}

std::string vector_index_text(const ModelVectorIndex& index) {
  std::string out = fmt::format("{{.name = {}, .attribute = {}, .distance = {}", cpp_literal(index.name),
                                cpp_literal(index.attribute), cpp_enumerator(index.distance));
  std::string search;
  for (const SearchAttribute& one : index.search)
    append(search, "{}dolmen::SearchAttribute{{{}, {}, {}}}", search.empty() ? "" : ", ", cpp_literal(one.name),
           cpp_enumerator(one.type), cpp_enumerator(one.role));
  if (!search.empty()) append(out, ", .search = {{{}}}", search);
  return out + projection_part(index) + "}";
}

void add_model(std::string& out, const Model& model, const GeneratedModel& names) {
  append(out, "/// The model of {}.\ninline const dolmen::Model& {}() {{\n  static const dolmen::Model model{{\n",
         names.type_name, names.rules_name);
  append(out, "      .name = {},\n      .table = {},\n", cpp_literal(model.name), cpp_literal(model.table));
  append(out, "      .naming = {},\n", cpp_enumerator(model.naming));
  append(out, "      .partition_key = {},\n", key_text(model.partition_key));
  if (model.sort_key) append(out, "      .sort_key = {},\n", key_text(*model.sort_key));
  append(out, "      .attributes = {{\n");
  for (const ModelAttribute& attribute : model.attributes) append(out, "          {},\n", attribute_text(attribute));
  append(out, "      }},\n");
  if (!model.indexes.empty()) {
    append(out, "      .indexes = {{\n");
    for (const ModelIndex& index : model.indexes) append(out, "          {},\n", index_text(index));
    append(out, "      }},\n");
  }
  if (!model.vector_indexes.empty()) {
    append(out, "      .vector_indexes = {{\n");
    for (const ModelVectorIndex& index : model.vector_indexes) append(out, "          {},\n", vector_index_text(index));
    append(out, "      }},\n");
  }
  if (model.write_policy != WritePolicy{})
    append(out, "      .write_policy = {{.mode = {}, .protected_attributes = std::vector<std::string>({{{}}})}},\n",
           cpp_enumerator(model.write_policy.mode), literals(model.write_policy.protected_attributes));
  if (model.dms_version != DmsVersion::k0_1)
    append(out, "      .dms_version = {},\n", cpp_enumerator(model.dms_version));
  append(out, "  }};\n  return model;\n}}\n\n");
}

// ---- Keys and indexes ----

std::string_view key_parameter(MemberKind kind) {
  switch (kind) {
    case MemberKind::kNumber: return "dolmen::Number";
    case MemberKind::kInteger:
    case MemberKind::kVersion:
    case MemberKind::kSeconds: return "std::int64_t";
    case MemberKind::kBytes: return "dolmen::Bytes";
    default: return "std::string";
  }
}

/// A function that takes the parts of a key with their types, so that a wrong one does not compile.
void add_key(std::string& out, const Model& model, const GeneratedModel& names, CppScope& scope) {
  std::string parameters;
  std::string values;
  for (const Member& member : members_of(model)) {
    if (!model.is_key(member.attribute->name)) continue;
    const bool is_sort = member.attribute->name != model.partition_key.name;
    const std::string parameter =
        fmt::format("const {}& {}", key_parameter(member_shape(model, *member.attribute).kind), member.name);
    const std::string value =
        fmt::format(".{} = dolmen::LogicalValue({})", is_sort ? "sort" : "partition", member.name);
    // The partition key comes first, wherever the model has it.
    parameters = is_sort && !parameters.empty() ? parameters + ", " + parameter
                 : parameters.empty()           ? parameter
                                                : parameter + ", " + parameters;
    values = is_sort && !values.empty() ? values + ", " + value : values.empty() ? value : value + ", " + values;
  }
  append(out, "/// The key of a {}.\ninline dolmen::ModelKey {}({}) {{\n  return {{{}}};\n}}\n\n", names.type_name,
         scope.take(snake_case(names.rules_name + "_key", "model")), parameters, values);
}

void add_index_names(std::string& out, const Model& model, const GeneratedModel& names, CppScope& scope) {
  const auto add = [&](std::string_view what, const std::string& index) {
    append(out, "/// {} of {}.\ninline constexpr const char* {} = {};\n\n", what, names.type_name,
           scope.take(snake_case(fmt::format("{}_index_{}", names.rules_name, index), "index")), cpp_literal(index));
  };
  for (const ModelIndex& index : model.indexes) add("An index", index.name);
  for (const ModelVectorIndex& index : model.vector_indexes) add("A vector index", index.name);
}

// ---- The header ----

/// What stands above the code: where it comes from, and the headers that it needs.
std::string head(const ModelCodeOptions& options, std::string_view code) {
  std::string out = fmt::format("// Generated from {}; edit that file, not this.\n// clang-format off\n",
                                cpp_comment(options.source.file_name));
  append(out, "// By: dolmen model generate --lang cpp{}{}\n// Source: sha256 {}\n#pragma once\n\n",
         options.namespace_name.empty() ? "" : " --namespace ", options.namespace_name, options.source.sha256);
  constexpr auto kHeaders = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"array", "std::array<"},
      {"chrono", "std::chrono::"},
      {"cstdint", "std::int64_t"},
      {"optional", "std::optional<"},
      {"set", "std::set<"},
      {"string", "std::string"},
      {"variant", "std::monostate"},
      {"vector", "std::vector<"},
  });
  bool any = false;
  for (const auto& [name, use] : kHeaders) {
    if (code.find(use) == std::string_view::npos) continue;
    append(out, "#include <{}>\n", name);
    any = true;
  }
  append(out, "{}#include <dolmen/model/model.h>\n#include <dolmen/model/table.h>\n\n", any ? "\n" : "");
  return out;
}

/// "acme.payments" is acme::payments.
std::string namespace_of(const ModelSet& set, const ModelCodeOptions& options) {
  if (!options.namespace_name.empty()) return options.namespace_name == kGlobalNamespace ? "" : options.namespace_name;
  std::string out;
  std::string_view rest = set.namespace_name;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    append(out, "{}{}", out.empty() ? "" : "::", CppScope().take(snake_case(part, "part")));
  }
  return out;
}

}  // namespace

Result<GeneratedCode> generate_cpp_models(const ModelSet& set, const ModelCodeOptions& options) {
  const std::string space = namespace_of(set, options);
  if (!space.empty() && !is_cpp_namespace(space))
    return fail(Code::kInvalidArgument, "\"{}\" is not the name of a C++ namespace", space);
  GeneratedCode header;
  CppScope structs;
  CppScope functions;
  for (const Model& model : set.models) {
    DOLMEN_TRY_VOID(check_member_count(model));
    header.models.push_back({.model = model.name,
                             .type_name = structs.take(pascal_case(model.name, "model")),
                             .rules_name = functions.take(snake_case(model.name, "model"))});
  }

  std::string code;
  for (std::size_t i = 0; i < set.models.size(); ++i) add_struct(code, set.models[i], header.models[i].type_name);
  append(code, "namespace models {{\n\n");
  for (std::size_t i = 0; i < set.models.size(); ++i) {
    add_model(code, set.models[i], header.models[i]);
    add_key(code, set.models[i], header.models[i], functions);
    add_index_names(code, set.models[i], header.models[i], functions);
  }
  append(code, "}}  // namespace models\n");
  if (!space.empty()) code = fmt::format("namespace {0} {{\n\n{1}\n}}  // namespace {0}\n", space, code);
  header.text = head(options, code) + code;
  return header;
}

}  // namespace dolmen::generate
