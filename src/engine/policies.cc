// The resource policies of tables and of their streams.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/arn.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/resource_arn.h"
#include "engine/stream_log.h"
#include "service/internal_tables.h"

namespace dolmen::engine {
namespace {

/// Its own, and those of its streams of the last day.
constexpr std::size_t kPoliciesOfATableMax = 16;
constexpr std::string_view kNoPolicy = "NO_POLICY";
constexpr std::string_view kNotFound = "Resource-based policy not found for the provided ResourceArn: ";

/// Checks that the policy is the one that the caller knows.
Result<void> check_revision(const StoredPolicy& policy, const std::optional<std::string>& expected,
                            std::string_view table) {
  if (!expected) return {};
  const std::string current = std::to_string(policy.revision);
  if (policy.text == nullptr) {
    if (*expected == kNoPolicy) return {};
    return fail(Code::kPolicyNotFound,
                "{}Requested update for policy with revision id {}, but table {} has no associated policy", kNotFound,
                *expected, table);
  }
  if (*expected == current) return {};
  if (*expected == kNoPolicy)
    return fail(Code::kPolicyNotFound,
                "{}Requested policy update expecting none to be present for table {}, but a policy exists with "
                "revision id {}.",
                kNotFound, table, current);
  return fail(Code::kPolicyNotFound,
              "{}Requested update for policy with revision id {}, but the policy associated to target table {} has "
              "revision id {}.",
              kNotFound, *expected, table, current);
}

std::unexpected<Error> no_table_of_policy(std::string_view table) {
  return fail(Code::kTableNotFound, "Requested resource not found: Table: {} not found", table);
}

/// Policies are changed only for the newest stream of a table. Older ones keep theirs while they can be read.
Result<void> check_stream(const Table& table, std::string_view label) {
  if (label.empty() || label == table.stream_label) return {};
  return fail(Code::kTableNotFound, "Requested resource not found: Stream: {} not found for Table: {}", label,
              table.definition.name);
}

/// Forgets the policies of streams that are gone, and makes sure that there may be one of the given stream, or of the
/// table.
Result<void> make_room(const storage::Storage& storage, Table& table, const std::string& stream_label) {
  for (auto other = table.policies.begin(); other != table.policies.end();) {
    const std::string& label = other->first;
    bool is_kept = label.empty() || label == table.stream_label;
    if (!is_kept) {
      DOLMEN_TRY(const std::optional<streams::Stream> stream, streams::find(storage, table.definition.name, label));
      is_kept = stream && other->second.text != nullptr;
    }
    other = is_kept ? std::next(other) : table.policies.erase(other);
  }
  if (table.policies.contains(stream_label) || table.policies.size() < kPoliciesOfATableMax) return {};
  return fail(Code::kLimitExceeded,
              "Subscriber limit exceeded: Number of streams with a resource-based policy exceeds per-table limit of {}",
              kPoliciesOfATableMax);
}

}  // namespace

Result<Engine::PolicyPlace> Engine::place_of_policy(const std::string& arn) const {
  constexpr std::string_view kTable = "table/";
  constexpr std::string_view kStream = "/stream/";
  const Arn split = split_arn(arn);
  PolicyPlace place;
  if (split.is_whole() && split.service() == "dynamodb" && split.resource().starts_with(kTable)) {
    if (split.region() != options_.region)
      return fail(Code::kValidation, "One or more parameter values were invalid: Invalid resource Arn: {}", arn);
    const std::string_view resource = split.resource().substr(kTable.size());
    const std::size_t stream = resource.find(kStream);
    const std::string_view label = stream == std::string_view::npos ? "" : resource.substr(stream + kStream.size());
    if (split.account() == options_.account && !label.empty() && !label.contains('/'))
      place = {.table = std::string(resource.substr(0, stream)), .stream = std::string(label)};
  }
  if (place.table.empty()) {
    DOLMEN_TRY(place.table, table_of_resource(arn, {.region = options_.region, .account = options_.account}));
  }
  if (is_internal_table(place.table)) return no_table_of_policy(place.table);
  return place;
}

void Engine::change_policy(const std::string& arn,
                           std::move_only_function<Result<PolicyRevision>(Table&, const PolicyPlace&)> change,
                           Done<PolicyRevision> done) {
  Result<PolicyPlace> place = place_of_policy(arn);
  if (!place) return done(std::unexpected(std::move(place).error()));
  auto revision = std::make_shared<PolicyRevision>();
  const std::string table_name = place->table;
  change_table(
      table_name,
      [change = std::move(change), place = *std::move(place), revision](
          Table& table, storage::Batch& /*batch*/) mutable -> Result<void> {
        DOLMEN_TRY_VOID(check_stream(table, place.stream));
        DOLMEN_TRY(*revision, change(table, place));
        return {};
      },
      [revision, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
        if (!changed) return done(std::unexpected(std::move(changed).error()));
        done(std::move(*revision));
      });
}

void Engine::start(PutResourcePolicy /*operation*/, PutResourcePolicyRequest request, Done<PolicyRevision> done) {
  const std::string arn = request.arn;
  const std::int64_t now_ms = now().time_since_epoch().count();
  change_policy(
      arn,
      [this, request = std::move(request), now_ms](Table& table, const PolicyPlace& place) -> Result<PolicyRevision> {
        DOLMEN_TRY_VOID(make_room(*storage_, table, place.stream));
        StoredPolicy& policy = table.policies[place.stream];
        DOLMEN_TRY_VOID(check_revision(policy, request.expected_revision, table.definition.name));
        if (policy.text == nullptr || *policy.text != request.policy) {
          policy.text = std::make_shared<const std::string>(request.policy);
          policy.revision = std::max(now_ms, policy.revision + 1);
        }
        return PolicyRevision{std::to_string(policy.revision)};
      },
      std::move(done));
}

void Engine::start(DeleteResourcePolicy /*operation*/, DeleteResourcePolicyRequest request, Done<PolicyRevision> done) {
  const std::string arn = request.arn;
  const std::int64_t now_ms = now().time_since_epoch().count();
  change_policy(
      arn,
      [request = std::move(request), now_ms](Table& table, const PolicyPlace& place) -> Result<PolicyRevision> {
        const auto found = table.policies.find(place.stream);
        const StoredPolicy policy = found == table.policies.end() ? StoredPolicy{} : found->second;
        DOLMEN_TRY_VOID(check_revision(policy, request.expected_revision, table.definition.name));
        if (policy.text != nullptr)
          found->second = {.text = nullptr, .revision = std::max(now_ms, policy.revision + 1)};
        if (found == table.policies.end()) return PolicyRevision{};
        return PolicyRevision{std::to_string(found->second.revision)};
      },
      std::move(done));
}

void Engine::start(GetResourcePolicy /*operation*/, GetResourcePolicyRequest request, Done<ResourcePolicy> done) {
  const auto find = [&]() -> Result<ResourcePolicy> {
    DOLMEN_TRY(const PolicyPlace place, place_of_policy(request.arn));
    const std::shared_ptr<const Table> table = catalogue_->find(place.table);
    if (table == nullptr) return no_table_of_policy(place.table);
    DOLMEN_TRY_VOID(check_stream(*table, place.stream));
    const auto found = table->policies.find(place.stream);
    if (found == table->policies.end() || found->second.text == nullptr)
      return fail(Code::kPolicyNotFound, "{}{}", kNotFound, request.arn);
    return ResourcePolicy{.policy = *found->second.text, .revision = std::to_string(found->second.revision)};
  };
  done(find());
}

std::shared_ptr<const std::string> Engine::policy_of(std::string_view table, const std::string& stream_label) const {
  const std::shared_ptr<const Table> found = catalogue_->find(table);
  if (found == nullptr) return nullptr;
  const auto policy = found->policies.find(stream_label);
  return policy == found->policies.end() ? nullptr : policy->second.text;
}

}  // namespace dolmen::engine
