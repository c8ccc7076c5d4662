#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `document`: write, read, query and import documents.
void add_document(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
