#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "cli/serve.h"
#include "dolmen/version.h"

namespace {

/// Exit codes of every verb: 0 done, 1 it could not be done, 2 it was asked for wrongly.
constexpr int kUsageError = 2;

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Dolmen, a DynamoDB-compatible table store", "dolmen"};
  app.set_version_flag("--version", "dolmen " + std::string(dolmen::version()));
  app.require_subcommand(1);
  app.footer("Run 'dolmen VERB --help' for the options of a verb.");

  int exit_code = 0;
  dolmen::cli::add_serve(app, exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);  // --help or --version
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "dolmen: %s\nRun 'dolmen --help' for what there is.\n", error.what());
    return kUsageError;
  }
  return exit_code;
}
