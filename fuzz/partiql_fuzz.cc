// Statements: reading, checking and planning them never fails badly; and a WHERE clause finds the same items as the
// same condition does in the reference (fuzz/reference), which has an evaluator of its own.
#include <fmt/format.h>

#include "expr/condition.h"
#include "fuzz/expression_fuzz.h"
#include "fuzz/reference/generator.h"
#include "fuzz/reference/meaning.h"
#include "partiql/explain.h"
#include "partiql/parser.h"
#include "partiql/source.h"
#include "partiql/statement.h"
#include "value/json.h"

using namespace dolmen;

namespace {

TableDefinition table_named(const std::string& name) {
  TableDefinition table{.name = name, .partition_key = {"a", KeyType::kNumber}};
  table.sort_key = KeyAttribute{"b", KeyType::kString};
  table.global_indexes.push_back({.name = "gsi",
                                  .partition_keys = {{"c", KeyType::kBinary}},
                                  .sort_keys = {{"a", KeyType::kNumber}},
                                  .projection = ProjectionType::kInclude,
                                  .included_attributes = {"l"}});
  return table;
}

/// As many parameters as the statement has, of all kinds.
std::vector<AttributeValue> parameters_for(const partiql::Syntax& syntax) {
  const std::vector<AttributeValue> kinds{1, "ab", true, nullptr, List{1}, Item{{"a", 1}}, StringSet{"ab"}};
  std::vector<AttributeValue> values;
  for (std::size_t i = 0; i < syntax.parameters; ++i) values.push_back(kinds[i % kinds.size()]);
  return values;
}

void check_text(std::string_view text) {
  const Result<partiql::Syntax> syntax = partiql::parse(text);
  if (!syntax) {
    DOLMEN_CHECK(syntax.error().code() == Code::kValidation, "a statement is refused as such");
    return;
  }
  const std::vector<AttributeValue> parameters = parameters_for(*syntax);
  for (const partiql::Place place : {partiql::Place::kAlone, partiql::Place::kTransaction}) {
    const auto statement = partiql::prepare(*syntax, parameters, place);
    if (!statement) continue;
    DOLMEN_CHECK(partiql::target_of(*syntax).has_value(), "a statement that can be carried out has a table");
    const auto explanation = partiql::explain(*statement, table_named((*statement)->table));
    if (explanation) DOLMEN_CHECK(!partiql::to_text(*explanation).empty(), "a plan has words");
  }
}

/// The condition of an expression as a WHERE clause: names in quotes, and question marks for values.
std::string as_where(const reference::Request& request, std::vector<AttributeValue>& parameters) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string out;
  const std::string& text = request.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '#' || text[at] == ':') {
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string placeholder = text.substr(at, end - at);
      if (const auto name = request.names.find(placeholder); name != request.names.end()) {
        std::string doubled;
        for (const char c : name->second) doubled += c == '"' ? std::string("\"\"") : std::string(1, c);
        out += '"' + doubled + '"';
      } else if (const AttributeValue* value = request.values.find(placeholder)) {
        parameters.push_back(*value);
        out += '?';
      } else {
        out += placeholder;
      }
    } else {
      out += text[at];
    }
    at = end;
  }
  return out;
}

void check_meaning(const reference::Request& request, const Item& item) {
  const std::optional<reference::Term> meant = reference::read_condition(request);
  if (!meant) return;
  std::vector<AttributeValue> parameters;
  const std::string text = "SELECT * FROM tbl WHERE " + as_where(request, parameters);
  const Result<partiql::Syntax> syntax = partiql::parse(text);
  // Some names of attributes are words of this language.
  if (!syntax) return;
  const auto statement = partiql::prepare(*syntax, parameters);
  if (!statement) return;
  const bool ours = expr::holds(*(*statement)->where, item);
  if (ours == reference::holds(*meant, item)) return;
  std::fprintf(stderr, "%s\nis %s for %s\n", text.c_str(), ours ? "true" : "false", json::to_text(item).c_str());
  DOLMEN_CHECK(false, "a WHERE clause and the reference agree");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  if (is_text_input(input)) {
    check_text(input.empty() ? input : input.substr(1));
    return 0;
  }
  reference::Choices choices(input.substr(1));
  reference::Generator generator(choices);
  const reference::Request request = generator.condition();
  check_meaning(request, generator.item());
  return 0;
}
