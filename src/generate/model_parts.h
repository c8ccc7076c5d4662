#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/model/model.h"

/// What generated code says of models in every language.
namespace dolmen::generate {

/// What a reader of the type should know of a member; empty when the type says it all, as that of C++ does for seconds.
std::string member_remark(const ModelAttribute& attribute, bool type_says_seconds = false);

/// The roles that change what is written: created_at, updated_at, version, ttl.
std::vector<std::string> portable_roles(const ModelAttribute& attribute);

/// Whether an update may name it: no key, not set by the library, not protected, and the model not write_once.
bool is_changeable(const Model& model, const ModelAttribute& attribute);

}  // namespace dolmen::generate
