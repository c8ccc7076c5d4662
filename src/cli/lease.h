#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `lease`: acquire, refresh, release, status, and `run`, which runs a command under a lease.
void add_lease(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
