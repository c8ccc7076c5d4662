#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"

/// Requests about the account and about what belongs to a table besides its definition: its resource policies, its
/// Contributor Insights, its Kinesis destinations, and the replicas that it never has.
namespace dolmen {

// ---- The account ----

struct DescribeLimitsRequest {};

struct AccountLimits {
  std::int64_t account_read_units = 80'000;
  std::int64_t account_write_units = 80'000;
  std::int64_t table_read_units = 40'000;
  std::int64_t table_write_units = 40'000;
};

struct DescribeEndpointsRequest {
  /// The host and port by which the caller reached a server, which is its only endpoint. A remote store ignores it.
  std::string reached_at;
};

struct Endpoint {
  std::string address;
  std::int64_t cache_minutes = 1440;
};

struct EndpointList {
  std::vector<Endpoint> endpoints;
};

// ---- Resource policies ----

/// A policy is a JSON text in its canonical form (access/policy_document.h).
struct PutResourcePolicyRequest {
  std::string arn;
  std::string policy;
  /// The revision that it replaces; NO_POLICY means that there must be none.
  std::optional<std::string> expected_revision = std::nullopt;
  /// Only for a remote store: a server checks what the caller would lose before it asks the service.
  bool confirm_remove_self = false;
};

/// Nothing when a policy that was never there is deleted.
struct PolicyRevision {
  std::optional<std::string> revision;
};

struct GetResourcePolicyRequest {
  std::string arn;
};

struct ResourcePolicy {
  std::string policy;
  std::string revision;
};

struct DeleteResourcePolicyRequest {
  std::string arn;
  std::optional<std::string> expected_revision = std::nullopt;
};

// ---- Contributor Insights ----

enum class InsightsMode : std::uint8_t { kAccessedAndThrottled, kThrottled };
enum class InsightsStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled, kFailed };

/// ACCESSED_AND_THROTTLED_KEYS or THROTTLED_KEYS.
std::string_view insights_mode_name(InsightsMode mode);
std::optional<InsightsMode> insights_mode_of(std::string_view name);
/// ENABLING, ENABLED, DISABLING, DISABLED or FAILED.
std::string_view insights_status_name(InsightsStatus status);
std::optional<InsightsStatus> insights_status_of(std::string_view name);

struct UpdateContributorInsightsRequest {
  std::string table;
  std::optional<std::string> index = std::nullopt;
  bool enable = true;
  std::optional<InsightsMode> mode = std::nullopt;
};

struct DescribeContributorInsightsRequest {
  std::string table;
  std::optional<std::string> index = std::nullopt;
};

/// The insights of a table or of one of its global indexes. An update and a list have the first four.
struct ContributorInsights {
  std::string table;
  std::optional<std::string> index = std::nullopt;
  InsightsStatus status = InsightsStatus::kDisabled;
  std::optional<InsightsMode> mode = std::nullopt;
  std::vector<std::string> rules = {};
  std::optional<TableTime> changed = std::nullopt;
};

struct ListContributorInsightsRequest {
  /// Nothing: those of all tables.
  std::optional<std::string> table = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
  std::optional<std::int64_t> limit = std::nullopt;
};

struct ContributorInsightsPage {
  std::vector<ContributorInsights> insights;
  std::optional<std::string> next_token = std::nullopt;
};

// ---- Kinesis destinations ----

enum class KinesisStatus : std::uint8_t { kEnabling, kActive, kDisabling, kDisabled, kEnableFailed, kUpdating };
enum class KinesisPrecision : std::uint8_t { kMillisecond, kMicrosecond };

/// ENABLING, ACTIVE, DISABLING, DISABLED, ENABLE_FAILED or UPDATING.
std::string_view kinesis_status_name(KinesisStatus status);
std::optional<KinesisStatus> kinesis_status_of(std::string_view name);
/// MILLISECOND or MICROSECOND.
std::string_view kinesis_precision_name(KinesisPrecision precision);
std::optional<KinesisPrecision> kinesis_precision_of(std::string_view name);

/// Enables, changes or disables a destination.
struct KinesisDestinationRequest {
  std::string table;
  std::string stream_arn;
  /// The configuration was given, perhaps empty.
  bool configured = false;
  std::optional<KinesisPrecision> precision = std::nullopt;
  /// It changes a destination, and its configuration has another name on the wire.
  bool updates = false;
};

struct KinesisDestinationChange {
  std::string table;
  std::string stream_arn;
  KinesisStatus status = KinesisStatus::kEnabling;
  bool configured = false;
  std::optional<KinesisPrecision> precision = std::nullopt;
};

struct DescribeKinesisDestinationsRequest {
  std::string table;
};

struct KinesisDestination {
  std::string stream_arn;
  KinesisStatus status = KinesisStatus::kActive;
  std::string description = {};
  std::optional<KinesisPrecision> precision = std::nullopt;
};

struct KinesisDestinations {
  std::string table;
  std::vector<KinesisDestination> destinations;
};

// ---- Global tables and their auto scaling ----

/// A request that a store with one region refuses. A remote store passes it on as it is.
struct GlobalTableRequest {
  std::string table;
  /// The parameters as JSON, for a remote store.
  std::string json;
  /// The parameters that an update of auto scaling lacks, by name.
  std::vector<std::string> missing = {};
};

/// The response of an operation that only a remote store carries out, as JSON.
struct GlobalTableResponse {
  std::string json;
};

}  // namespace dolmen
