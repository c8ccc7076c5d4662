#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds `bind`, `status` and `unbind` to the verb `contract`: which items may be written to a table.
void add_contract_gate(CLI::App& verb, int& exit_code);

}  // namespace dolmen::cli
