#include "access/resource_policies.h"

#include <utility>

namespace dolmen::access {

PolicyVerdict ResourcePolicies::judge(const PolicyResource& resource, const std::function<PolicyQuestion()>& question) {
  const std::shared_ptr<const std::string> text = find_ ? find_(resource) : nullptr;
  if (text == nullptr) return PolicyVerdict::kNothing;
  const std::shared_ptr<const PolicyDocument> document = document_of(resource.path(), text);
  return document == nullptr ? PolicyVerdict::kDeny : document->judge(question());
}

std::shared_ptr<const PolicyDocument> ResourcePolicies::document_of(const std::string& path,
                                                                    const std::shared_ptr<const std::string>& text) {
  const std::lock_guard lock(kept_mutex_);
  const auto found = kept_.find(path);
  if (found != kept_.end() && found->second.text == text) return found->second.document;
  Result<PolicyDocument> read = PolicyDocument::parse(*text);
  Kept fresh{.text = text, .document = read ? std::make_shared<const PolicyDocument>(*std::move(read)) : nullptr};
  if (kept_.size() >= kKeptPolicies) kept_.erase(kept_.begin());
  return kept_.insert_or_assign(path, std::move(fresh)).first->second.document;
}

}  // namespace dolmen::access
