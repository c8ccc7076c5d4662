#include "dolmen/schema.h"

#include <algorithm>

#include "base/check.h"

namespace dolmen {

std::string to_string(const SchemaRef& ref) { return ref.id + " " + ref.version; }

std::string_view field_type_name(FieldType type) {
  switch (type) {
    case FieldType::kString: return "string";
    case FieldType::kInt: return "int";
    case FieldType::kBool: return "bool";
    case FieldType::kFloat: return "float";
    case FieldType::kObject: return "object";
    case FieldType::kArray: return "array";
  }
  DOLMEN_UNREACHABLE("a type outside the closed list");
}

bool operator==(const SchemaType& a, const SchemaType& b) {
  return a.type == b.type && a.fields == b.fields && a.element == b.element && a.scalar == b.scalar;
}

bool operator==(const SchemaField& a, const SchemaField& b) {
  return a.name == b.name && a.required == b.required && a.type == b.type;
}

bool operator==(const Schema& a, const Schema& b) {
  return a.ref == b.ref && a.version_number == b.version_number && a.description == b.description &&
         a.fields == b.fields && a.scalars == b.scalars;
}

std::optional<std::size_t> Schema::find_scalar(std::string_view path) const {
  const auto found = std::ranges::find(scalars, path, &ScalarPath::path);
  if (found == scalars.end()) return std::nullopt;
  return static_cast<std::size_t>(found - scalars.begin());
}

}  // namespace dolmen
