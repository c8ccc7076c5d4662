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

/// What a put, or an update that names the version, does to the version of an item, which `old` has: it must raise it,
/// so that nobody overwrites what they have not read. A put may also begin the item anew, as the puts of models do:
/// with another created_at, whatever its version, or with version 0 where the model has no created_at. A write that
/// changes nothing may be sent twice. Nothing when the model has no version. Rule: version.
std::vector<ErrorDetail> version_violations(const Model& model, const Item& old, const Item& item, bool is_put);

/// What the write policy has against replacing `old` by `item`, or deleting it when `item` is null: an item of a
/// write_once model never changes, and protected attributes keep their values. Rule: write_policy.
std::vector<ErrorDetail> policy_violations(const Model& model, const Item& old, const Item* item);

}  // namespace dolmen::contract
