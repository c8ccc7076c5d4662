// What an account has, and global tables, which it never has.
#include <fmt/ranges.h>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/engine.h"

namespace dolmen::engine {
namespace {

std::string no_global_table_text(std::string_view name) {
  return fmt::format("Global table with name: '{}' does not exist.", name);
}

std::unexpected<Error> no_global_table(std::string_view name) {
  return std::unexpected(Error(Code::kGlobalTableNotFound, no_global_table_text(name)));
}

}  // namespace

void Engine::start(DescribeLimits /*operation*/, DescribeLimitsRequest /*request*/, Done<AccountLimits> done) {
  done(AccountLimits{});
}

void Engine::start(DescribeEndpoints /*operation*/, DescribeEndpointsRequest request, Done<EndpointList> done) {
  done(EndpointList{{{.address = std::move(request.reached_at)}}});
}

// DynamoDB has stopped to make global tables of the first version.
void Engine::start(CreateGlobalTable /*operation*/, GlobalTableRequest /*request*/, Done<GlobalTableResponse> done) {
  done(fail(Code::kValidation,
            "One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not supported. We "
            "recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy)."));
}

void Engine::start(DescribeGlobalTable /*operation*/, GlobalTableRequest request, Done<GlobalTableResponse> done) {
  done(no_global_table(request.table));
}

void Engine::start(DescribeGlobalTableSettings /*operation*/, GlobalTableRequest request,
                   Done<GlobalTableResponse> done) {
  done(no_global_table(request.table));
}

void Engine::start(ListGlobalTables /*operation*/, GlobalTableRequest /*request*/, Done<GlobalTableResponse> done) {
  done(GlobalTableResponse{R"({"GlobalTables":[]})"});
}

void Engine::start(UpdateGlobalTable /*operation*/, GlobalTableRequest request, Done<GlobalTableResponse> done) {
  done(no_global_table(request.table));
}

void Engine::start(UpdateGlobalTableSettings /*operation*/, GlobalTableRequest request,
                   Done<GlobalTableResponse> done) {
  done(no_global_table(request.table));
}

void Engine::start(DescribeTableReplicaAutoScaling /*operation*/, GlobalTableRequest request,
                   Done<GlobalTableResponse> done) {
  done(std::unexpected(Error(Code::kTableNotFound, no_global_table_text(request.table))));
}

void Engine::start(UpdateTableReplicaAutoScaling /*operation*/, GlobalTableRequest request,
                   Done<GlobalTableResponse> done) {
  if (!request.missing.empty())
    return done(fail(Code::kValidation,
                     "Failed to update settings for global table with name: \u2018{}\u2019: Parameters '{}' are "
                     "required unless auto scaling is being disabled.",
                     request.table, fmt::join(request.missing, "', '")));
  done(std::unexpected(Error(Code::kTableNotFound, no_global_table_text(request.table))));
}

}  // namespace dolmen::engine
