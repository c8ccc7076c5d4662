#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `contract`, whose `run` carries scenarios out; see also contract_gate.h.
void add_contract(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
