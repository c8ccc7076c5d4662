#include "partiql/literal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"

namespace dolmen::partiql {
namespace {

/// Reads literals, and knows where in the whole value it is.
class LiteralReader {
 public:
  Result<AttributeValue> read(const Term& term, unsigned depth) {
    if (depth > dolmen::limits::kNestingLevels)
      return fail(Code::kValidation, "Nesting Levels have exceeded supported limits under {}", path_);
    switch (term.kind) {
      case TermKind::kString: return AttributeValue(term.text);
      case TermKind::kNumber: return number(term);
      case TermKind::kTrue: return AttributeValue(true);
      case TermKind::kFalse: return AttributeValue(false);
      case TermKind::kNull: return AttributeValue(nullptr);
      case TermKind::kList: return list(term, depth);
      case TermKind::kBag: return bag(term);
      case TermKind::kTuple: return tuple(term, depth);
      case TermKind::kIon:
        return fail(Code::kValidation, "Ion Literals are not supported: {} under key {}{}", ion_type(term.text), path_,
                    at_text(term.position));
      default:
        return fail(Code::kValidation, "Unsupported data type: {} under key {}{}", term_name(term), path_,
                    term.kind == TermKind::kPath ? "" : at_text(term.position));
    }
  }

 private:
  Result<AttributeValue> number(const Term& term) const {
    Result<Number> read = Number::parse(term.text);
    if (!read) return fail(Code::kValidation, "{} under {}", read.error().message(), path_);
    return AttributeValue(*read);
  }

  Result<AttributeValue> list(const Term& term, unsigned depth) {
    List list;
    const std::size_t length = path_.size();
    for (std::size_t i = 0; i < term.children.size(); ++i) {
      path_ += fmt::format("[{}]", i);
      DOLMEN_TRY(AttributeValue value, read(term.children[i], depth + 1));
      list.push_back(std::move(value));
      path_.resize(length);
    }
    return AttributeValue(std::move(list));
  }

  Result<AttributeValue> tuple(const Term& term, unsigned depth) {
    Item map;
    const std::size_t length = path_.size();
    for (std::size_t i = 0; i < term.children.size(); i += 2) {
      const Term& key = term.children[i];
      if (key.kind != TermKind::kString)
        return fail(Code::kValidation, "Tuple keys must be of type String. Actual type: {} under {}{}", key_type(key),
                    path_, at_text(key.position));
      if (key.text.empty()) return fail(Code::kValidation, "Path component cannot be an empty string");
      if (map.contains(key.text))
        return fail(Code::kValidation, "Duplicate keys in tuple. Key: {} under {}{}", key.text, path_,
                    at_text(key.position));
      path_ += "." + key.text;
      DOLMEN_TRY(AttributeValue value, read(term.children[i + 1], depth + 1));
      map.set(key.text, std::move(value));
      path_.resize(length);
    }
    return AttributeValue(std::move(map));
  }

  Result<AttributeValue> bag(const Term& term) {
    if (term.children.empty()) return fail(Code::kValidation, "Empty bags are not supported");
    const auto all_are = [&](TermKind kind) {
      return std::ranges::all_of(term.children, [kind](const Term& member) { return member.kind == kind; });
    };
    if (all_are(TermKind::kString)) return string_bag(term);
    if (all_are(TermKind::kNumber)) return number_bag(term);
    return fail(Code::kValidation,
                "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
  }

  static std::vector<std::string_view> texts_of(const Term& bag) {
    std::vector<std::string_view> texts;
    for (const Term& member : bag.children) texts.push_back(member.text);
    return texts;
  }

  static Result<AttributeValue> string_bag(const Term& term) {
    StringSet set;
    for (const Term& member : term.children)
      if (!set.insert(member.text).second)
        return fail(Code::kValidation,
                    "One or more parameter values were invalid: Input collection [{}] contains duplicates.",
                    fmt::join(texts_of(term), ", "));
    return AttributeValue(std::move(set));
  }

  Result<AttributeValue> number_bag(const Term& term) const {
    NumberSet set;
    for (const Term& member : term.children) {
      DOLMEN_TRY(const AttributeValue value, number(member));
      if (!set.insert(value.number()).second)
        return fail(Code::kValidation,
                    "One or more parameter values were invalid: Input collection [{}] contains duplicates! under {}",
                    fmt::join(texts_of(term), ", "), path_);
    }
    return AttributeValue(std::move(set));
  }

  static std::string key_type(const Term& key) {
    switch (key.kind) {
      case TermKind::kNumber: return key.text.find_first_of(".eE") == std::string::npos ? "INT" : "DECIMAL";
      case TermKind::kTrue:
      case TermKind::kFalse: return "BOOL";
      case TermKind::kNull: return "NULL";
      case TermKind::kParameter: return "Parameter";
      default: return term_name(key);
    }
  }

  static std::string_view ion_type(std::string_view content) {
    if (content.empty()) return "DATAGRAM";
    const char first = content.front();
    if (first == '"' || first == '\'') return first == '"' ? "STRING" : "SYMBOL";
    if (first == '{') return content.starts_with("{{") ? "BLOB" : "STRUCT";
    if (first == '[') return "LIST";
    if (first == '(') return "SEXP";
    if (content == "null") return "NULL";
    if (content == "true" || content == "false") return "BOOL";
    if ((first < '0' || first > '9') && first != '-') return "SYMBOL";
    if (content.find_first_of("T:") != std::string_view::npos) return "TIMESTAMP";
    if (content.find_first_of("eE") != std::string_view::npos) return "FLOAT";
    return content.find_first_of(".dD") != std::string_view::npos ? "DECIMAL" : "INT";
  }

  std::string path_ = "root";
};

}  // namespace

bool is_literal(const Term& term) {
  switch (term.kind) {
    case TermKind::kString:
    case TermKind::kNumber:
    case TermKind::kTrue:
    case TermKind::kFalse:
    case TermKind::kNull:
    case TermKind::kIon:
    case TermKind::kList:
    case TermKind::kBag:
    case TermKind::kTuple: return true;
    default: return false;
  }
}

Result<AttributeValue> literal_value(const Term& term) { return LiteralReader().read(term, 1); }

std::string term_name(const Term& term) {
  switch (term.kind) {
    case TermKind::kName: return "VariableReference";
    case TermKind::kPath: return "PATH";
    case TermKind::kParameter: return "Parameter";
    case TermKind::kMissing: return "MISSING";
    case TermKind::kDate: return "UNKNOWN";
    case TermKind::kSelect: return "SELECT";
    case TermKind::kCase: return "CASE";
    default: return term.text;
  }
}

}  // namespace dolmen::partiql
