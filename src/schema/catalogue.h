#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/schema.h"

namespace dolmen::schema {

/// What is known of a published file.
struct CatalogueEntry {
  /// The file may or may not be there: its publication has begun and was not acknowledged.
  bool publishing = false;
  std::uint64_t length = 0;
  std::string sha256;

  friend bool operator==(const CatalogueEntry&, const CatalogueEntry&) = default;
};

/// Every schema file that must be there, so that a missing or changed one is found.
using Catalogue = std::map<SchemaRef, CatalogueEntry>;

/// The catalogue's file: a line of format, a line for each entry, and a line that vouches for those before it.
std::string catalogue_text(const Catalogue& catalogue);

/// Fails with kCorruption unless the text is exactly what `catalogue_text` writes for some catalogue.
Result<Catalogue> read_catalogue(std::string_view text);

}  // namespace dolmen::schema
