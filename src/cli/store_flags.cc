#include "cli/store_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>

#include "base/fail.h"
#include "dolmen/open.h"

namespace dolmen::cli {

namespace {

constexpr std::array<std::string_view, 3> kRemote{"http://", "https://", "aws:"};

}  // namespace

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
  if (!flags.endpoint.empty()) {
    // Anything else would be a directory, and `open` would make it.
    if (std::ranges::none_of(kRemote, [&](std::string_view scheme) { return flags.endpoint.starts_with(scheme); }))
      return fail(
          Code::kInvalidArgument,
          "--endpoint \"{}\" is not the address of a server; try \"http://127.0.0.1:8000\" or \"aws:eu-west-1\"",
          flags.endpoint);
    return open(flags.endpoint);
  }
  return open(flags.data.empty() ? fallback : "file:" + flags.data);
}

Result<std::unique_ptr<Store>> open_existing_store(const StoreFlags& flags) {
  const std::string directory = flags.data.empty() ? "./data" : flags.data;
  std::error_code failure;
  if (!flags.memory && flags.endpoint.empty() && !std::filesystem::is_directory(directory, failure))
    return fail(Code::kInvalidArgument, "there is no store in {}; name one with --data DIR or --endpoint URL",
                directory);
  return open_store(flags, "file:" + directory);
}

}  // namespace dolmen::cli
