#pragma once

#include "dolmen/model/logical_value.h"

namespace dolmen::scenario {

/// A step has two forms. In the plain one everything stands in the step itself: {op: query, partition: "P"}. Newer
/// files of other implementations have a request of its own in it, with other words for the same:
/// {op: query, query: {partition: {attribute: "pk", operator: "=", value: "P"}}}. This returns the plain one, which is
/// the only one that is carried out and that drivers see. The names in the step must be known (step_names.h).
LogicalItem plain_form(LogicalItem step);

}  // namespace dolmen::scenario
