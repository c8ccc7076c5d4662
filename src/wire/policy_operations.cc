// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy.
#include <fmt/format.h>
#include <utility>

#include "access/permission.h"
#include "access/policy_document.h"
#include "base/fail.h"
#include "wire/operation.h"
#include "wire/policy_parameters.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

Done<PolicyRevision> encoded_revision(Done<std::string> done) {
  const auto encode = [](const PolicyRevision& answer) -> Result<std::string> {
    return object_text([&](ObjectWriter& object) {
      if (answer.revision) object.text("RevisionId", *answer.revision);
    });
  };
  return encoded<PolicyRevision>(encode, std::move(done));
}

Result<void> put_resource_policy(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  PutResourcePolicyRequest request{.arn = parameters.required_string("ResourceArn"),
                                   .policy = {},
                                   .expected_revision = parameters.string("ExpectedRevisionId"),
                                   .confirm_remove_self = parameters.boolean("ConfirmRemoveSelfResourceAccess", false)};
  DOLMEN_TRY(request.policy,
             read_policy(parameters.required_string("Policy"), backend, request.arn, request.confirm_remove_self));
  backend.service.start(PutResourcePolicy{}, std::move(request), encoded_revision(std::move(done)));
  return {};
}

Result<void> get_resource_policy(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  const auto encode = [](const ResourcePolicy& policy) -> Result<std::string> {
    return object_text(
        [&](ObjectWriter& object) { object.text("Policy", policy.policy).text("RevisionId", policy.revision); });
  };
  backend.service.start(GetResourcePolicy{}, {.arn = parameters.required_string("ResourceArn")},
                        encoded<ResourcePolicy>(encode, std::move(done)));
  return {};
}

Result<void> delete_resource_policy(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DeleteResourcePolicyRequest request{.arn = parameters.required_string("ResourceArn"),
                                      .expected_revision = parameters.string("ExpectedRevisionId")};
  backend.service.start(DeleteResourcePolicy{}, std::move(request), encoded_revision(std::move(done)));
  return {};
}

}  // namespace

Result<std::string> read_policy(std::string_view text, const Backend& backend, std::string_view arn, bool confirmed) {
  DOLMEN_TRY(const access::PolicyDocument policy, access::PolicyDocument::parse(text));
  const access::ResourceOwner owner{backend.account.id, backend.account.region};
  const access::PolicyQuestion question{.principal = backend.caller == nullptr
                                                         ? fmt::format("arn:aws:iam::{}:root", owner.account)
                                                         : access::principal_of(backend.caller->key(), owner),
                                        .account = std::string(owner.account),
                                        .action = "dynamodb:PutResourcePolicy",
                                        .resource = std::string(arn)};
  if (!confirmed && policy.judge(question) == access::PolicyVerdict::kDeny)
    return fail(Code::kAccessDenied,
                "The new resource policy will not allow you to update the resource policy in the future.");
  return policy.canonical();
}

std::span<const WireOperation> policy_operations() {
  static const WireOperation kAll[] = {
      {PutResourcePolicy::kInfo, put_resource_policy},
      {GetResourcePolicy::kInfo, get_resource_policy},
      {DeleteResourcePolicy::kInfo, delete_resource_policy},
  };
  return kAll;
}

}  // namespace dolmen::wire
