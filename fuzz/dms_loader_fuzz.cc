// DMS files: any text is read or refused with reasons, as YAML and as JSON; accepted models obey the rules and are
// files again when they are shown, and JSON has the same meaning when it is read as YAML.
#include "dolmen/model/model.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

namespace {
constexpr std::size_t kShownMax = 64 * 1024;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<ModelSet> yaml = parse_models(fuzz_input(data, size), "models.yml");
  const Result<ModelSet> json = parse_models(fuzz_input(data, size), "models.json");
  for (const auto* result : {&yaml, &json}) {
    DOLMEN_CHECK(*result || !result->error().details().empty(), "a refusal has reasons");
    if (!*result) continue;
    for (const Model& model : (*result)->models) DOLMEN_CHECK(check_model(model).has_value(), "models obey the rules");
    // A number in tags may be too large for JSON as it is written everywhere, and a file for the limit of files.
    const Result<std::string> shown = canonical_json(dms_document(**result));
    if (!shown || size > kShownMax) continue;
    const Result<ModelSet> again = parse_models(*shown, "shown.json");
    DOLMEN_CHECK(again && again->models.size() == (*result)->models.size(), "what is shown is a file");
  }
  if (yaml && json) DOLMEN_CHECK(*yaml == *json, "JSON means the same in YAML");
  return 0;
}
