#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `contract`, whose `run` carries scenarios out.
void add_contract(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
