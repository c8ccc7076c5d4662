#include "server/request_metrics.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"
#include "protocol/errors.h"
#include "service/operations.h"

namespace dolmen {
namespace {

constexpr std::string_view kOther = "other";

/// A text that lives as long as the program.
std::string_view code_label(const wire::AnsweredView& request) {
  if (request.error != nullptr) {
    const std::string_view type = wire_error(request.error->code()).type;
    return type.substr(type.find('#') + 1);
  }
  if (request.status == 200) return "OK";
  return request.status == 404 ? "NotFound" : kOther;
}

/// Whether a name is that of an operation of DynamoDB, in the very place where the program has it.
bool is_lasting(std::string_view operation) {
  return std::ranges::any_of(Operations::kInfos,
                             [&](const OperationInfo& info) { return info.name.data() == operation.data(); });
}

}  // namespace

std::string_view RequestMetrics::label_of(std::string_view table, bool succeeded, const PerOperation& counts) {
  if (table.empty() || table == "*" || counts.tables.contains(table)) return table;
  const std::scoped_lock lock(tables_mutex_);
  if (tables_.contains(table)) return table;
  if (!succeeded || tables_.size() >= kTablesMax) return kOther;
  tables_.emplace(table);
  return table;
}

void RequestMetrics::find_place(Shard& shard, const wire::AnsweredView& request, std::string_view code) {
  const std::string_view operation = request.operation.empty() ? kOther : request.operation;
  auto counts = shard.operations.find(operation);
  if (counts == shard.operations.end()) counts = shard.operations.emplace(operation, PerOperation{}).first;
  PerOperation& sums = counts->second;
  const std::string_view table = label_of(request.table, request.error == nullptr, sums);
  auto codes = sums.tables.find(table);
  if (codes == sums.tables.end()) codes = sums.tables.emplace(table, Codes{}).first;
  auto found = std::ranges::find(codes->second, code, &Codes::value_type::first);
  if (found == codes->second.end()) found = codes->second.insert(found, {code, 0});
  // Under "other" are many tables, and only operations of DynamoDB have names that stay where they are.
  const bool repeats = table == request.table && is_lasting(request.operation);
  shard.last = {.operation = repeats ? request.operation.data() : nullptr,
                .code = code.data(),
                .table = std::string(table),
                .sums = &sums,
                .count = &found->second};
}

void RequestMetrics::count(const wire::AnsweredView& request) {
  const std::string_view code = code_label(request);
  const auto time = static_cast<std::uint64_t>(request.time.count());
  const auto bounds = metrics::latency_bounds();
  Shard& shard = shards_[metrics::own_shard()];
  const std::scoped_lock lock(shard.mutex);
  const bool as_before = shard.last.operation != nullptr && shard.last.operation == request.operation.data() &&
                         shard.last.code == code.data() && shard.last.table == request.table;
  if (!as_before) find_place(shard, request, code);
  PerOperation& sums = *shard.last.sums;
  ++*shard.last.count;
  ++sums.up_to[static_cast<std::size_t>(std::ranges::lower_bound(bounds, time) - bounds.begin())];
  sums.nanoseconds += time;
  sums.request_bytes += request.request_bytes;
  sums.response_bytes += request.response_bytes;
}

void RequestMetrics::describe(metrics::Report& report) const {
  DOLMEN_CHECK(metrics::latency_bounds().size() == kBounds, "there is a count for each bucket");
  using Kind = metrics::Report::Kind;
  report.declare(Kind::kCounter, "dolmen_requests_total", "Requests by operation, table and code");
  report.declare(Kind::kHistogram, "dolmen_request_seconds", "Time from a complete request to its answer");
  report.declare(Kind::kCounter, "dolmen_request_bytes_total", "Bytes of the bodies of requests, as they were sent");
  report.declare(Kind::kCounter, "dolmen_response_bytes_total", "Bytes of the bodies of responses, as they are sent");
  std::map<std::string, PerOperation> all;
  for (const Shard& shard : shards_) {
    const std::scoped_lock lock(shard.mutex);
    for (const auto& [name, counts] : shard.operations) {
      PerOperation& sum = all[name];
      for (std::size_t i = 0; i < sum.up_to.size(); ++i) sum.up_to[i] += counts.up_to[i];
      sum.nanoseconds += counts.nanoseconds;
      sum.request_bytes += counts.request_bytes;
      sum.response_bytes += counts.response_bytes;
      for (const auto& [table, codes] : counts.tables) {
        Codes& of_all = sum.tables[table];
        of_all.insert(of_all.end(), codes.begin(), codes.end());
      }
    }
  }
  for (const auto& [name, counts] : all) describe_operation(report, name, counts);
}

void RequestMetrics::describe_operation(metrics::Report& report, std::string_view name,
                                        const PerOperation& counts) const {
  for (const auto& [table, codes] : counts.tables) {
    std::map<std::string_view, std::uint64_t> sums;
    for (const auto& [code, count] : codes) sums[code] += count;
    for (const auto& [code, count] : sums)
      report.counter("dolmen_requests_total", "", count, {{"operation", name}, {"table", table}, {"code", code}});
  }
  metrics::Histogram::Content times{.sum = counts.nanoseconds};
  std::uint64_t up_to = 0;
  for (const std::uint64_t count : counts.up_to) times.up_to.push_back(up_to += count);
  report.histogram("dolmen_request_seconds", "", times,
                   {.bounds = metrics::latency_bounds(), .per_unit = metrics::kNanosecondsPerSecond},
                   {{"operation", name}});
  report.counter("dolmen_request_bytes_total", "", counts.request_bytes, {{"operation", name}});
  report.counter("dolmen_response_bytes_total", "", counts.response_bytes, {{"operation", name}});
}

}  // namespace dolmen
