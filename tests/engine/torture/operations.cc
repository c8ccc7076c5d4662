#include "operations.h"

#include <fmt/format.h>

#include "value/json.h"

namespace dolmen::torture {
namespace {

Expression expression(std::string text) { return {.text = std::move(text)}; }

Expression projection_of(const std::vector<Path>& paths, Wording& wording) {
  std::string text;
  for (const Path& path : paths) text += (text.empty() ? "" : ", ") + wording.path(path);
  return expression(std::move(text));
}

Expression key_condition_of(const std::vector<KeyTerm>& terms, Wording& wording) {
  std::string text;
  for (const KeyTerm& term : terms) text += (text.empty() ? "" : " AND ") + text_of(condition_of(term), wording);
  return expression(std::move(text));
}

std::string placeholders_text(const expr::Placeholders& placeholders) {
  std::string text = json::to_text(placeholders.values);
  for (const auto& [name, attribute] : placeholders.names) text += fmt::format(" {}={}", name, attribute);
  return text;
}

std::string_view kind_text(WriteKind kind) {
  switch (kind) {
    case WriteKind::kPut: return "put";
    case WriteKind::kUpdate: return "update";
    case WriteKind::kDelete: return "delete";
    case WriteKind::kCheck: return "check";
  }
  return "";
}

std::string text_or_none(const std::optional<Expression>& expression) { return expression ? expression->text : "-"; }

}  // namespace

Condition condition_of(const KeyTerm& term) {
  Condition condition{.kind = term.kind};
  condition.operands.push_back({.kind = Operand::Kind::kPath, .path = {term.attribute}});
  condition.operands.push_back({.kind = Operand::Kind::kValue, .value = term.value});
  if (term.kind == Condition::Kind::kBetween)
    condition.operands.push_back({.kind = Operand::Kind::kValue, .value = term.upper});
  return condition;
}

void collect_roots(const Condition& condition, std::vector<std::string>& roots) {
  for (const Condition& part : condition.parts) collect_roots(part, roots);
  for (const Operand& operand : condition.operands)
    if (operand.kind != Operand::Kind::kValue) roots.push_back(operand.path.root);
}

WriteRequest request_of(const Write& write) {
  Wording wording;
  WriteRequest request{.kind = write.kind,
                       .table = write.table,
                       .item = encode_item(write.item),
                       .return_values = write.return_values,
                       .return_on_failure = write.return_on_failure};
  if (write.update) request.update = expression(text_of(*write.update, wording));
  if (write.condition) request.condition = expression(text_of(*write.condition, wording));
  request.placeholders = wording.placeholders();
  return request;
}

GetItemRequest request_of(const Get& get) {
  Wording wording;
  GetItemRequest request{.table = get.table, .key = encode_item(get.key)};
  if (get.projection) request.projection = projection_of(*get.projection, wording);
  request.placeholders = wording.placeholders();
  return request;
}

ReadManyRequest request_of(const Read& read) {
  Wording wording;
  ReadManyRequest request{.table = read.table,
                          .index = read.index,
                          .select = read.select,
                          .limit = read.limit,
                          .segment = read.segment,
                          .forward = read.forward};
  if (!read.keys.empty()) request.key_condition = key_condition_of(read.keys, wording);
  if (read.filter) request.filter = expression(text_of(*read.filter, wording));
  if (read.projection) request.projection = projection_of(*read.projection, wording);
  if (read.start_key) request.start_key = encode_item(*read.start_key);
  request.placeholders = wording.placeholders();
  return request;
}

std::string text_of(const Write& write) {
  const WriteRequest request = request_of(write);
  return fmt::format("{} in {}: {} update: {} condition: {} with {} return {}", kind_text(write.kind), write.table,
                     json::to_text(write.item), text_or_none(request.update), text_or_none(request.condition),
                     placeholders_text(request.placeholders), static_cast<int>(write.return_values));
}

std::string text_of(const Read& read) {
  const ReadManyRequest request = request_of(read);
  return fmt::format("{} of {}/{}: keys: {} filter: {} projection: {} with {} limit {} start {} {}",
                     read.keys.empty() ? "scan" : "query", read.table, read.index.value_or("-"),
                     text_or_none(request.key_condition), text_or_none(request.filter),
                     text_or_none(request.projection), placeholders_text(request.placeholders), read.limit.value_or(0),
                     read.start_key ? json::to_text(*read.start_key) : "-", read.forward ? "forward" : "backward");
}

}  // namespace dolmen::torture
