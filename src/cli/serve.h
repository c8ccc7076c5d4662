#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `serve`, which runs until SIGTERM or SIGINT and leaves its exit code in `exit_code`.
void add_serve(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
