#include "upkeep/drift_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "base/ascii.h"
#include "base/fail.h"
#include "contract/model_violations.h"
#include "contract/shown.h"
#include "dolmen/model/logical_value.h"
#include "model/attribute_codec.h"
#include "model/types.h"
#include "upkeep/repair.h"

namespace dolmen::upkeep {
namespace {

constexpr std::size_t kShownTextBytes = 40;
/// A time to live before 1973 was rather meant as a length of time.
constexpr std::int64_t kFirstMoment = 100'000'000;

std::string in_short(const AttributeValue& value) {
  const std::string* text = value.get_if<std::string>();
  if (text != nullptr && text->size() > kShownTextBytes) return fmt::format("a text of {} bytes", text->size());
  return contract::shown_value(&value);
}

/// The name without what tells spellings apart: "Nick_Name" is "nickname".
std::string bare(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_' && c != '-' && c != ' ' && c != '.') letters.push_back(ascii_lower(c));
  return letters;
}

/// Everything that is wrong with one item of a model.
class ItemCheck {
 public:
  ItemCheck(const Model& model, const Item& item, const DriftOptions& options)
      : model_(model), item_(item), options_(options) {}

  Result<std::vector<Finding>> run(const std::vector<std::string>& ignored) {
    for (const ErrorDetail& violation : contract::model_violations(model_, item_, ignored)) refine(violation);
    for (const ModelAttribute& attribute : model_.attributes) {
      if (std::ranges::find(findings_, attribute.name, &Finding::path) != findings_.end()) continue;
      const AttributeValue* value = item_.find(attribute.name);
      if (value == nullptr)
        check_missing(attribute);
      else if (attribute.encrypted)
        DOLMEN_TRY_VOID(check_envelope(attribute, *value));
      else
        check_value(attribute, *value);
    }
    std::ranges::sort(findings_, [](const Finding& a, const Finding& b) {
      return std::tie(a.path, a.rule) < std::tie(b.path, b.rule);
    });
    for (Finding& finding : findings_)
      if (!may_change(finding.path)) finding.mend = Mend::kNothing;
    return std::move(findings_);
  }

 private:
  void add(Finding finding) { findings_.push_back(std::move(finding)); }

  /// Adds what can be mended when there is a value, and what cannot when there is none.
  void add_with(std::string rule, const std::string& path, std::string message, std::optional<AttributeValue> mended) {
    const Mend mend = mended ? Mend::kSet : Mend::kNothing;
    add({.rule = std::move(rule),
         .path = path,
         .message = std::move(message),
         .mend = mend,
         .mended = std::move(mended)});
  }

  /// Keys cannot be changed, and write policies protect the rest.
  [[nodiscard]] bool may_change(const std::string& name) const {
    const auto& kept = model_.write_policy.protected_attributes;
    return !model_.is_key(name) && model_.write_policy.mode != WriteMode::kWriteOnce &&
           std::ranges::find(kept, name) == kept.end();
  }

  // ---- What the contract refuses, told more closely ----

  void refine(const ErrorDetail& violation) {
    const ModelAttribute* attribute = model_.find(violation.path);
    const AttributeValue* value = item_.find(violation.path);
    if (attribute == nullptr) return refine_undeclared(violation.path, *value);
    if (value == nullptr) return add({.rule = "required", .path = violation.path, .message = "missing"});
    if (violation.rule == "encrypted") return refine_unencrypted(*attribute, *value);
    if (violation.rule == "type") return refine_type(*attribute, *value);
    if (violation.rule == "format") return refine_format(*attribute, *value);
    if (violation.rule == "json")
      return add({.rule = "json", .path = violation.path, .message = fmt::format("not JSON ({})", in_short(*value))});
    add({.rule = violation.rule, .path = violation.path, .message = "NULL where a value is needed"});
  }

  void refine_undeclared(const std::string& name, const AttributeValue& value) {
    for (const ModelAttribute& attribute : model_.attributes)
      if (bare(attribute.name) == bare(name))
        return add(
            {.rule = "misnamed", .path = name, .message = fmt::format("the model calls it \"{}\"", attribute.name)});
    add({.rule = "undeclared", .path = name, .message = fmt::format("not in the model ({})", type_name(value.type()))});
  }

  void refine_unencrypted(const ModelAttribute& attribute, const AttributeValue& value) {
    const Item* map = value.get_if<Item>();
    if (map != nullptr && (map->contains("ct") || map->contains("edk")))
      return add({.rule = "envelope", .path = attribute.name, .message = "a damaged envelope"});
    const bool fits = value.type() == attribute.type || (attribute.json && value.type() == Type::kString) ||
                      (value.type() == Type::kNull && null_is_read(model_, attribute));
    add({.rule = "plaintext",
         .path = attribute.name,
         .message = fmt::format("{} that is not encrypted", type_name(value.type())),
         .mend = fits && options_.keys != nullptr ? Mend::kEncrypt : Mend::kNothing});
  }

