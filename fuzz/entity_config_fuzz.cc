// Configs of entities: any text is read or refused with reasons; an accepted config obeys the rules, keeps its form,
// and reads back from the text that is stored in its table.
#include "dolmen/entity/config.h"
#include "dolmen/entity/manager.h"
#include "entity/stored_config.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* name : {"entities.yml", "entities.json"}) {
    const Result<EntityConfig> config = parse_entity_config(fuzz_input(data, size), name);
    if (!config) {
      DOLMEN_CHECK(!config.error().details().empty(), "a refusal has reasons");
      continue;
    }
    DOLMEN_CHECK(check_entity_config(*config) == *config, "a config keeps its form");
    const Result<EntityManager> manager = EntityManager::make(*config);
    DOLMEN_CHECK(manager.has_value(), "a config has a manager");
    const Result<EntityManager> again = entity::read_config_text(entity::config_text(*manager), {});
    DOLMEN_CHECK(again && again->config() == manager->config(), "a stored config reads back");
  }
  return 0;
}
