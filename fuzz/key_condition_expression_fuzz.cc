// Key condition expressions: src/expr and the reference (fuzz/reference) accept the same texts and find the same bounds
// in them; and the range of rows that the engine makes of the bounds holds a row when, and only when, the reference
// says that the row's item satisfies the condition.
#include "engine/key_range.h"
#include "engine/row_key.h"
#include "expr/binding.h"
#include "expr/parser.h"
#include "fuzz/expression_fuzz.h"
#include "fuzz/reference/agreement.h"
#include "fuzz/reference/meaning.h"
#include "value/encoded_item.h"

using namespace dolmen;
using namespace dolmen::engine;

namespace {

Table table_with(KeyType sort_type) {
  Table table = make_table(
      {.name = "rows", .partition_key = {"a", KeyType::kString}, .sort_key = KeyAttribute{"b", sort_type}}, 2);
  table.id = 1;
  return table;
}

/// The row of an item, if the item can have one.
void check_row(const Table& table, const KeyRange& range, const reference::Term& condition, const Item& item) {
  const Result<std::string> row = row_key_of_item(table, encode_item(item).bytes);
  if (!row) return;
  const bool within = range.lower <= *row && *row < range.upper;
  DOLMEN_CHECK(within == reference::holds(condition, item), "a range holds the rows that satisfy its condition");
}

void check_ranges(const reference::Request& request, reference::Generator& generator, KeyType sort_type) {
  const auto condition = reference::read_condition(request);
  if (!condition) return;
  const auto bounds = reference::key_bounds(*condition);
  if (!bounds) return;
  const expr::Placeholders placeholders{.names = {request.names.begin(), request.names.end()},
                                        .values = request.values};
  const expr::Node bound = expr::Binder(placeholders).condition(expr::parse_condition(request.text).value()).value();
  const Table table = table_with(sort_type);
  const auto range = range_of_query(table.id, table.keys, expr::key_conditions_of(bound).value());
  if (!range) return;

  // The values of the condition itself are the interesting ones.
  List partitions{generator.value()};
  List sorts{generator.value(), generator.value()};
  for (const reference::KeyBound& one : *bounds) {
    List& values = one.attribute == "a" ? partitions : sorts;
    values.insert(values.end(), one.values.begin(), one.values.end());
  }
  for (const AttributeValue& partition : partitions)
    for (const AttributeValue& sort : sorts) check_row(table, *range, *condition, {{"a", partition}, {"b", sort}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  reference::Choices choices(input.empty() ? input : input.substr(1));
  reference::Generator generator(choices);
  const reference::Request request = is_text_input(input) ? request_of_text(input) : generator.key_condition();
  check_agreement(reference::key_condition_disagreement(request));
  const KeyType types[] = {KeyType::kString, KeyType::kNumber, KeyType::kBinary};
  check_ranges(request, generator, choices.one_of(types));
  return 0;
}
