#include "model/write_policy.h"

#include <algorithm>

#include "base/fail.h"

namespace dolmen {

Result<void> check_mutable(const Model& model, std::string_view what) {
  if (model.write_policy.mode == WriteMode::kMutable) return {};
  return fail(Code::kImmutableModelMutation, "model \"{}\" is write_once: its items can be created, but {} is refused",
              model.name, what);
}

Result<void> check_replaceable(const Model& model) {
  DOLMEN_TRY_VOID(check_mutable(model, "a put that may replace one"));
  if (model.write_policy.protected_attributes.empty()) return {};
  return fail(Code::kProtectedFieldMutation,
              "a put replaces the whole item, but model \"{}\" protects \"{}\"; use create, update or a FieldUpdate",
              model.name, model.write_policy.protected_attributes.front());
}

Result<void> check_unprotected(const Model& model, const std::vector<std::string>& more, std::string_view attribute) {
  for (const std::vector<std::string>* names : {&model.write_policy.protected_attributes, &more})
    if (std::ranges::find(*names, attribute) != names->end())
      return fail(Code::kProtectedFieldMutation, "\"{}\" is protected and cannot be changed", attribute);
  return {};
}

}  // namespace dolmen
