#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "cli/access.h"
#include "cli/backup.h"
#include "cli/bench.h"
#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/config.h"
#include "cli/contract.h"
#include "cli/copy.h"
#include "cli/demo.h"
#include "cli/doctor.h"
#include "cli/document.h"
#include "cli/drift.h"
#include "cli/entity.h"
#include "cli/explain.h"
#include "cli/fork.h"
#include "cli/isr.h"
#include "cli/item.h"
#include "cli/keys.h"
#include "cli/lease.h"
#include "cli/model.h"
#include "cli/read_items.h"
#include "cli/reference.h"
#include "cli/relation.h"
#include "cli/scenario.h"
#include "cli/schema.h"
#include "cli/serve.h"
#include "cli/shell.h"
#include "cli/sql.h"
#include "cli/stream.h"
#include "cli/table.h"
#include "cli/tls.h"
#include "cli/transfer.h"
#include "cli/vector.h"
#include "cli/verify.h"
#include "dolmen/version.h"

namespace {

using namespace dolmen;

std::unique_ptr<cli::CommandLine> make_bare_program() {
  return std::make_unique<cli::CommandLine>("dolmen", "Dolmen, a DynamoDB-compatible table store",
                                            "dolmen " + std::string(version()));
}

/// The program with the verb `serve` only: a server runs for long, and need not keep the options of all other verbs.
std::unique_ptr<cli::CommandLine> make_server_program() {
  auto line = make_bare_program();
  cli::add_serve(line->root());
  return line;
}

/// The program with all of its verbs.
std::unique_ptr<cli::CommandLine> make_program() {
  auto line = make_bare_program();
  const cli::Verb program = line->root();
  cli::add_serve(program);
  cli::add_table(program);
  cli::add_item(program);
  cli::add_query_and_scan(program);
  cli::add_sql(program);
  cli::add_vector(program);
  cli::add_import_and_export(program);
  cli::add_copy(program);
  cli::add_stream(program);
  cli::add_config(program);
  cli::add_access(program);
  cli::add_tls(program);
  cli::add_backup(program);
  cli::add_fork(program);
  cli::add_verify_and_repair(program);
  cli::add_model(program);
  cli::add_scenario(program);
  cli::add_contract(program);
  cli::add_drift(program);
  cli::add_keys(program);
  cli::add_relation(program);
  cli::add_lease(program);
  cli::add_isr(program);
  cli::add_schema(program);
  cli::add_document(program);
  cli::add_entity(program);
  cli::add_explain(program);
  cli::add_shell(program, make_program);
  cli::add_doctor(program);
  cli::add_bench(program);
  cli::add_demo(program, make_program);
  cli::add_completion_and_help(*line, program);
  cli::add_reference(*line, program);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  const bool serves = argc > 1 && std::string_view(argv[1]) == "serve";
  return (serves ? make_server_program() : make_program())->run(argc, argv, std::cout, std::cerr);
}
