#pragma once

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/random.h"
#include "dolmen/error.h"
#include "engine/backup_rows.h"
#include "engine/resource_arn.h"
#include "engine/transfer_rows.h"

/// What the operations about jobs have in common.
namespace dolmen::engine::transfers {

/// What the ARN of a job names: arn:aws:dynamodb:REGION:ACCOUNT:table/TABLE/KIND/ID.
struct JobName {
  std::string region;
  std::string account;
  std::string table;
  std::string id;
};
/// Fails with kAccessDenied for an ARN of somebody else, whatever it names: of another account, or of no partition,
/// service or region that is known. What is not an ARN is nobody's.
Result<void> check_owner(std::string_view arn, const ArnOwner& owner);

/// Nothing for what is not such an ARN.
std::optional<JobName> read_arn(std::string_view arn, std::string_view kind);

/// The token with which a list goes on after a job, in the form that all three lists accept, and back.
std::string token_after(std::string_view id);
std::optional<std::string> id_of_token(std::string_view token);

/// An id that no other job has.
template <class Job>
std::string new_id(const std::vector<Job>& others, TableTime now, Random& random) {
  std::string id;
  do id = backups::make_id(now, static_cast<std::uint32_t>(random.next_u64()));
  while (std::ranges::find(others, id, &Job::id) != others.end());
  return id;
}

/// Forgets jobs that ended long ago. Fails with kLimitExceeded when too many are left, or run. `kind` is for the
/// message.
template <class Job>
Result<void> make_room(storage::Batch& batch, const std::vector<Job>& jobs, TableTime now, std::string_view kind) {
  std::size_t running = 0;
  std::size_t left = jobs.size();
  for (const Job& job : jobs) {
    if (is_running(job)) ++running;
    if (is_running(job) || !job.described.ended || *job.described.ended + kRemembered > now) continue;
    forget<Job>(batch, job.id);
    --left;
  }
  if (running >= kRunningMax)
    return fail(Code::kLimitExceeded, "Subscriber limit exceeded: Only {} {} operations can be done simultaneously",
                kRunningMax, kind);
  if (left >= kJobsMax)
    return fail(Code::kLimitExceeded, "Subscriber limit exceeded: There is a limit of {} {} operations in {} days",
                kJobsMax, kind, kRemembered.count());
  return {};
}

/// Leaves one page of a list, the newest first, and returns the token for the next one. Fails with kValidation.
template <class Job>
Result<std::optional<std::string>> cut_page(std::vector<Job>& jobs, std::optional<std::int64_t> limit,
                                            const std::optional<std::string>& token) {
  constexpr std::int64_t kPageDefault = 25;
  std::ranges::reverse(jobs);
  if (token) {
    const std::optional<std::string> after = id_of_token(*token);
    if (!after) return fail(Code::kValidation, "Invalid Request: Provided nextToken is invalid: {}", *token);
    std::erase_if(jobs, [&](const Job& job) { return job.id >= *after; });
  }
  const auto size = static_cast<std::size_t>(limit.value_or(kPageDefault));
  if (jobs.size() <= size) return std::nullopt;
  jobs.resize(size);
  return token_after(jobs.back().id);
}

}  // namespace dolmen::engine::transfers
