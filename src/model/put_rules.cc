#include "model/put_rules.h"

#include <fmt/format.h>
#include <utility>

#include "model/types.h"

namespace dolmen {

PutAttribute PutAttribute::of(const Model& model, const ModelAttribute& attribute) {
  return {.attribute = &attribute,
          .path = attribute.name,
          .is_key = model.is_key(attribute.name),
          .is_time = is_owned_time(attribute),
          .is_version = attribute.has_role(Role::kVersion)};
}

Error missing_key(std::string_view name, std::string_view how) {
  return {Code::kMissingPrimaryKey, fmt::format("the key attribute \"{}\" is {}", name, how)};
}

void PutRules::refuse(const PutAttribute& rule, const Error& error) {
  if (error.code() == Code::kInvalidModel)
    problems_.push_back({std::string(rule.path), "type", error.message()});
  else
    fail_with(error);
}

PutStep PutRules::fail_with(Error error) {
  if (!error_) error_ = std::move(error);
  return PutStep::kLeaveOut;
}

PutStep PutRules::leave_out(const PutAttribute& rule, std::string_view how) {
  if (rule.attribute->required && check_required_)
    problems_.push_back({std::string(rule.path), "required",
                         fmt::format("the required attribute \"{}\" is {}", rule.attribute->name, how)});
  return PutStep::kLeaveOut;
}

}  // namespace dolmen
