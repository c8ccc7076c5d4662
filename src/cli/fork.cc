#include "cli/fork.h"

#include <fmt/format.h>
#include <memory>
#include <string>

#include "cli/print_error.h"
#include "cli/print_json.h"
#include "dolmen/embedded.h"

namespace dolmen::cli {
namespace {

struct ForkFlags {
  std::string from;
  std::string to;
  bool json = false;
};

int fork_store(const ForkFlags& flags) {
  if (const Result<void> forked = fork_directory(flags.from, flags.to); !forked)
    return report(forked.error(), flags.json);
  if (flags.json) return print_json(LogicalItem{{"from", flags.from}, {"to", flags.to}}) ? kDone : kFailed;
  fmt::print("{} is a fork of {}\n", flags.to, flags.from);
  return kDone;
}

}  // namespace

void add_fork(const Verb& program) {
  auto flags = std::make_shared<ForkFlags>();
  const Verb verb = program.verb("fork", "Make a writable copy of a store, in milliseconds");
  verb.text("DIR", flags->from, "Data directory of the store, which no server has open").required().not_empty();
  verb.text("NEW", flags->to, "Directory of the copy, missing or empty").required().not_empty();
  verb.flag("--json", flags->json, "Print JSON, also for errors");
  verb.runs([flags] { return fork_store(*flags); });
}

}  // namespace dolmen::cli
