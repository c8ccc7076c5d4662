#include <iostream>
#include <string>

#include "cli/access.h"
#include "cli/backup.h"
#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/config.h"
#include "cli/contract.h"
#include "cli/copy.h"
#include "cli/document.h"
#include "cli/entity.h"
#include "cli/explain.h"
#include "cli/isr.h"
#include "cli/item.h"
#include "cli/lease.h"
#include "cli/model.h"
#include "cli/read_items.h"
#include "cli/relation.h"
#include "cli/scenario.h"
#include "cli/schema.h"
#include "cli/serve.h"
#include "cli/stream.h"
#include "cli/table.h"
#include "cli/tls.h"
#include "cli/transfer.h"
#include "cli/vector.h"
#include "dolmen/version.h"

int main(int argc, char** argv) {
  using namespace dolmen;
  cli::CommandLine line("dolmen", "Dolmen, a DynamoDB-compatible table store", "dolmen " + std::string(version()));
  const cli::Verb program = line.root();
  cli::add_serve(program);
  cli::add_table(program);
  cli::add_item(program);
  cli::add_query_and_scan(program);
  cli::add_vector(program);
  cli::add_import_and_export(program);
  cli::add_copy(program);
  cli::add_stream(program);
  cli::add_config(program);
  cli::add_access(program);
  cli::add_tls(program);
  cli::add_backup(program);
  cli::add_model(program);
  cli::add_scenario(program);
  cli::add_contract(program);
  cli::add_relation(program);
  cli::add_lease(program);
  cli::add_isr(program);
  cli::add_schema(program);
  cli::add_document(program);
  cli::add_entity(program);
  cli::add_explain(program);
  cli::add_completion_and_help(line, program);
  return line.run(argc, argv, std::cout, std::cerr);
}
