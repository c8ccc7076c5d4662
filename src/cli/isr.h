#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `isr`, which looks at pages that regenerate, and purges them.
void add_isr(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
