#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds `generate` to the verb `model`: the models of a DMS file as source code.
void add_model_generate(CLI::App& model, int& exit_code);

}  // namespace dolmen::cli
