#pragma once

#include "dolmen/expression.h"
#include "dolmen/model/update.h"

namespace dolmen {

/// An update, and what must hold of the stored item so that the update leaves one that the model allows.
struct GuardedUpdate {
  Update update;
  Condition guard;
};

/// What `compile_update` does. The guard keeps the update from emptying a required set, and from making an item that
/// lacks required attributes.
Result<GuardedUpdate> compile_guarded_update(const Model& model, const FieldUpdate& update,
                                             const UpdateEncodeOptions& options);

}  // namespace dolmen
