#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "access/policy_document.h"

namespace dolmen::access {

/// The resource policies of tables, read once each. Thread-safe.
class TablePolicies {
 public:
  /// The text of a table's policy; null when it has none. The same text is the same object.
  using Find = std::function<std::shared_ptr<const std::string>(std::string_view table)>;

  /// So many policies are kept in memory at a time.
  static constexpr std::size_t kKeptPolicies = 1024;

  explicit TablePolicies(Find find) : find_(std::move(find)) {}

  /// A policy that cannot be read denies.
  [[nodiscard]] PolicyVerdict judge(std::string_view table, const PolicyQuestion& question);

 private:
  struct Kept {
    std::shared_ptr<const std::string> text;
    std::shared_ptr<const PolicyDocument> document;
  };

  std::shared_ptr<const PolicyDocument> document_of(std::string_view table,
                                                    const std::shared_ptr<const std::string>& text);

  const Find find_;
  std::mutex kept_mutex_;  ///< Guards kept_.
  std::map<std::string, Kept, std::less<>> kept_;
};

}  // namespace dolmen::access
