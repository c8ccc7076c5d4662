#pragma once

#include <string_view>

#include "cli/demo_tour.h"
#include "dolmen/store.h"

/// What `dolmen demo` does without a verb, because programs do it.
namespace dolmen::cli {

/// What is printed in the place of a command.
std::string_view demo_step_text(DemoStep step);
/// Files are named as seen from the folder of the demo.
Result<void> run_demo_step(DemoStep step, Store& store);

}  // namespace dolmen::cli
