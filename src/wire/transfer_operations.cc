// ExportTableToPointInTime, DescribeExport, ListExports, ImportTable, DescribeImport, ListImports, StartBulkPutItems,
// DescribeBulkOperation, CancelBulkOperation, ListBulkOperations.
#include <utility>

#include "wire/backup_json.h"
#include "wire/expression_parameters.h"
#include "wire/operation.h"
#include "wire/table_json.h"
#include "wire/transfer_json.h"

namespace dolmen::wire {
namespace {

Done<ExportDescription> encoded_export(Done<std::string> done) {
  return encoded<ExportDescription>(
      [](const ExportDescription& described) -> Result<std::string> { return export_description_body(described); },
      std::move(done));
}

Done<ImportDescription> encoded_import(Done<std::string> done) {
  return encoded<ImportDescription>(
      [](const ImportDescription& described) -> Result<std::string> { return import_description_body(described); },
      std::move(done));
}

Done<BulkOperationDescription> encoded_bulk_operation(Done<std::string> done) {
  return encoded<BulkOperationDescription>(
      [](const BulkOperationDescription& described) -> Result<std::string> { return bulk_operation_body(described); },
      std::move(done));
}

BucketEncryption read_bucket_encryption(const Parameters& parameters) {
  return {.algorithm = parameters.string("S3SseAlgorithm"), .kms_key = parameters.string("S3SseKmsKeyId")};
}

BucketPlace read_bucket_place(const Parameters& parameters, std::string_view prefix) {
  return {.bucket = parameters.required_string("S3Bucket"),
          .owner = parameters.string("S3BucketOwner"),
          .prefix = parameters.string(prefix)};
}

ObjectCompression read_compression(const Parameters& parameters) {
  // The constraints allow only names that exist.
  return object_compression_of(parameters.string("InputCompressionType").value_or("NONE"))
      .value_or(ObjectCompression::kNone);
}

ItemFormat read_item_format(const Parameters& parameters, std::string_view name) {
  return item_format_of(parameters.string(name).value_or("DYNAMODB_JSON")).value_or(ItemFormat::kDynamoJson);
}

Result<ExportFilter> read_export_filter(const Parameters& specification, const Layer& layer) {
  ExportFilter filter{.key_condition = specification.string("KeyConditionExpression"),
                      .filter = specification.string("FilterExpression"),
                      .projection = specification.string("ProjectionExpression")};
  DOLMEN_TRY(filter.placeholders, read_placeholders(specification, layer));
  return filter;
}

Result<void> export_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ExportTableRequest request{.table_arn = parameters.required_string("TableArn"),
                             .client_token = parameters.string("ClientToken"),
                             .to = read_bucket_place(parameters, "S3Prefix"),
                             .encryption = read_bucket_encryption(parameters),
                             .format = read_item_format(parameters, "ExportFormat")};
  DOLMEN_TRY(request.time, read_time(parameters, "ExportTime"));
  if (const auto type = parameters.string("ExportType")) request.incremental = *type == "INCREMENTAL_EXPORT";
  if (const auto specification = parameters.structure("IncrementalExportSpecification")) {
    IncrementalExport window;
    DOLMEN_TRY(window.from, read_time(*specification, "ExportFromTime"));
    DOLMEN_TRY(window.to, read_time(*specification, "ExportToTime"));
    window.old_images = specification->string("ExportViewType").value_or("NEW_AND_OLD_IMAGES") == "NEW_AND_OLD_IMAGES";
    request.window = window;
  }
  if (const auto specification = parameters.structure("FilterSpecification")) {
    DOLMEN_TRY(request.filter, read_export_filter(*specification, parameters.layer()));
  }
  backend.service.start(ExportTableToPointInTime{}, std::move(request), encoded_export(std::move(done)));
  return {};
}

Result<void> describe_export(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(DescribeExport{}, {.arn = parameters.required_string("ExportArn")},
                        encoded_export(std::move(done)));
  return {};
}

Result<void> list_exports(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(
      ListExports{},
      {.table_arn = parameters.string("TableArn"),
       .limit = parameters.integer("MaxResults"),
       .next_token = parameters.string("NextToken")},
      encoded<ExportPage>([](const ExportPage& page) -> Result<std::string> { return export_page_body(page); },
                          std::move(done)));
  return {};
}

CsvInput read_csv_options(const Parameters& parameters) {
  CsvInput csv{.delimiter = parameters.string("Delimiter")};
  if (const auto names = parameters.find("HeaderList"))
    for (const json::Element name : json::array_of(*names)) csv.header.emplace_back(json::string_of(name));
  return csv;
}

/// The parameters of CreateTable, of which an import has only some. The others are members that it does not know.
Result<TableDefinition> read_imported_table(const Parameters& parameters) {
  DOLMEN_TRY(const TableDefinition read, read_table_definition(parameters));
  TableDefinition table{.name = read.name, .partition_key = read.partition_key, .sort_key = read.sort_key};
  table.global_indexes = read.global_indexes;
  table.vector_indexes = read.vector_indexes;
  table.billing_mode = read.billing_mode;
  table.throughput = read.throughput;
  table.on_demand = read.on_demand;
  table.kms_key = read.kms_key;
  return table;
}

Result<void> import_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(TableDefinition table, read_imported_table(*parameters.structure("TableCreationParameters")));
  ImportTableRequest request{.client_token = parameters.string("ClientToken"),
                             .from = read_bucket_place(*parameters.structure("S3BucketSource"), "S3KeyPrefix"),
                             .format = read_item_format(parameters, "InputFormat"),
                             .compression = read_compression(parameters),
                             .table = std::move(table)};
  if (const auto options = parameters.structure("InputFormatOptions"))
    if (const auto csv = options->structure("Csv")) request.csv = read_csv_options(*csv);
  backend.service.start(ImportTable{}, std::move(request), encoded_import(std::move(done)));
  return {};
}

