#include "dolmen/open.h"

#include <string_view>

#include "base/fail.h"
#include "dolmen/remote.h"
#include "store/embedded/embedded.h"

namespace dolmen {
namespace {

Result<std::unique_ptr<Store>> open_directory(const EmbeddedOptions& options) {
  DOLMEN_TRY(std::unique_ptr<Service> service, open_embedded(options));
  return std::make_unique<Store>(std::move(service));
}

}  // namespace

Result<std::unique_ptr<Store>> open(const std::string& address) {
  constexpr std::string_view kAws = "aws:";
  constexpr std::string_view kFile = "file:";
  if (address == "memory:") return open_directory({.durability = storage::Durability::kMemory});
  if (address.starts_with("http://") || address.starts_with("https://")) return open_remote({.endpoint = address});
  if (address.starts_with(kAws)) return open_remote({.region = address.substr(kAws.size())});
  const std::string directory = address.starts_with(kFile) ? address.substr(kFile.size()) : address;
  const bool has_scheme = !address.starts_with(kFile) && address.find("://") != std::string::npos;
  if (directory.empty() || has_scheme)
    return fail(Code::kInvalidArgument,
                "\"{}\" is not the address of a store; try \"./data\", \"file:DIR\", \"memory:\", "
                "\"http://127.0.0.1:8000\" or \"aws:eu-west-1\"",
                address);
  return open_directory({.directory = directory});
}

}  // namespace dolmen
