#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/model.h"

/// What the write policy of a model allows, asked before anything is sent.
namespace dolmen {

/// `what` may be done to items that are there: "update", "remove". Fails with kImmutableModelMutation.
Result<void> check_mutable(const Model& model, std::string_view what);

/// Whole items may be replaced. Fails with kImmutableModelMutation and kProtectedFieldMutation.
Result<void> check_replaceable(const Model& model);

/// The attribute may be changed; `more` are protected besides those of the model. Fails with kProtectedFieldMutation.
Result<void> check_unprotected(const Model& model, const std::vector<std::string>& more, std::string_view attribute);

}  // namespace dolmen
