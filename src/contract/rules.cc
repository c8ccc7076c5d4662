#include "contract/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "base/fail.h"
#include "contract/model_violations.h"
#include "contract/shown.h"

namespace dolmen::contract {
namespace {

constexpr std::size_t kViolationsInMessage = 25;

bool has_prefix(const Item& item, const std::string& attribute, const std::string& prefix) {
  const AttributeValue* value = item.find(attribute);
  if (value == nullptr) return false;
  if (const std::string* text = value->get_if<std::string>()) return text->starts_with(prefix);
  const Bytes* bytes = value->get_if<Bytes>();
  return bytes != nullptr && bytes->view().starts_with(prefix);
}

/// Whether nothing tells items of the kind from others.
bool is_any(const Kind& kind) { return kind.partition_prefix.empty() && kind.sort_prefix.empty() && !kind.value; }

/// Whether every item that matches `narrow` also matches `wide`.
bool covers(const Kind& wide, const Kind& narrow) {
  return narrow.partition_prefix.starts_with(wide.partition_prefix) &&
         narrow.sort_prefix.starts_with(wide.sort_prefix) && (!wide.value || wide.value == narrow.value);
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
          return fail(Code::kInvalidModel, "{}: another file declares the model {} too; give each model one name",
                      file.name, model.name);
        parsed.models.push_back(std::move(model));
      }
    }
    for (const std::string& text : definition.schemas) {
      DOLMEN_TRY(parsed.schemas.emplace_back(), parse_schema(text));
    }
    return parsed;
  }

  /// A kind for each model and schema.
  [[nodiscard]] std::vector<Kind> kinds() const {
    std::vector<Kind> all;
    for (const Model& model : models) all.emplace_back().model = model.name;
    for (const Schema& schema : schemas) all.emplace_back().schema = schema.ref;
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
  std::vector<Kind> kinds = definition.kinds.empty() ? parsed.kinds() : definition.kinds;
  if (kinds.empty()) return fail(Code::kQueryInvalid, "a contract needs at least one model or schema");
  for (Kind& kind : kinds) {
    if (is_any(kind) && !definition.discriminator.empty())
      kind.value = kind.model.empty() ? kind.schema.id : kind.model;
    DOLMEN_TRY_VOID(rules->add(parsed, std::move(kind)));
  }
  DOLMEN_TRY_VOID(rules->check_kinds());
  return rules;
}

Result<void> Rules::check_kinds() const {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_.size() > 1 && is_any(kinds_[i].kind))
      return fail(
          Code::kQueryInvalid,
          "nothing distinguishes the items of {} from those of the other models and schemas of the contract; give a "
          "discriminator or a key prefix, or name the one model to bind",
          kinds_[i].name);
    for (std::size_t j = 0; j < i; ++j)
      if (covers(kinds_[j].kind, kinds_[i].kind))
        return fail(Code::kQueryInvalid,
                    "no item would ever match {}, because {} comes first and matches all of them; put the longer "
                    "prefix first",
                    kinds_[i].name, kinds_[j].name);
  }
  return {};
}

Result<void> Rules::add(const Parsed& parsed, Kind kind) {
  CompiledKind compiled{.name = {}, .kind = {}, .model = {}, .schema = {}};
  if (!kind.model.empty()) {
    const auto found = std::ranges::find(parsed.models, kind.model, &Model::name);
    if (found == parsed.models.end())
      return fail(Code::kQueryInvalid, "the model {} is not among the models given", kind.model);
    compiled.name = "model " + kind.model;
    compiled.model = *found;
    needs_old_item_ =
        needs_old_item_ || found->with_role(Role::kVersion) != nullptr || found->write_policy != WritePolicy{};
    guards_deletes_ = guards_deletes_ || found->write_policy.mode == WriteMode::kWriteOnce;
  } else {
    const auto found = std::ranges::find(parsed.schemas, kind.schema, &Schema::ref);
    if (found == parsed.schemas.end())
      return fail(Code::kQueryInvalid, "the schema {} is not among the schemas given", to_string(kind.schema));
    compiled.name = "schema " + to_string(kind.schema);
    compiled.schema = *found;
  }
  compiled.kind = std::move(kind);
  DOLMEN_TRY_VOID(check_keys(compiled));
  kinds_.push_back(std::move(compiled));
  return {};
}

