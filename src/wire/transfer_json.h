#pragma once

#include <string>

#include "service/transfer_requests.h"

/// Exports, imports and bulk operations as DynamoDB describes them.
namespace dolmen::wire {

std::string export_description_body(const ExportDescription& description);
std::string export_page_body(const ExportPage& page);
std::string import_description_body(const ImportDescription& description);
std::string import_page_body(const ImportPage& page);
std::string bulk_operation_body(const BulkOperationDescription& description);
std::string bulk_operation_page_body(const BulkOperationPage& page);

}  // namespace dolmen::wire
