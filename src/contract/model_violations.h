#pragma once

#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/model.h"
#include "dolmen/value.h"

namespace dolmen::contract {

/// Everything in which a stored item is not what the model says, sorted by path; no value of an encrypted attribute is
/// ever repeated. Attributes named in `ignored` need not be declared.
///
/// Rules: undeclared, required, null, type, format, json, encrypted.
std::vector<ErrorDetail> model_violations(const Model& model, const Item& item,
                                          const std::vector<std::string>& ignored = {});

/// What a write does to the version of an item, which `old` has: a put, or an update that names it, must raise it, so
/// that nobody overwrites what they have not read. An update that does not name it says nothing about it, and a write
/// that changes nothing may be sent twice. Nothing when the model has no version. Rule: version.
std::vector<ErrorDetail> version_violations(const Model& model, const Item& old, const Item& item, bool names_version);

}  // namespace dolmen::contract