Result<void> Rules::check_keys(const CompiledKind& kind) const {
  if (kind.model && (kind.model->partition_key != partition_key_ || kind.model->sort_key != sort_key_))
    return fail(Code::kInvalidModel,
                "the keys of {} are not those of the table; \"dolmen model diff\" shows the differences", kind.name);
  if (!kind.kind.partition_prefix.empty() && partition_key_.type == KeyType::kNumber)
    return fail(Code::kQueryInvalid, "{}: a partition key that is a number cannot have a prefix", kind.name);
  if (!kind.kind.sort_prefix.empty() && (!sort_key_ || sort_key_->type == KeyType::kNumber))
    return fail(Code::kQueryInvalid, "{}: the table has no sort key, so it cannot have a sort prefix", kind.name);
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

const Model* Rules::model_of(const Item& item) const {
  const CompiledKind* kind = kind_of(item);
  return kind != nullptr && kind->model ? &*kind->model : nullptr;
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
  std::string found = key_of(item);
  if (!discriminator_.empty()) found += fmt::format(", {} {}", discriminator_, shown_value(item.find(discriminator_)));
  return {discriminator_.empty() ? partition_key_.name : discriminator_, "kind",
          fmt::format("expected {}, found {}", fmt::join(expected, ", or "), found)};
}

std::string Rules::key_of(const Item& item) const {
  std::string key = fmt::format("{} {}", partition_key_.name, shown_value(item.find(partition_key_.name)));
  if (sort_key_) key += fmt::format(", {} {}", sort_key_->name, shown_value(item.find(sort_key_->name)));
  return key;
}

std::vector<ErrorDetail> Rules::violations(const CompiledKind& kind, const ItemChange& change) const {
  if (kind.schema) return item_violations(*kind.schema, *change.item, ignored_by_schemas_);
  std::vector<ErrorDetail> all = model_violations(*kind.model, *change.item, ignored_by_models_);
  const ModelAttribute* version = kind.model->with_role(Role::kVersion);
  if (change.old == nullptr || version == nullptr) return all;
  // An update that does not name the version says nothing about it.
  if (!change.replaces && std::ranges::find(change.updated, version->name) == change.updated.end()) return all;
  std::ranges::move(version_violations(*kind.model, *change.old, *change.item, change.replaces),
                    std::back_inserter(all));
  std::ranges::sort(all, [](const ErrorDetail& a, const ErrorDetail& b) {
    return std::tie(a.path, a.rule) < std::tie(b.path, b.rule);
  });
  return all;
}

std::optional<Rules::Verdict> Rules::policy_verdict(const ItemChange& change) const {
  const CompiledKind* kind = change.old == nullptr ? nullptr : kind_of(*change.old);
  if (kind == nullptr || !kind->model) return std::nullopt;
  std::vector<ErrorDetail> broken = policy_violations(*kind->model, *change.old, change.item);
  if (broken.empty()) return std::nullopt;
  return Verdict{.kind = kind->name, .key = key_of(*change.old), .violations = std::move(broken)};
}

Rules::Verdict Rules::check(const ItemChange& change) const {
  if (std::optional<Verdict> verdict = policy_verdict(change)) return *std::move(verdict);
  if (change.item == nullptr) return {};
  const CompiledKind* kind = kind_of(*change.item);
  Verdict verdict;
  if (kind == nullptr)
    verdict.violations = {no_kind(*change.item)};
  else
    verdict.violations = violations(*kind, change);
  if (verdict.violations.empty()) return verdict;
  if (kind != nullptr) verdict.kind = kind->name;
  verdict.key = key_of(*change.item);
  return verdict;
}

std::vector<std::string> Rules::kind_names() const {
  std::vector<std::string> names;
  for (const CompiledKind& kind : kinds_) names.push_back(kind.name);
  return names;
}

Error refusal(const std::string& table, const std::string& version, Rules::Verdict verdict) {
  std::string message =
      fmt::format("One or more parameter values were invalid: the item with {} breaks the contract {} of table {}",
                  verdict.key, version, table);
  if (!verdict.kind.empty()) message += fmt::format(", {}", verdict.kind);
  const std::size_t count = std::min(verdict.violations.size(), kViolationsInMessage);
  for (std::size_t i = 0; i < count; ++i) {
    const ErrorDetail& detail = verdict.violations[i];
    message += fmt::format("{} {} ({}): {}", i == 0 ? ":" : ";", shown_name(detail.path), detail.rule, detail.message);
  }
  if (verdict.violations.size() > count) message += fmt::format("; and {} more", verdict.violations.size() - count);
  return {Code::kValidation, std::move(message), std::move(verdict.violations)};
}

}  // namespace dolmen::contract
