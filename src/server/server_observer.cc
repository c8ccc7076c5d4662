#include "server/server_observer.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "dolmen/version.h"

namespace dolmen {
namespace {

bool is_failure(const wire::AnsweredView& request) {
  if (request.error == nullptr) return request.status >= 400;
  switch (request.error->code()) {
    case Code::kConditionFailed:
    case Code::kDuplicateItem:
    case Code::kTransactionCanceled:
    case Code::kTransactionConflict:
    case Code::kTransactionInProgress: return false;
    default: return true;
  }
}

/// What happened on this machine, and says nothing about a request.
bool is_of_store(Code code) {
  return code == Code::kNoSpace || code == Code::kIo || code == Code::kCorruption || code == Code::kDirectoryUnusable;
}

}  // namespace

void ServerObserver::watch(const StoreMonitor& store) {
  store_ = &store;
  registry_.add([&store](metrics::Report& report) { store.describe(report); });
}

void ServerObserver::answered(const wire::AnsweredView& request) {
  requests_.count(request);
  const auto slow = slow_.load(std::memory_order_relaxed);
  const bool is_slow = slow.count() > 0 && request.time >= slow;
  log_.write(is_slow || is_failure(request) ? LogLevel::kInfo : LogLevel::kDebug, request);
  if (request.error != nullptr && is_of_store(request.error->code())) log_failure_of_store(request);
}

/// The first, the second, the fourth, and so on, so that a broken disk does not fill the one of the log.
void ServerObserver::log_failure_of_store(const wire::AnsweredView& request) {
  const std::uint64_t count = ++store_failures_;
  if (std::has_single_bit(count))
    log_.write(LogLevel::kError, fmt::format("failure {} of the store, for {}: {}: {}", count, request.operation,
                                             code_name(request.error->code()), request.error->message()));
}

void ServerObserver::refused(int status) {
  const auto* found = std::ranges::find(kStatuses, status);
  refusals_[static_cast<std::size_t>(found - kStatuses.begin())].add();
}

Result<void> ServerObserver::ready() const {
  if (store_ == nullptr) return {};
  if (std::optional<Error> failure = store_->write_failure()) return std::unexpected(*std::move(failure));
  return {};
}

void ServerObserver::describe(metrics::Report& report) const {
  requests_.describe(report);
  for (std::size_t i = 0; i < refusals_.size(); ++i)
    report.counter("dolmen_http_refusals_total", "Requests that are not HTTP, took too long or are too large",
                   refusals_[i].value(),
                   {{"status", i < kStatuses.size() ? fmt::format("{}", kStatuses[i]) : std::string("other")}});
  report.gauge("dolmen_build_info", "1, with the version of the program", 1, {{"version", version()}});
}

}  // namespace dolmen
