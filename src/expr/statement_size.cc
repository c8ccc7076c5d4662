#include "expr/statement_size.h"

#include <charconv>

#include "value/value_size.h"

namespace dolmen::expr {
namespace {

// Measured at AWS; no documentation states them.
constexpr std::size_t kStatement = 3;
constexpr std::size_t kWritingClause = 19;  // SET and ADD
constexpr std::size_t kRemovingClause = 1;  // REMOVE and DELETE
constexpr std::size_t kTargetStep = 4;      // each part of a target after its first
constexpr std::size_t kPathOperand = 1;
constexpr std::size_t kPathOperandPart = 14;
constexpr std::size_t kPlus = 34;
constexpr std::size_t kMinus = 37;
constexpr std::size_t kIfNotExists = 39;
constexpr std::size_t kListAppend = 37;

/// The bytes of a name, or the digits of an index.
std::size_t part_size(const Path::Part& part) {
  if (const auto* name = std::get_if<std::string>(&part)) return name->size();
  char digits[16];
  return static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, std::get<std::uint32_t>(part)).ptr -
                                  digits);
}

std::size_t target_size(const Path& path) {
  std::size_t size = (path.parts.size() - 1) * kTargetStep;
  for (const Path::Part& part : path.parts) size += part_size(part);
  return size;
}

std::size_t path_operand_size(const Path& path) {
  std::size_t size = kPathOperand;
  for (const Path::Part& part : path.parts) size += kPathOperandPart + part_size(part);
  return size;
}

std::size_t operand_size(const Node& node) {
  if (node.kind == NodeKind::kValue) return value_size(*node.value);
  if (node.kind == NodeKind::kPath) return path_operand_size(node.path);
  std::size_t size = 0;
  if (node.kind == NodeKind::kPlus) size = kPlus;
  if (node.kind == NodeKind::kMinus) size = kMinus;
  if (node.kind == NodeKind::kFunction) size = node.text == "list_append" ? kListAppend : kIfNotExists;
  for (const Node& child : node.children) size += operand_size(child);
  return size;
}

std::size_t clause_size(const UpdateAction& action) {
  const std::size_t target = target_size(action.path);
  if (action.section == Section::kRemove || action.section == Section::kDelete) return kRemovingClause + target;
  return kWritingClause + target + operand_size(action.operand);
}

}  // namespace

std::size_t statement_size(const std::vector<UpdateAction>& actions) {
  std::size_t size = kStatement;
  for (const UpdateAction& action : actions) size += clause_size(action);
  return size;
}

}  // namespace dolmen::expr
