#include "formats/csv_record.h"

#include <algorithm>

#include "base/fail.h"

namespace dolmen::formats {

bool is_open_record(std::string_view text) { return std::ranges::count(text, '"') % 2 != 0; }

Result<CsvRecord> parse_record(std::string_view text, char delimiter) {
  CsvRecord record;
  std::size_t at = 0;
  while (true) {
    if (at < text.size() && text[at] == '"') {
      std::string field;
      for (++at; at < text.size(); ++at) {
        if (text[at] != '"') {
          field.push_back(text[at]);
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
          field.push_back(text[at++]);
        } else {
          break;
        }
      }
      if (at == text.size()) return fail(Code::kValidation, "a quoted field has no closing quote");
      ++at;
      if (at < text.size() && text[at] != delimiter)
        return fail(Code::kValidation, "column {}: {} must follow a quoted field", at + 1,
                    delimiter == ',' ? std::string("a comma") : std::string(1, delimiter));
      record.emplace_back(std::move(field));
    } else {
      const std::size_t end = std::min(text.find(delimiter, at), text.size());
      std::string field(text.substr(at, end - at));
      at = end;
      record.push_back(field.empty() ? std::nullopt : std::optional(std::move(field)));
    }
    if (at == text.size()) return record;
    ++at;
  }
}

}  // namespace dolmen::formats
