#pragma once

#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model.h"
#include "dolmen/value.h"

namespace dolmen::contract {

/// Everything in which a stored item is not what the model says, sorted by path; no value of an encrypted attribute is
/// ever repeated. Attributes named in `ignored` need not be declared.
///
/// Rules: undeclared, required, null, type, format, json, encrypted.
std::vector<ErrorDetail> model_violations(const Model& model, const Item& item,
                                          const std::vector<std::string>& ignored = {});

/// Whether the version of an item has moved on as the model says: a put has a higher one than what it replaces, an
/// update does not go back. Nothing when the model has no version. Rule: version.
std::vector<ErrorDetail> version_violations(const Model& model, const Item& old, const Item& item, bool replaces);

/// A text in a message: in quotes, or its length when it is long.
std::string shown_text(const std::string& text);

}  // namespace dolmen::contract
