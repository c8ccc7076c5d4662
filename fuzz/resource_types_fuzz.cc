// Files of resource types: any text is read or refused with reasons; the types of an accepted file can be added to
// others, and JSON has the same types when it is read as YAML.
#include "dolmen/relation/resource_types.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

namespace {

Result<ResourceTypes> parse(std::string_view text, std::string_view name) {
  // A folder without model files.
  Result<ResourceTypes> types = ResourceTypes::parse(text, name, "fuzz/corpus/none");
  if (!types) return types;
  ResourceTypes copies;
  for (const auto& [type_name, type] : types->all()) {
    DOLMEN_CHECK(type_name == type.name && types->get(type_name).has_value(), "a type is found by its name");
    DOLMEN_CHECK(copies.add(type).has_value(), "types obey the rules");
  }
  return types;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz_input(data, size);
  // Nothing outside of the folder is of interest here.
  if (text.contains("/")) return 0;
  const Result<ResourceTypes> yaml = parse(text, "types.yml");
  const Result<ResourceTypes> json = parse(text, "types.json");
  for (const auto* types : {&yaml, &json})
    DOLMEN_CHECK(*types || types->error().code() == Code::kIo || !types->error().details().empty(),
                 "a refusal has reasons");
  if (yaml && json) DOLMEN_CHECK(yaml->all().size() == json->all().size(), "JSON means the same in YAML");
  return 0;
}
