#include <algorithm>
#include <array>
#include <utility>

#include "service/transfer_requests.h"

namespace dolmen {
namespace {

template <class T, std::size_t N>
using TransferNames = std::array<std::pair<T, std::string_view>, N>;

constexpr TransferNames<JobStatus, 6> kJobStatuses{{{JobStatus::kInProgress, "IN_PROGRESS"},
                                                    {JobStatus::kCompleted, "COMPLETED"},
                                                    {JobStatus::kCompletedWithErrors, "COMPLETED_WITH_ERRORS"},
                                                    {JobStatus::kCancelling, "CANCELLING"},
                                                    {JobStatus::kCancelled, "CANCELLED"},
                                                    {JobStatus::kFailed, "FAILED"}}};
constexpr TransferNames<ItemFormat, 3> kItemFormats{
    {{ItemFormat::kDynamoJson, "DYNAMODB_JSON"}, {ItemFormat::kIon, "ION"}, {ItemFormat::kCsv, "CSV"}}};
constexpr TransferNames<ObjectCompression, 3> kObjectCompressions{
    {{ObjectCompression::kNone, "NONE"}, {ObjectCompression::kGzip, "GZIP"}, {ObjectCompression::kZstd, "ZSTD"}}};

template <class T, std::size_t N>
std::string_view transfer_name(const TransferNames<T, N>& names, T value) {
  return std::ranges::find(names, value, &std::pair<T, std::string_view>::first)->second;
}

template <class T, std::size_t N>
std::optional<T> transfer_value(const TransferNames<T, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &std::pair<T, std::string_view>::second);
  return found == names.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace

std::string_view job_status_name(JobStatus status) { return transfer_name(kJobStatuses, status); }
std::optional<JobStatus> job_status_of(std::string_view name) { return transfer_value(kJobStatuses, name); }
std::string_view item_format_name(ItemFormat format) { return transfer_name(kItemFormats, format); }
std::optional<ItemFormat> item_format_of(std::string_view name) { return transfer_value(kItemFormats, name); }
std::string_view object_compression_name(ObjectCompression compression) {
  return transfer_name(kObjectCompressions, compression);
}
std::optional<ObjectCompression> object_compression_of(std::string_view name) {
  return transfer_value(kObjectCompressions, name);
}

}  // namespace dolmen
