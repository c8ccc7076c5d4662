#include "access/table_policies.h"

#include <utility>

namespace dolmen::access {

PolicyVerdict TablePolicies::judge(std::string_view table, const PolicyQuestion& question) {
  const std::shared_ptr<const std::string> text = find_ ? find_(table) : nullptr;
  if (text == nullptr) return PolicyVerdict::kNothing;
  const std::shared_ptr<const PolicyDocument> document = document_of(table, text);
  return document == nullptr ? PolicyVerdict::kDeny : document->judge(question);
}

std::shared_ptr<const PolicyDocument> TablePolicies::document_of(std::string_view table,
                                                                 const std::shared_ptr<const std::string>& text) {
  const std::lock_guard lock(kept_mutex_);
  const auto found = kept_.find(table);
  if (found != kept_.end() && found->second.text == text) return found->second.document;
  Result<PolicyDocument> read = PolicyDocument::parse(*text);
  Kept fresh{.text = text, .document = read ? std::make_shared<const PolicyDocument>(*std::move(read)) : nullptr};
  if (kept_.size() >= kKeptPolicies) kept_.erase(kept_.begin());
  return kept_.insert_or_assign(std::string(table), std::move(fresh)).first->second.document;
}

}  // namespace dolmen::access
