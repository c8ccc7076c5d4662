#include "cli/model_compat.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/model_files.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "model/compatibility.h"

namespace dolmen::cli {

namespace {

struct CompatFlags {
  std::string before;
  std::string after;
  bool json = false;
};

/// True when nothing breaks.
Result<bool> compare(const CompatFlags& flags) {
  DOLMEN_TRY(const std::vector<Model> before, models_in({flags.before}));
  DOLMEN_TRY(const std::vector<Model> after, models_in({flags.after}));
  const std::vector<ModelChange> changes = breaking_changes(before, after);
  LogicalValue::List described;
  for (const ModelChange& change : changes) {
    described.emplace_back(LogicalItem{{"model", change.model},
                                       {"path", change.path},
                                       {"breaks", breaks_name(change.breaks)},
                                       {"message", change.message}});
    if (!flags.json)
      fmt::print("{}: breaks {}: {} {}\n", change.model, breaks_name(change.breaks), change.path, change.message);
  }
  if (flags.json)
    print_json(LogicalItem{{"compatible", changes.empty()}, {"changes", std::move(described)}});
  else if (changes.empty())
    fmt::print("compatible: programs with the old and the new models can work together\n");
  else
    fmt::print("{}\n", counted(changes.size(), "breaking change", "breaking changes"));
  return changes.empty();
}

int run(const CompatFlags& flags) {
  const Result<bool> compatible = compare(flags);
  if (compatible) return *compatible ? kDone : kFailed;
  return report(compatible.error(), flags.json);
}

}  // namespace

void add_model_compat(const Verb& model) {
  auto flags = std::make_shared<CompatFlags>();
  const Verb verb = model.verb("compat", "Say what new models would break for programs that use the old ones");
  verb.text("OLD", flags->before, "DMS file that is in use, or a folder of them").required();
  verb.text("NEW", flags->after, "DMS file that is to replace it, or a folder of them").required();
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags] { return run(*flags); });
}

}  // namespace dolmen::cli
