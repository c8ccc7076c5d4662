// DMS files: any text is read or refused with reasons, as YAML and as JSON; accepted models obey the rules, and JSON
// has the same meaning when it is read as YAML.
#include "dolmen/model/model.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<ModelSet> yaml = parse_models(fuzz_input(data, size), "models.yml");
  const Result<ModelSet> json = parse_models(fuzz_input(data, size), "models.json");
  for (const auto* result : {&yaml, &json}) {
    DOLMEN_CHECK(*result || !result->error().details().empty(), "a refusal has reasons");
    if (!*result) continue;
    for (const Model& model : (*result)->models) DOLMEN_CHECK(check_model(model).has_value(), "models obey the rules");
  }
  if (yaml && json) DOLMEN_CHECK(*yaml == *json, "JSON means the same in YAML");
  return 0;
}
