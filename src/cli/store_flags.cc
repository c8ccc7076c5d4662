#include "cli/store_flags.h"

#include <CLI/CLI.hpp>

#include "dolmen/open.h"

namespace dolmen::cli {

void add_store_flags(CLI::App& verb, StoreFlags& flags) {
  CLI::Option* data = verb.add_option("--data", flags.data, "Directory of an embedded store");
  CLI::Option* endpoint =
      verb.add_option("--endpoint", flags.endpoint, "URL of a server that speaks DynamoDB's protocol, or aws:REGION");
  CLI::Option* memory = verb.add_flag("--memory", flags.memory, "A store that is gone afterwards");
  data->excludes(endpoint)->excludes(memory);
  endpoint->excludes(memory);
}

Result<std::unique_ptr<Store>> open_store(const StoreFlags& flags, const std::string& fallback) {
  if (flags.memory) return open("memory:");
  if (!flags.endpoint.empty()) return open(flags.endpoint);
  return open(flags.data.empty() ? fallback : "file:" + flags.data);
}

}  // namespace dolmen::cli
