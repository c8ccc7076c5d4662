#include "store/placeholders.h"

#include "base/fail.h"

namespace dolmen {
namespace {

// Unlikely in hand-written text, and checked against it.
constexpr std::string_view kNamePrefix = "#dn";
constexpr std::string_view kValuePrefix = ":dv";

Error conflict_of(std::string_view placeholder) {
  return Error(Code::kValidation,
               fmt::format("Two expressions of one request use the placeholder {} for different things", placeholder));
}

}  // namespace

std::optional<Expression> PlaceholderWriter::write(const Condition& condition) {
  take(condition.values());
  take(condition.names());
  return text_of(condition.pieces());
}

std::optional<Expression> PlaceholderWriter::write(const Update& update) {
  take(update.values());
  take(update.names());
  return text_of(update.pieces());
}

std::optional<Expression> PlaceholderWriter::write(const Projection& projection) {
  take(projection.names());
  return text_of(projection.pieces());
}

std::optional<Expression> PlaceholderWriter::text_of(const detail::ExpressionPieces& pieces) {
  if (pieces.empty()) return std::nullopt;
  Expression expression;
  for (const detail::ExpressionPiece& piece : pieces) switch (piece.kind) {
      case detail::ExpressionPiece::Kind::kText: expression.text.append(piece.text); break;
      case detail::ExpressionPiece::Kind::kName: expression.text.append(placeholder_of_name(piece.text)); break;
      case detail::ExpressionPiece::Kind::kValue: expression.text.append(placeholder_of_value(piece.value)); break;
    }
  return expression;
}

void PlaceholderWriter::take(const detail::GivenValues& values) {
  for (const auto& [placeholder, value] : values) {
    const AttributeValue* known = placeholders_.values.find(placeholder);
    if (known != nullptr && *known != value) conflict_ = conflict_of(placeholder);
    placeholders_.values.set(placeholder, value);
  }
}

void PlaceholderWriter::take(const detail::GivenNames& names) {
  for (const auto& [placeholder, name] : names)
    if (const auto [known, added] = placeholders_.names.emplace(placeholder, name); !added && known->second != name)
      conflict_ = conflict_of(placeholder);
}

std::string PlaceholderWriter::placeholder_of_name(const std::string& name) {
  std::string& placeholder = made_names_[name];
  if (placeholder.empty()) placeholder = fmt::format("{}{}", kNamePrefix, made_names_.size() - 1);
  return placeholder;
}

std::string PlaceholderWriter::placeholder_of_value(const AttributeValue& value) {
  std::string placeholder = fmt::format("{}{}", kValuePrefix, made_values_.size());
  made_values_.set(placeholder, value);
  return placeholder;
}

Result<expr::Placeholders> PlaceholderWriter::finish() {
  for (const auto& [name, placeholder] : made_names_)
    if (!placeholders_.names.emplace(placeholder, name).second) conflict_ = conflict_of(placeholder);
  for (const auto& [placeholder, value] : made_values_) {
    if (placeholders_.values.contains(placeholder)) conflict_ = conflict_of(placeholder);
    placeholders_.values.set(placeholder, value);
  }
  if (conflict_) return std::unexpected(*conflict_);
  return std::move(placeholders_);
}

}  // namespace dolmen
