#include <algorithm>
#include <array>

#include "base/fail.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/item.h"
#include "model/field_place.h"
#include "model/types.h"

namespace dolmen {

namespace {

constexpr std::size_t kInValuesMax = 100;

struct OperatorName {
  std::string_view text;
  Operator op;
};

constexpr auto kOperatorNames = std::to_array<OperatorName>({
    {"=", Operator::kEqual},
    {"EQ", Operator::kEqual},
    {"!=", Operator::kNotEqual},
    {"<>", Operator::kNotEqual},
    {"NE", Operator::kNotEqual},
    {"<", Operator::kLess},
    {"LT", Operator::kLess},
    {"<=", Operator::kLessOrEqual},
    {"LE", Operator::kLessOrEqual},
    {">", Operator::kGreater},
    {"GT", Operator::kGreater},
    {">=", Operator::kGreaterOrEqual},
    {"GE", Operator::kGreaterOrEqual},
    {"BETWEEN", Operator::kBetween},
    {"IN", Operator::kIn},
    {"BEGINS_WITH", Operator::kBeginsWith},
    {"CONTAINS", Operator::kContains},
    {"EXISTS", Operator::kExists},
    {"ATTRIBUTE_EXISTS", Operator::kExists},
    {"NOT_EXISTS", Operator::kNotExists},
    {"ATTRIBUTE_NOT_EXISTS", Operator::kNotExists},
});

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// The attribute that a part of this one would be: a member of a set, a piece of a text.
ModelAttribute part_of(const ModelAttribute& attribute) {
  ModelAttribute part{.name = attribute.name, .type = attribute.type};
  if (attribute.type == Type::kStringSet) part.type = Type::kString;
  if (attribute.type == Type::kNumberSet) part.type = Type::kNumber;
  if (attribute.type == Type::kBinarySet) part.type = Type::kBinary;
  return part;
}

class Compiler {
 public:
  Compiler(const Model& model, const EncodeOptions& options) : model_(model), options_(options) {}

  Result<Condition> compile(const FieldCondition& condition) const {
    switch (condition.kind()) {
      case FieldCondition::Kind::kEmpty: return Condition();
      case FieldCondition::Kind::kCompare: return compare(condition);
      case FieldCondition::Kind::kMistake: return fail(Code::kInvalidModel, "{}", condition.field());
      case FieldCondition::Kind::kNot: {
        DOLMEN_TRY(Condition part, compile(condition.parts().front()));
        return !std::move(part);
      }
      case FieldCondition::Kind::kAnd:
      case FieldCondition::Kind::kOr: break;
    }
    Condition all;
    for (const FieldCondition& part : condition.parts()) {
      DOLMEN_TRY(Condition compiled, compile(part));
      all = condition.kind() == FieldCondition::Kind::kAnd ? std::move(all) && std::move(compiled)
                                                           : std::move(all) || std::move(compiled);
    }
    return all;
  }

 private:
  Result<Condition> compare(const FieldCondition& condition) const {
    DOLMEN_TRY(const FieldPlace place, place_of(model_, condition.field()));
    if (place.attribute->encrypted)
      return fail(Code::kEncryptedFieldNotQueryable, "attribute \"{}\" is encrypted and cannot be used in a condition",
                  place.attribute->name);
    DOLMEN_TRY_VOID(check_values(condition));
    std::vector<AttributeValue> values;
    for (const LogicalValue& value : condition.values()) {
      DOLMEN_TRY(values.emplace_back(), place.is_part()
                                            ? encode_part(model_, *place.attribute, value, options_.timestamp_form)
                                            : encode(*place.attribute, condition.op(), value));
    }
    return build(place.path(), condition.op(), std::move(values));
  }

  static Result<void> check_values(const FieldCondition& condition) {
    const std::size_t count = condition.values().size();
    switch (condition.op()) {
      case Operator::kExists:
      case Operator::kNotExists:
        if (count == 0) return {};
        return fail(Code::kInvalidOperator, "a test for existence of \"{}\" takes no value", condition.field());
      case Operator::kBetween:
        if (count == 2) return {};
        return fail(Code::kInvalidOperator, "BETWEEN on \"{}\" takes two values, not {}", condition.field(), count);
      case Operator::kIn:
        if (count >= 1 && count <= kInValuesMax) return {};
        return fail(Code::kInvalidOperator, "IN on \"{}\" takes 1 to {} values, not {}", condition.field(),
                    kInValuesMax, count);
      default: break;
    }
    if (count == 1) return {};
    return fail(Code::kInvalidOperator, "a comparison of \"{}\" takes one value, not {}", condition.field(), count);
  }