  void refine_format(const ModelAttribute& attribute, const AttributeValue& value) {
    const std::string* text = value.get_if<std::string>();
    if (text == nullptr)
      return add({.rule = "fraction",
                  .path = attribute.name,
                  .message = fmt::format("not a whole number ({})", in_short(value))});
    const std::optional<Timestamp> time = read_loosely(*text);
    add_with("time", attribute.name, fmt::format("not RFC 3339 ({})", in_short(value)),
             time ? canonical_time(*time) : std::nullopt);
  }

  void refine_type(const ModelAttribute& attribute, const AttributeValue& value) {
    if (attribute.json) return refine_json(attribute, value);
    if (const AttributeValue::List* list = value.get_if<AttributeValue::List>(); list != nullptr) {
      if (is_set(attribute.type)) return refine_set(attribute, *list);
      if (attribute.type == Type::kBinary) {
        std::optional<AttributeValue> bytes = bytes_of_list(*list);
        if (bytes)
          return add_with("bytes_as_list", attribute.name, "bytes stored as a list of numbers", std::move(bytes));
      }
    }
    if (attribute.type == Type::kNumber && value.type() == Type::kString)
      return refine_number_text(attribute, value.string());
    if (attribute.format == AttributeFormat::kRfc3339Nano && value.type() == Type::kNumber) {
      if (const std::optional<Timestamp> time = moment_of(value.number()))
        return add_with(
            "time_as_number", attribute.name,
            fmt::format("a number of {} ({})", epoch_unit_name(*epoch_unit_of(value.number())), in_short(value)),
            canonical_time(*time));
    }
    if (attribute.type == Type::kBool) {
      if (std::optional<AttributeValue> boolean = boolean_of(value))
        return add_with("bool_form", attribute.name, fmt::format("{} for a BOOL", in_short(value)), std::move(boolean));
    }
    add({.rule = "type",
         .path = attribute.name,
         .message = fmt::format("{} where the model has {}", type_name(value.type()), type_name(attribute.type))});
  }

  void refine_json(const ModelAttribute& attribute, const AttributeValue& value) {
    std::optional<AttributeValue> text;
    if (is_json_text(attribute)) text = json_text_of(value);
    add_with(is_json_text(attribute) ? "json_as_value" : "type", attribute.name,
             is_json_text(attribute)
                 ? fmt::format("JSON stored as {}, not as its text", type_name(value.type()))
                 : fmt::format("{} where the model has {}", type_name(value.type()), type_name(attribute.type)),
             std::move(text));
  }

  void refine_set(const ModelAttribute& attribute, const AttributeValue::List& list) {
    std::string message = fmt::format("a list where the model has {}", type_name(attribute.type));
    if (!list.empty()) return add_with("set_as_list", attribute.name, std::move(message), set_of(attribute.type, list));
    if (attribute.omit_empty)
      return add({.rule = "set_as_list", .path = attribute.name, .message = std::move(message), .mend = Mend::kRemove});
    const bool null_fits = may_be_null(model_, attribute);
    add_with("set_as_list", attribute.name, std::move(message),
             null_fits ? std::optional(AttributeValue(nullptr)) : std::nullopt);
  }

  void refine_number_text(const ModelAttribute& attribute, const std::string& text) {
    const Result<Number> number = Number::parse(text);
    const AttributeValue value(text);
    if (number && !holds_seconds(attribute)) {
      std::optional<AttributeValue> mended(*number);
      if (format_breach(attribute, *mended)) mended.reset();
      return add_with("number_as_text", attribute.name, fmt::format("a number stored as text ({})", in_short(value)),
                      std::move(mended));
    }
    std::optional<Timestamp> time = number ? moment_of(*number) : read_loosely(text);
    if (time || number)
      return add_with("seconds_as_text", attribute.name, fmt::format("seconds stored as text ({})", in_short(value)),
                      time ? std::optional(AttributeValue(time->seconds)) : std::nullopt);
    add({.rule = "type", .path = attribute.name, .message = "S where the model has N"});
  }

  // ---- What the contract accepts, and is wrong nevertheless ----

  void check_missing(const ModelAttribute& attribute) {
    if (is_owned(attribute))
      add({.rule = "lifecycle", .path = attribute.name, .message = "missing, although every writer sets it"});
  }

