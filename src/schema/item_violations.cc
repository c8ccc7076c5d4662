#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "schema/violations.h"

namespace dolmen {
namespace {

using schema::PlaceView;

class ItemCheck {
 public:
  ItemCheck(const Schema& schema, const std::vector<std::string>& ignored) : schema_(schema), ignored_(ignored) {}

  std::vector<ErrorDetail> run(const Item& item) {
    object(schema_.fields, item, nullptr);
    return violations_.take();
  }

 private:
  void object(const std::vector<SchemaField>& fields, const Item& item, const PlaceView* place) {
    for (const auto& [name, value] : item) {
      const PlaceView own{.above = place, .name = name};
      const auto found = std::ranges::lower_bound(fields, name, {}, &SchemaField::name);
      if (found != fields.end() && found->name == name)
        check(found->type, value, own);
      else if (place != nullptr || std::ranges::find(ignored_, name) == ignored_.end())
        violations_.add(
            &own, "undeclared",
            fmt::format("expected only what {} declares, found {}", to_string(schema_.ref), type_name(value.type())));
    }
    for (const SchemaField& field : fields)
      if (field.required && !item.contains(field.name)) {
        const PlaceView missing{.above = place, .name = field.name};
        violations_.add(&missing, "required",
                        fmt::format("expected {}, found nothing", field_type_name(field.type.type)));
      }
  }

  void check(const SchemaType& type, const AttributeValue& value, const PlaceView& place) {
    const auto expect = [&](Type wanted) {
      if (value.type() == wanted) return true;
      violations_.add(&place, value.type() == Type::kNull ? "null" : "type",
                      fmt::format("expected {} ({}), found {}", field_type_name(type.type), type_name(wanted),
                                  type_name(value.type())));
      return false;
    };
    switch (type.type) {
      case FieldType::kString:
        if (expect(Type::kString)) check_id(value.string(), place);
        break;
      case FieldType::kBool: expect(Type::kBool); break;
      case FieldType::kInt:
        if (expect(Type::kNumber) && !value.number().to_int64())
          violations_.add(&place, "int_range",
                          fmt::format("expected an int of 64 bits, found {}", value.number().to_string()));
        break;
      case FieldType::kFloat:
        // DynamoDB's numbers end at 1E+126, far inside a double's range.
        expect(Type::kNumber);
        break;
      case FieldType::kObject:
        if (expect(Type::kMap)) object(type.fields, value.map(), &place);
        break;
      case FieldType::kArray:
        if (expect(Type::kList)) array(type.element.front(), value.list(), place);
        break;
    }
  }

  void check_id(const std::string& text, const PlaceView& place) {
    if (place.above != nullptr || place.name != "_id") return;
    if (std::string problem = schema::document_id_problem(text); !problem.empty())
      violations_.add(&place, "id_valid", std::move(problem));
  }

  void array(const SchemaType& element, const List& list, const PlaceView& place) {
    for (std::size_t i = 0; i < list.size(); ++i)
      check(element, list[i], {.above = &place, .index = i, .is_element = true});
  }

  const Schema& schema_;
  const std::vector<std::string>& ignored_;
  schema::Violations violations_;
};

}  // namespace

std::vector<ErrorDetail> item_violations(const Schema& schema, const Item& item,
                                         const std::vector<std::string>& ignored) {
  return ItemCheck(schema, ignored).run(item);
}

}  // namespace dolmen
