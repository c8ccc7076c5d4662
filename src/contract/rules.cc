#include "contract/rules.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "contract/model_violations.h"

namespace dolmen::contract {
namespace {

constexpr std::size_t kViolationsInMessage = 5;

bool has_prefix(const Item& item, const std::string& attribute, const std::string& prefix) {
  const AttributeValue* value = item.find(attribute);
  if (value == nullptr) return false;
  if (const std::string* text = value->get_if<std::string>()) return text->starts_with(prefix);
  const Bytes* bytes = value->get_if<Bytes>();
  return bytes != nullptr && bytes->view().starts_with(prefix);
}

std::string shown(const AttributeValue* value) {
  if (value == nullptr) return "nothing";
  const std::string* text = value->get_if<std::string>();
  if (text == nullptr) return std::string(type_name(value->type()));
  return shown_text(*text);
}

}  // namespace

struct Rules::Parsed {
  std::vector<Model> models;
  std::vector<Schema> schemas;

  static Result<Parsed> read(const Definition& definition) {
    Parsed parsed;
    for (const ModelFile& file : definition.models) {
      DOLMEN_TRY(ModelSet set, parse_models(file.text, file.name));
      for (Model& model : set.models) {
        if (std::ranges::find(parsed.models, model.name, &Model::name) != parsed.models.end())
          return fail(Code::kInvalidModel, "{}: there is another model {}", file.name, model.name);
        parsed.models.push_back(std::move(model));
      }
    }
    for (const std::string& text : definition.schemas) {
      DOLMEN_TRY(parsed.schemas.emplace_back(), parse_schema(text));
    }
    return parsed;
  }

