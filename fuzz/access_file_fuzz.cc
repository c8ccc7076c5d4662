// Access files: any text is read or refused with reasons, and the keys of an accepted one obey the rules.
#include <algorithm>
#include <set>

#include "access/access_file.h"
#include "fuzz/fuzz.h"

using namespace dolmen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* name : {"access.yaml", "access.json"}) {
    const Result<std::vector<access::AccessKey>> keys = access::parse_access_file(fuzz_input(data, size), name);
    if (!keys) {
      DOLMEN_CHECK(keys.error().code() == Code::kInvalidArgument && !keys.error().details().empty(),
                   "a refusal has reasons");
      continue;
    }
    std::set<std::string> ids;
    for (const access::AccessKey& key : *keys) {
      DOLMEN_CHECK(ids.insert(key.id).second, "an id is there once");
      DOLMEN_CHECK(key.id.size() >= 16 && key.secret.size() >= 16, "a key has an id and a secret of some length");
      DOLMEN_CHECK(std::ranges::none_of(key.tables, &std::string::empty), "a table has a name");
      DOLMEN_CHECK(!key.is_for_all_tables() || key.allows_table("any"), "a key without tables is for all");
    }
  }
  return 0;
}
