#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "objects/object_store.h"

namespace dolmen {

/// One answer of S3 to ListObjectsV2.
struct BucketListing {
  std::vector<ObjectInfo> objects;
  /// Where to go on; empty when these were the last.
  std::string next;
};

/// Fails with kUnexpectedResponse when an object lacks its key, its size or its time.
Result<BucketListing> read_bucket_listing(std::string_view xml);

}  // namespace dolmen
