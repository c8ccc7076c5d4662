#include "dolmen/open.h"

#include <string_view>

#include "base/fail.h"
#include "dolmen/embedded.h"
#include "dolmen/remote.h"

namespace dolmen {

Result<std::unique_ptr<Store>> open(const std::string& address) {
  constexpr std::string_view kAws = "aws:";
  constexpr std::string_view kFile = "file:";
  if (address == "memory:") return open_embedded({.durability = Durability::kMemory});
  if (address.starts_with("http://") || address.starts_with("https://")) return open_remote({.endpoint = address});
  if (address.starts_with(kAws)) return open_remote({.region = address.substr(kAws.size())});
  const std::string directory = address.starts_with(kFile) ? address.substr(kFile.size()) : address;
  const bool has_scheme = !address.starts_with(kFile) && address.find("://") != std::string::npos;
  if (directory.empty() || has_scheme)
    return fail(Code::kInvalidArgument,
                "\"{}\" is not the address of a store; try \"./data\", \"file:DIR\", \"memory:\", "
                "\"http://127.0.0.1:8000\" or \"aws:eu-west-1\"",
                address);
  return open_embedded({.directory = directory});
}

}  // namespace dolmen
