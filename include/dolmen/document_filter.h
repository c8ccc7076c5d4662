#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dolmen {

/// A value that a field of a document is compared with. It has exactly the field's type: 30 is an int, 30.0 a float.
class DocumentValue {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a value is a value
  DocumentValue(std::same_as<bool> auto value) : json_(value ? "true" : "false") {}
  DocumentValue(std::signed_integral auto value) : json_(std::to_string(value)) {}
  DocumentValue(std::unsigned_integral auto value)
    requires(!std::same_as<decltype(value), bool>)
      : json_(std::to_string(value)) {}
  DocumentValue(double value);
  DocumentValue(std::string_view value);
  DocumentValue(const std::string& value) : DocumentValue(std::string_view(value)) {}
  DocumentValue(const char* value) : DocumentValue(std::string_view(value)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const std::string& json() const noexcept { return json_; }

 private:
  std::string json_;
};

/// Conditions on fields of documents, all of which must hold:
///
///     where("age") >= 18 && where("age") < 65 && where("address.city") == "Brest"
class DocumentConditions {
 public:
  /// The filter that they are, as JSON.
  [[nodiscard]] std::string json() const;

  friend DocumentConditions operator&&(DocumentConditions a, const DocumentConditions& b) {
    a.conditions_.insert(a.conditions_.end(), b.conditions_.begin(), b.conditions_.end());
    return a;
  }

 private:
  friend class DocumentField;

  struct Condition {
    std::string field;
    std::string operation;
    std::string value;
  };

  DocumentConditions(std::string field, std::string operation, const DocumentValue& value)
      : conditions_{{std::move(field), std::move(operation), value.json()}} {}

  std::vector<Condition> conditions_;
};

/// A scalar field of documents, by its path.
class DocumentField {
 public:
  explicit DocumentField(std::string path) : path_(std::move(path)) {}

  friend DocumentConditions operator==(const DocumentField& field, const DocumentValue& value) {
    return field.compared("$eq", value);
  }
  friend DocumentConditions operator<(const DocumentField& field, const DocumentValue& value) {
    return field.compared("$lt", value);
  }
  friend DocumentConditions operator<=(const DocumentField& field, const DocumentValue& value) {
    return field.compared("$lte", value);
  }
  friend DocumentConditions operator>(const DocumentField& field, const DocumentValue& value) {
    return field.compared("$gt", value);
  }
  friend DocumentConditions operator>=(const DocumentField& field, const DocumentValue& value) {
    return field.compared("$gte", value);
  }

 private:
  [[nodiscard]] DocumentConditions compared(const char* operation, const DocumentValue& value) const {
    return {path_, operation, value};
  }

  std::string path_;
};

inline DocumentField where(std::string path) { return DocumentField(std::move(path)); }

/// The filter of a query: conditions, or the JSON that says them.
class DocumentFilter {
 public:
  DocumentFilter() = default;
  // NOLINTBEGIN(google-explicit-constructor): both are filters
  DocumentFilter(std::string json) : json_(std::move(json)) {}
  DocumentFilter(const char* json) : json_(json) {}
  DocumentFilter(const DocumentConditions& conditions) : json_(conditions.json()) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const std::string& json() const noexcept { return json_; }

 private:
  std::string json_;
};

}  // namespace dolmen