  void check_value(const ModelAttribute& attribute, const AttributeValue& value) {
    if (const Number* number = value.get_if<Number>(); number != nullptr) {
      if (check_number(attribute, *number)) return;
    } else if (const std::string* text = value.get_if<std::string>(); text != nullptr) {
      if (attribute.format == AttributeFormat::kRfc3339Nano && check_time(attribute, *text)) return;
    }
    const bool is_kept = attribute.has_role(Role::kVersion) || is_owned_time(attribute) ||
                         model_.is_key(attribute.name) || model_.is_index_key(attribute.name) || attribute.required;
    if (options_.strict && attribute.omit_empty && !is_kept && is_empty(value))
      add({.rule = "empty", .path = attribute.name, .message = "stored although it is empty", .mend = Mend::kRemove});
  }

  /// Whether something was found.
  bool check_number(const ModelAttribute& attribute, const Number& number) {
    const AttributeValue value(number);
    if (holds_seconds(attribute)) {
      const std::optional<EpochUnit> unit = epoch_unit_of(number);
      if (unit && *unit != EpochUnit::kSeconds) {
        const std::optional<Timestamp> time = moment_of(number);
        add_with(std::string(epoch_unit_name(*unit)), attribute.name,
                 fmt::format("looks like {} ({})", epoch_unit_name(*unit), in_short(value)),
                 AttributeValue(time->seconds));
        return true;
      }
      if (attribute.has_role(Role::kTtl) && !unit && !number.is_zero()) {
        add({.rule = "seconds",
             .path = attribute.name,
             .message = number > Number(0) && number < Number(kFirstMoment)
                            ? fmt::format("looks like a length of time, not a moment ({})", in_short(value))
                            : fmt::format("not a moment in seconds ({})", in_short(value))});
        return true;
      }
    }
    const bool is_version = attribute.has_role(Role::kVersion);
    if ((is_version && number.is_negative()) ||
        ((is_version || attribute.format == AttributeFormat::kInt) && !number.to_int64())) {
      add({.rule = "range",
           .path = attribute.name,
           .message = fmt::format("{} ({})", is_version && number.is_negative() ? "negative" : "larger than 64 bits",
                                  in_short(value))});
      return true;
    }
    return false;
  }

  bool check_time(const ModelAttribute& attribute, const std::string& text) {
    const Result<Timestamp> time = parse_timestamp(text, TimestampSyntax::kGo);
    if (!time) return false;
    if (is_owned_time(attribute) && time->is_zero()) {
      add({.rule = "zero_time", .path = attribute.name, .message = "the zero time: it was never set"});
      return true;
    }
    if (!options_.strict) return false;
    std::optional<AttributeValue> canonical = canonical_time(*time);
    if (!canonical || *canonical == AttributeValue(text)) return false;
    add_with("time_form", attribute.name, fmt::format("not UTC with nine digits ({})", in_short(text)),
             std::move(canonical));
    return true;
  }

  Result<void> check_envelope(const ModelAttribute& attribute, const AttributeValue& value) {
    if (options_.keys == nullptr) return {};
    const Result<AttributeValue> plain =
        unseal(value, {.model = model_.name, .attribute = attribute.name}, *options_.keys);
    if (!plain && plain.error().code() != Code::kInvalidEncryptedEnvelope) return std::unexpected(plain.error());
    if (!plain) {
      add({.rule = "undecryptable", .path = attribute.name, .message = "cannot be decrypted with these keys"});
      return {};
    }
    const bool fits = plain->type() == attribute.type || (attribute.json && plain->type() == Type::kString) ||
                      (plain->type() == Type::kNull && null_is_read(model_, attribute));
    if (!fits)
      add({.rule = "encrypted_type",
           .path = attribute.name,
           .message =
               fmt::format("{} inside, where the model has {}", type_name(plain->type()), type_name(attribute.type))});
    return {};
  }

  const Model& model_;
  const Item& item_;
  const DriftOptions& options_;
  std::vector<Finding> findings_;
};

}  // namespace

Result<DriftRules> DriftRules::make(const contract::Definition& definition, const TableDefinition& table,
                                    const DriftOptions& options) {
  DOLMEN_TRY(std::shared_ptr<const contract::Rules> rules, contract::Rules::make(definition, table));
  return DriftRules(std::move(rules), options);
}

Result<DriftRules::Verdict> DriftRules::check(const Item& item) const {
  Verdict verdict{.model = rules_->model_of(item), .findings = {}};
  if (verdict.model == nullptr) {
    for (const ErrorDetail& violation : rules_->check({.item = &item}).violations)
      verdict.findings.push_back(
          {.rule = violation.rule, .path = violation.path, .message = "belongs to none of the models"});
    return verdict;
  }
  DOLMEN_TRY(verdict.findings, ItemCheck(*verdict.model, item, options_).run(rules_->ignored_by_models()));
  return verdict;
}

}  // namespace dolmen::upkeep