Result<void> describe_import(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(DescribeImport{}, {.arn = parameters.required_string("ImportArn")},
                        encoded_import(std::move(done)));
  return {};
}

Result<void> list_imports(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(
      ListImports{},
      {.table_arn = parameters.string("TableArn"),
       .limit = parameters.integer("PageSize"),
       .next_token = parameters.string("NextToken")},
      encoded<ImportPage>([](const ImportPage& page) -> Result<std::string> { return import_page_body(page); },
                          std::move(done)));
  return {};
}

Result<void> start_bulk_put(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(std::string table, read_table_name(parameters, backend));
  const Parameters input = *parameters.structure("InputS3Configuration");
  const Parameters output = *parameters.structure("OutputS3Configuration");
  BulkPutRequest request{.table = std::move(table),
                         .client_token = parameters.string("ClientToken"),
                         .from = read_bucket_place(input, "S3KeyPrefix"),
                         .format = read_item_format(input, "InputFormat"),
                         .compression = read_compression(input),
                         .reports = read_bucket_place(output, "S3KeyPrefix"),
                         .encryption = read_bucket_encryption(output),
                         .max_write_units = parameters.integer("MaxWriteRequestUnits"),
                         .tier = parameters.string("PerformanceTier")};
  if (const auto types = output.find("OutputType"))
    for (const json::Element type : json::array_of(*types))
      (json::string_of(type) == "ERROR" ? request.report_errors : request.report_failed_conditions) = true;
  backend.service.start(StartBulkPutItems{}, std::move(request), encoded_bulk_operation(std::move(done)));
  return {};
}

Result<void> describe_bulk_operation(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(DescribeBulkOperation{}, {.arn = parameters.required_string("BulkOperationArn")},
                        encoded_bulk_operation(std::move(done)));
  return {};
}

Result<void> cancel_bulk_operation(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(CancelBulkOperation{}, {.arn = parameters.required_string("BulkOperationArn")},
                        encoded_bulk_operation(std::move(done)));
  return {};
}

Result<void> list_bulk_operations(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  backend.service.start(
      ListBulkOperations{}, {.limit = parameters.integer("MaxResults"), .next_token = parameters.string("NextToken")},
      encoded<BulkOperationPage>(
          [](const BulkOperationPage& page) -> Result<std::string> { return bulk_operation_page_body(page); },
          std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> transfer_operations() {
  static const WireOperation kAll[] = {
      {ExportTableToPointInTime::kInfo, export_table},
      {DescribeExport::kInfo, describe_export},
      {ListExports::kInfo, list_exports},
      {ImportTable::kInfo, import_table},
      {DescribeImport::kInfo, describe_import},
      {ListImports::kInfo, list_imports},
      {StartBulkPutItems::kInfo, start_bulk_put},
      {DescribeBulkOperation::kInfo, describe_bulk_operation},
      {CancelBulkOperation::kInfo, cancel_bulk_operation},
      {ListBulkOperations::kInfo, list_bulk_operations},
  };
  return kAll;
}

}  // namespace dolmen::wire