  Result<AttributeValue> encode(const ModelAttribute& attribute, Operator op, const LogicalValue& value) const {
    if (value.is_null()) return AttributeValue(nullptr);
    if (op != Operator::kBeginsWith && op != Operator::kContains) return encode_whole(attribute, value);
    const EncodeOptions as_it_is{.timestamp_form = options_.timestamp_form};
    if (op == Operator::kContains && attribute.type == Type::kList) {
      // One element of a vector is no vector.
      ModelAttribute any_list = attribute;
      any_list.format = AttributeFormat::kNone;
      DOLMEN_TRY(const AttributeValue list, encode_attribute(model_, any_list, LogicalValue::List{value}, as_it_is));
      return list.list().front();
    }
    return encode_attribute(model_, part_of(attribute), value, as_it_is);
  }

  [[nodiscard]] Result<AttributeValue> encode_whole(const ModelAttribute& attribute, const LogicalValue& value) const {
    const Timestamp* time = value.get_if<Timestamp>();
    if (time == nullptr || !is_json_text(attribute)) return encode_attribute(model_, attribute, value, options_);
    // JSON has no times: a record writes the text of one.
    DOLMEN_TRY(const std::string text, format_timestamp(*time, options_.timestamp_form));
    return encode_attribute(model_, attribute, text, options_);
  }

  static Condition build(const Path& path, Operator op, std::vector<AttributeValue> values) {
    switch (op) {
      case Operator::kEqual: return path == values[0];
      case Operator::kNotEqual: return path != values[0];
      case Operator::kLess: return path < values[0];
      case Operator::kLessOrEqual: return path <= values[0];
      case Operator::kGreater: return path > values[0];
      case Operator::kGreaterOrEqual: return path >= values[0];
      case Operator::kBetween: return path.between(values[0], values[1]);
      case Operator::kIn: return path.in(std::move(values));
      case Operator::kBeginsWith: return path.begins_with(values[0]);
      case Operator::kContains: return path.contains(values[0]);
      case Operator::kExists: return path.exists();
      case Operator::kNotExists: break;
    }
    return path.not_exists();
  }

  const Model& model_;
  const EncodeOptions& options_;
};

}  // namespace

Result<Operator> parse_operator(std::string_view text) {
  std::string name(text);
  std::ranges::transform(name, name.begin(), upper);
  const auto found = std::ranges::find(kOperatorNames, name, &OperatorName::text);
  if (found == kOperatorNames.end()) return fail(Code::kInvalidOperator, "\"{}\" is not an operator", text);
  return found->op;
}

FieldCondition FieldCondition::compare(std::string field, Operator op, std::vector<LogicalValue> values) {
  FieldCondition condition;
  condition.kind_ = Kind::kCompare;
  condition.field_ = std::move(field);
  condition.op_ = op;
  condition.values_ = std::move(values);
  return condition;
}

FieldCondition FieldCondition::mistake(std::string message) {
  FieldCondition condition;
  condition.kind_ = Kind::kMistake;
  condition.field_ = std::move(message);
  return condition;
}

FieldCondition Field::with(Operator op, LogicalValue value) const {
  std::vector<LogicalValue> values;
  values.push_back(std::move(value));
  return FieldCondition::compare(name_, op, std::move(values));
}

FieldCondition FieldCondition::joined(Kind kind, FieldCondition a, FieldCondition b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  FieldCondition both;
  both.kind_ = kind;
  both.parts_.push_back(std::move(a));
  both.parts_.push_back(std::move(b));
  return both;
}

FieldCondition operator&&(FieldCondition a, FieldCondition b) {
  return FieldCondition::joined(FieldCondition::Kind::kAnd, std::move(a), std::move(b));
}

FieldCondition operator||(FieldCondition a, FieldCondition b) {
  return FieldCondition::joined(FieldCondition::Kind::kOr, std::move(a), std::move(b));
}

FieldCondition operator!(FieldCondition condition) {
  if (condition.empty()) return condition;
  FieldCondition negated;
  negated.kind_ = FieldCondition::Kind::kNot;
  negated.parts_.push_back(std::move(condition));
  return negated;
}

Result<Condition> compile_condition(const Model& model, const FieldCondition& condition, const EncodeOptions& options) {
  return Compiler(model, options).compile(condition);
}

}  // namespace dolmen
