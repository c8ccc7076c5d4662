#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"

/// The folders that ExportTableToPointInTime writes: manifest-summary.json, manifest-files.json with a line for each
/// data file, and data/*.json.gz with a line {"Item": ...} of DynamoDB JSON for each item.
namespace dolmen::transfer {

/// The data files of an export. `folder` has the manifests, or AWSDynamoDB/ID below it does. Fails with kIo, and with
/// kValidation for manifests that cannot be read, exports in Ion and exports of increments.
Result<std::vector<std::string>> aws_data_files(const std::string& folder);

/// The item in a line of a data file. Fails later, as no item, when there is none.
std::string_view aws_item(std::string_view record);

/// What the manifests of an export say.
struct AwsExport {
  std::string folder;
  /// Below `folder`/data.
  std::string data_file;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::int64_t time_ms = 0;
};

/// Writes the manifests of a complete data file. Fails with kIo.
Result<void> write_aws_manifests(const AwsExport& done, const TableDescription& table);

}  // namespace dolmen::transfer
