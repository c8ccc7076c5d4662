#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "dolmen/error.h"
#include "expr/syntax.h"
#include "service/transfer_requests.h"
#include "value/encoded_item.h"

namespace dolmen::engine {

/// Which items an export has, and which of their attributes.
class ExportSelection {
 public:
  /// Fails with kValidation in DynamoDB's words.
  static Result<ExportSelection> of(const std::optional<ExportFilter>& filter);

  /// Nothing when the item is not selected.
  [[nodiscard]] Result<std::optional<EncodedItem>> select(const EncodedItem& item) const;

 private:
  std::shared_ptr<const ExportFilter> filter_;  // the expressions point into it
  std::vector<expr::Node> conditions_;
  std::optional<std::vector<expr::Path>> projection_;
};

}  // namespace dolmen::engine