  /// A kind for each model and schema.
  [[nodiscard]] std::vector<Kind> kinds(bool by_name) const {
    std::vector<Kind> all;
    for (const Model& model : models) {
      Kind& kind = all.emplace_back();
      kind.model = model.name;
      if (by_name) kind.value = model.name;
    }
    for (const Schema& schema : schemas) {
      Kind& kind = all.emplace_back();
      kind.schema = schema.ref;
      if (by_name) kind.value = schema.ref.id;
    }
    return all;
  }
};

Result<std::shared_ptr<const Rules>> Rules::make(const Definition& definition, const TableDefinition& table) {
  auto rules = std::make_shared<Rules>();
  DOLMEN_TRY(const Parsed parsed, Parsed::read(definition));
  rules->partition_key_ = table.partition_key;
  rules->sort_key_ = table.sort_key;
  rules->discriminator_ = definition.discriminator;
  rules->ignored_by_schemas_ = {table.partition_key.name};
  if (table.sort_key) rules->ignored_by_schemas_.push_back(table.sort_key->name);
  if (!definition.discriminator.empty()) {
    rules->ignored_by_schemas_.push_back(definition.discriminator);
    rules->ignored_by_models_ = {definition.discriminator};
  }
  const std::vector<Kind> kinds =
      definition.kinds.empty() ? parsed.kinds(!definition.discriminator.empty()) : definition.kinds;
  if (kinds.empty()) return fail(Code::kQueryInvalid, "a contract needs at least one model or schema");
  for (const Kind& kind : kinds) DOLMEN_TRY_VOID(rules->add(parsed, kind));
  if (definition.kinds.empty() && kinds.size() > 1 && definition.discriminator.empty())
    return fail(
        Code::kQueryInvalid,
        "the contract has {} models and schemas; say by a discriminator, or by kinds with prefixes of keys, how "
        "their items are told apart, or name the one that is meant",
        kinds.size());
  return rules;
}

Result<void> Rules::add(const Parsed& parsed, const Kind& kind) {
  CompiledKind compiled{.name = {}, .kind = kind, .model = {}, .schema = {}};
  if (!kind.model.empty()) {
    const auto found = std::ranges::find(parsed.models, kind.model, &Model::name);
    if (found == parsed.models.end()) return fail(Code::kQueryInvalid, "no model {} is given", kind.model);
    compiled.name = "model " + kind.model;
    compiled.model = *found;
    has_version_ = has_version_ || found->with_role(Role::kVersion) != nullptr;
  } else {
    const auto found = std::ranges::find(parsed.schemas, kind.schema, &Schema::ref);
    if (found == parsed.schemas.end())
      return fail(Code::kQueryInvalid, "no schema {} is given", to_string(kind.schema));
    compiled.name = "schema " + to_string(kind.schema);
    compiled.schema = *found;
  }
  DOLMEN_TRY_VOID(check_keys(compiled));
  kinds_.push_back(std::move(compiled));
  return {};
}

Result<void> Rules::check_keys(const CompiledKind& kind) const {
  if (kind.model && (kind.model->partition_key != partition_key_ || kind.model->sort_key != sort_key_))
    return fail(Code::kInvalidModel, "the keys of {} are not those of the table; `dolmen model diff` says more",
                kind.name);
  if (!kind.kind.partition_prefix.empty() && partition_key_.type == KeyType::kNumber)
    return fail(Code::kQueryInvalid, "{}: a number as partition key has no prefix", kind.name);
  if (!kind.kind.sort_prefix.empty() && (!sort_key_ || sort_key_->type == KeyType::kNumber))
    return fail(Code::kQueryInvalid, "{}: the table has no sort key that could have a prefix", kind.name);
  if (kind.kind.value && discriminator_.empty())
    return fail(Code::kQueryInvalid, "{}: a value needs a discriminator, the attribute that holds it", kind.name);
  return {};
}

bool Rules::matches(const CompiledKind& kind, const Item& item) const {
  const Kind& how = kind.kind;
  if (!how.partition_prefix.empty() && !has_prefix(item, partition_key_.name, how.partition_prefix)) return false;
  if (!how.sort_prefix.empty() && !has_prefix(item, sort_key_->name, how.sort_prefix)) return false;
  if (!how.value) return true;
  const AttributeValue* value = item.find(discriminator_);
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text != nullptr && *text == *how.value;
}

const Rules::CompiledKind* Rules::kind_of(const Item& item) const {
  const auto found = std::ranges::find_if(kinds_, [&](const CompiledKind& kind) { return matches(kind, item); });
  return found == kinds_.end() ? nullptr : &*found;
}

ErrorDetail Rules::no_kind(const Item& item) const {
  std::vector<std::string> expected;
  for (const CompiledKind& kind : kinds_) {
    std::vector<std::string> parts;
    if (!kind.kind.partition_prefix.empty())
      parts.push_back(fmt::format("{} beginning with \"{}\"", partition_key_.name, kind.kind.partition_prefix));
    if (!kind.kind.sort_prefix.empty())
      parts.push_back(fmt::format("{} beginning with \"{}\"", sort_key_->name, kind.kind.sort_prefix));
    if (kind.kind.value) parts.push_back(fmt::format("{} \"{}\"", discriminator_, *kind.kind.value));
    expected.push_back(fmt::format("{} for {}", fmt::join(parts, " and "), kind.name));
  }
  std::string found = fmt::format("{} {}", partition_key_.name, shown(item.find(partition_key_.name)));
  if (sort_key_) found += fmt::format(", {} {}", sort_key_->name, shown(item.find(sort_key_->name)));
  if (!discriminator_.empty()) found += fmt::format(", {} {}", discriminator_, shown(item.find(discriminator_)));
  return {discriminator_.empty() ? partition_key_.name : discriminator_, "kind",
          fmt::format("expected {}, found {}", fmt::join(expected, ", or "), found)};
}

Rules::Verdict Rules::check(const Item* old, const Item& item, bool replaces) const {
  const CompiledKind* kind = kind_of(item);
  if (kind == nullptr) return {.kind = "", .violations = {no_kind(item)}};
  Verdict verdict{.kind = kind->name, .violations = {}};
  if (kind->schema) {
    verdict.violations = item_violations(*kind->schema, item, ignored_by_schemas_);
    return verdict;
  }
  verdict.violations = model_violations(*kind->model, item, ignored_by_models_);
  if (old != nullptr)
    std::ranges::move(version_violations(*kind->model, *old, item, replaces), std::back_inserter(verdict.violations));
  return verdict;
}

std::vector<std::string> Rules::kind_names() const {
  std::vector<std::string> names;
  for (const CompiledKind& kind : kinds_) names.push_back(kind.name);
  return names;
}

Error refusal(const std::string& table, const std::string& version, Rules::Verdict verdict) {
  std::string message = fmt::format(
      "One or more parameter values were invalid: the item breaks the contract {} of table {}", version, table);
  if (!verdict.kind.empty()) message += fmt::format(", {}", verdict.kind);
  const std::size_t count = std::min(verdict.violations.size(), kViolationsInMessage);
  for (std::size_t i = 0; i < count; ++i) {
    const ErrorDetail& detail = verdict.violations[i];
    message += fmt::format("{} {} ({}): {}", i == 0 ? ":" : ";", detail.path, detail.rule, detail.message);
  }
  if (verdict.violations.size() > count) message += fmt::format("; and {} more", verdict.violations.size() - count);
  return {Code::kValidation, std::move(message), std::move(verdict.violations)};
}

}  // namespace dolmen::contract
