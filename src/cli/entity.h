#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds `dolmen entity`, which leaves its exit code in `exit_code`.
void add_entity(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
