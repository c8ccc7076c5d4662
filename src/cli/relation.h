#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `relation` with all that can be done to a relational store.
void add_relation(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
