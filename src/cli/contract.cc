#include "cli/contract.h"

#include "cli/contract_gate.h"
#include "cli/scenario.h"

namespace dolmen::cli {

void add_contract(const Verb& program) {
  const Verb verb =
      program.verb("contract", "Bind tables to models or schemas, so that only fitting items are written");
  add_contract_gate(verb);
  add_former_contract_run(verb);
}

}  // namespace dolmen::cli
