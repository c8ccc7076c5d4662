// Filters that programs build.
#include <algorithm>
#include <fmt/format.h>

#include "dolmen/document_filter.h"
#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen {

// The shortest text that is read back the same; it has a point or an exponent.
DocumentValue::DocumentValue(double value) : json_(fmt::format("{}", value)) {
  if (json_.find_first_not_of("-0123456789") == std::string::npos) json_.append(".0");
}

DocumentValue::DocumentValue(std::string_view value) { json::append_string(json_, value); }

std::string DocumentConditions::json() const {
  std::vector<std::string> fields;
  for (const Condition& condition : conditions_)
    if (std::ranges::find(fields, condition.field) == fields.end()) fields.push_back(condition.field);
  return object_text([&](ObjectWriter& filter) {
    for (const std::string& field : fields)
      filter.json(field, object_text([&](ObjectWriter& conditions) {
                    for (const Condition& condition : conditions_)
                      if (condition.field == field) conditions.json(condition.operation, condition.value);
                  }));
  });
}

}  // namespace dolmen
