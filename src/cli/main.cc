#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "cli/contract.h"
#include "cli/document.h"
#include "cli/entity.h"
#include "cli/isr.h"
#include "cli/lease.h"
#include "cli/model.h"
#include "cli/relation.h"
#include "cli/schema.h"
#include "cli/serve.h"
#include "dolmen/version.h"

namespace {

/// Exit codes of every verb: 0 done, 1 it could not be done, 2 it was asked for wrongly.
constexpr int kUsageError = 2;

int usage_error(const std::string& message) {
  std::fprintf(stderr, "dolmen: %s\nRun 'dolmen --help' for what there is.\n", message.c_str());
  return kUsageError;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Dolmen, a DynamoDB-compatible table store", "dolmen"};
  app.set_version_flag("--version", "dolmen " + std::string(dolmen::version()));
  app.require_subcommand(1);
  app.footer("Run 'dolmen VERB --help' for the options of a verb.");

  int exit_code = 0;
  dolmen::cli::add_serve(app, exit_code);
  dolmen::cli::add_model(app, exit_code);
  dolmen::cli::add_contract(app, exit_code);
  dolmen::cli::add_relation(app, exit_code);
  dolmen::cli::add_lease(app, exit_code);
  dolmen::cli::add_isr(app, exit_code);
  dolmen::cli::add_schema(app, exit_code);
  dolmen::cli::add_document(app, exit_code);
  dolmen::cli::add_entity(app, exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);  // --help or --version
  } catch (const CLI::RequiredError& error) {
    const std::string word = argc > 1 ? argv[1] : "";
    const bool unknown_verb = !word.empty() && word[0] != '-' && app.get_subcommands().empty();
    const std::string message = unknown_verb ? "there is no verb \"" + word + "\"" : error.what();
    return usage_error(message);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  return exit_code;
}
