#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `model` with what can be done to DMS files: `check`, `show`, `diff` and `generate`.
void add_model(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
