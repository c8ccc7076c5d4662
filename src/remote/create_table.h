#pragma once

#include <chrono>
#include <functional>

#include "service/service.h"

namespace dolmen::remote {

/// The calls by which a table is made, and a way to wait.
struct CreationCalls {
  std::function<void(TableDefinition, Done<TableDescription>)> create;
  std::function<void(DescribeTableRequest, Done<TableDescription>)> describe;
  std::function<void(UpdateTimeToLiveRequest, Done<TimeToLiveChange>)> update;
  std::function<void(std::chrono::milliseconds delay, std::move_only_function<void()> task)> after;
};

/// Creates a table whose definition has a time to live. DynamoDB sets that by an operation of its own once the table is
/// active, so this waits for it, up to five minutes. A failure after the creation leaves the table without a time to
/// live, and the message says so.
void create_with_time_to_live(CreationCalls calls, TableDefinition definition, Done<TableDescription> done);

}  // namespace dolmen::remote
