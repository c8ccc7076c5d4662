#include "dolmen/open.h"

#include <string_view>

#include "base/fail.h"
#include "store/embedded/embedded.h"

namespace dolmen {
namespace {

Result<EmbeddedOptions> options_of(std::string_view address) {
  constexpr std::string_view kFile = "file:";
  if (address == "memory:") return EmbeddedOptions{.durability = storage::Durability::kMemory};
  const std::string_view directory = address.starts_with(kFile) ? address.substr(kFile.size()) : address;
  const bool has_scheme = !address.starts_with(kFile) && address.find("://") != std::string_view::npos;
  if (directory.empty() || has_scheme)
    return fail(Code::kInvalidArgument,
                "\"{}\" is not the address of a store; try \"./data\", \"file:DIR\" or \"memory:\"", address);
  return EmbeddedOptions{.directory = std::string(directory)};
}

}  // namespace

Result<std::unique_ptr<Store>> open(const std::string& address) {
  DOLMEN_TRY(const EmbeddedOptions options, options_of(address));
  DOLMEN_TRY(std::unique_ptr<Service> service, open_embedded(options));
  return std::make_unique<Store>(std::move(service));
}

}  // namespace dolmen
