#include "engine/export_selection.h"

#include <algorithm>

#include "base/fail.h"
#include "expr/condition.h"
#include "expr/projection.h"
#include "service/expressions.h"

namespace dolmen::engine {

Result<ExportSelection> ExportSelection::of(const std::optional<ExportFilter>& given) {
  ExportSelection selection;
  if (!given) return selection;
  if (!given->filter && !given->projection && !given->key_condition)
    return fail(Code::kValidation, "Invalid Request: Invalid FilterSpecification: The specification can not be empty");
  selection.filter_ = std::make_shared<const ExportFilter>(*given);
  const ExportFilter& filter = *selection.filter_;
  ExpressionReader reader(filter.placeholders);
  if (filter.key_condition) {
    DOLMEN_TRY(expr::Node condition, reader.key_condition({.text = *filter.key_condition}));
    selection.conditions_.push_back(std::move(condition));
  }
  if (filter.filter) {
    DOLMEN_TRY(expr::Node condition, reader.filter({.text = *filter.filter}));
    selection.conditions_.push_back(std::move(condition));
  }
  if (filter.projection) {
    DOLMEN_TRY(selection.projection_, reader.projection({.text = *filter.projection}));
  }
  DOLMEN_TRY_VOID(reader.finish());
  return selection;
}

Result<std::optional<EncodedItem>> ExportSelection::select(const EncodedItem& item) const {
  if (conditions_.empty() && !projection_) return item;
  DOLMEN_TRY(const Item tree, decode_item(item.bytes));
  const bool wanted =
      std::ranges::all_of(conditions_, [&](const expr::Node& condition) { return expr::holds(condition, tree); });
  if (!wanted) return std::nullopt;
  if (!projection_) return item;
  return encode_item(expr::project(tree, *projection_));
}

}  // namespace dolmen::engine
