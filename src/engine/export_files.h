#pragma once

#include <span>
#include <string>

#include "engine/transfer_rows.h"

/// The names and the manifests of the files of an export, as AWS has them.
namespace dolmen::engine::export_files {

/// The key of the file `name` in the folder of the export: "PREFIX/AWSDynamoDB/ID/NAME".
std::string key_of(const transfers::ExportJob& job, std::string_view name);
/// The key of a data file, the same whenever it is asked for.
std::string data_key(const transfers::ExportJob& job, std::uint64_t number);

/// manifest-files.json.
std::string file_lines(std::span<const transfers::ExportFile> files);
/// manifest-summary.json.
std::string summary(const transfers::ExportJob& job);

}  // namespace dolmen::engine::export_files
