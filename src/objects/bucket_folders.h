#pragma once

#include <filesystem>
#include <memory>

#include "base/file_writer.h"
#include "objects/object_store.h"

namespace dolmen {

/// The folders in `directory`, each of them a bucket: the object a/b of the bucket c is the file c/a/b. Nothing outside
/// of the directory is ever read or written: keys with ".." are refused, and symbolic links are not followed. A bucket
/// is made by making its folder; there is no other way. Fails with kDirectoryUnusable when there is no such directory.
Result<std::unique_ptr<Buckets>> open_bucket_folders(const std::filesystem::path& directory,
                                                     FileWriter files = FileWriter());

}  // namespace dolmen
