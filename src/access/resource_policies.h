#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "access/policy_document.h"

namespace dolmen::access {

/// A table, or a stream of one, which has its own policy.
struct PolicyResource {
  std::string table;
  /// The label of the stream; empty for the table itself.
  std::string stream = {};

  /// As ARNs name it after "table/".
  [[nodiscard]] std::string path() const { return stream.empty() ? table : table + "/stream/" + stream; }
};

/// The policies of tables and streams, read once each. Thread-safe.
class ResourcePolicies {
 public:
  /// The text of a policy; null when there is none. The same text is the same object.
  using Find = std::function<std::shared_ptr<const std::string>(const PolicyResource& resource)>;

  /// So many policies are kept in memory at a time.
  static constexpr std::size_t kKeptPolicies = 1024;

  explicit ResourcePolicies(Find find) : find_(std::move(find)) {}

  /// `question` is called when there is a policy, which most resources do not have. One that cannot be read denies.
  [[nodiscard]] PolicyVerdict judge(const PolicyResource& resource, const std::function<PolicyQuestion()>& question);

 private:
  struct Kept {
    std::shared_ptr<const std::string> text;
    std::shared_ptr<const PolicyDocument> document;
  };

  std::shared_ptr<const PolicyDocument> document_of(const std::string& path,
                                                    const std::shared_ptr<const std::string>& text);

  const Find find_;
  std::mutex kept_mutex_;             ///< Guards kept_.
  std::map<std::string, Kept> kept_;  ///< By the paths of the resources.
};

}  // namespace dolmen::access
