#include "generate/model_parts.h"

#include <algorithm>
#include <fmt/format.h>

#include "model/types.h"

namespace dolmen::generate {

std::string member_remark(const ModelAttribute& attribute, bool type_says_seconds) {
  if (attribute.has_role(Role::kCreatedAt)) return "filled in when the item is put";
  if (attribute.has_role(Role::kUpdatedAt)) return "filled in whenever the item is written";
  if (attribute.has_role(Role::kVersion)) return "counts the updates";
  std::string out;
  if (attribute.format == AttributeFormat::kRfc3339Nano) out = "a time in RFC 3339 format";
  if (holds_seconds(attribute) && !type_says_seconds) out = "seconds since 1970";
  if (attribute.json) out = "stored as JSON";
  if (is_vector(attribute)) out = fmt::format("a vector of {} numbers", attribute.dimensions);
  if (attribute.encrypted) out += out.empty() ? "encrypted" : ", encrypted";
  return out;
}

std::vector<std::string> portable_roles(const ModelAttribute& attribute) {
  std::vector<std::string> roles;
  for (const AttributeRole& role : attribute.roles)
    if (is_owned(ModelAttribute{.name = "", .roles = {role}}) || role.role == Role::kTtl)
      roles.push_back(role_text(role));
  return roles;
}

bool is_changeable(const Model& model, const ModelAttribute& attribute) {
  const std::vector<std::string>& kept = model.write_policy.protected_attributes;
  return model.write_policy.mode == WriteMode::kMutable && model.with_role(Role::kVersion) != nullptr &&
         !model.is_key(attribute.name) && !is_owned(attribute) && std::ranges::find(kept, attribute.name) == kept.end();
}

}  // namespace dolmen::generate
