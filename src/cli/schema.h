#pragma once

namespace CLI {
class App;
}

namespace dolmen::cli {

/// Adds the verb `schema`: publish, list, show and validate document schemas.
void add_schema(CLI::App& app, int& exit_code);

}  // namespace dolmen::cli
