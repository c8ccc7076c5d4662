#pragma once

#include <memory>
#include <string>

#include "dolmen/detail/store_address.h"
#include "dolmen/embedded.h"
#include "dolmen/error.h"
#include "dolmen/remote.h"
#include "dolmen/store.h"

// Which kinds of stores the program links. The CMake components `embedded` and `remote` define theirs; who defines
// neither links both.
#if !defined(DOLMEN_LINKS_EMBEDDED) && !defined(DOLMEN_LINKS_REMOTE)
#define DOLMEN_LINKS_EMBEDDED
#define DOLMEN_LINKS_REMOTE
#endif

namespace dolmen {

/// Opens a store by its address:
///
///   "./data" or "file:./data"   an embedded store in that directory, created when it is missing; every acknowledged
///                               write is on disk
///   "memory:"                   an embedded store that ends with the process
///   "memory:?seed=42&throttle=0.1"   the same, in which things go wrong (dolmen/faults.h), for tests
///   "http://127.0.0.1:8000"     a Dolmen server, or another server with DynamoDB's protocol; also https://
///   "aws:eu-west-1"             AWS's DynamoDB in that region; "aws:" in the region that the environment or the
///                               profile names
///
/// `open_remote` (dolmen/remote.h) has options for the last two, and docs/stores.md describes all of them. Opening
/// a remote store does not connect to it; the first call does.
///
/// Fails with kDirectoryInUse, kDirectoryUnusable, kForeignDirectory, kFormatVersion, kCorruption, kNoSpace, kIo, with
/// kInvalidArgument for an address of another form, and with kUnsupported when the program does not link that kind of
/// store.
inline Result<std::unique_ptr<Store>> open(const std::string& address) {
  DOLMEN_TRY(const detail::StoreAddress store, detail::parse_store_address(address));
  switch (store.kind) {
#ifdef DOLMEN_LINKS_EMBEDDED
    case detail::StoreKind::kDirectory: return open_embedded({.directory = store.where});
    case detail::StoreKind::kMemory: {
      EmbeddedOptions options{.durability = Durability::kMemory};
      if (!store.where.empty()) {
        DOLMEN_TRY(options.faults, FaultLab::from_text(store.where));
      }
      return open_embedded(options);
    }
#endif
#ifdef DOLMEN_LINKS_REMOTE
    case detail::StoreKind::kEndpoint: return open_remote({.endpoint = store.where});
    case detail::StoreKind::kAws: return open_remote({.region = store.where});
#endif
    default: break;
  }
  const bool embedded = store.kind == detail::StoreKind::kDirectory || store.kind == detail::StoreKind::kMemory;
  return std::unexpected(detail::not_linked(address, embedded ? "embedded" : "remote"));
}

}  // namespace dolmen
