#include "remote/remote_service.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/random.h"
#include "remote/create_table.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

/// When a table is created, "in use" means that it exists.
Error exists_when_in_use(const Error& error) {
  return error.code() == Code::kTableInUse ? Error(Code::kTableExists, error.message()) : error;
}

/// An operation on streams finds no stream or shard.
Error stream_when_resource(const Error& error) {
  return error.code() == Code::kTableNotFound ? Error(Code::kStreamNotFound, error.message()) : error;
}

/// DynamoDB has every operation that a service carries out, and not every endpoint has.
Error unsupported_when_unknown(const Error& error, std::string_view operation) {
  if (error.code() != Code::kUnknownOperation) return error;
  return {Code::kUnsupported, fmt::format("the endpoint does not support {}", operation)};
}

/// A transaction without a token gets one, so that it can be repeated; and an import, because AWS wants one.
template <class Request>
void add_token(Request& request, const std::function<std::uint64_t()>& next) {
  if (request.client_token) return;
  FunctionRandom random(next);
  request.client_token = random_uuid(random);
}

}  // namespace

RemoteService::RemoteService(Caller::Options options, std::function<CredentialCache::Fetch(http::Client&)> credentials)
    : retry_(options.remote.retry),
      random_(options.remote.random),
      own_caller_(std::make_unique<Caller>(std::move(options), std::move(credentials))),
      caller_(*own_caller_) {}

RemoteService::RemoteService(const RemoteService& whole, const std::stop_token& stop)
    : retry_(whole.retry_),
      random_(whole.random_),
      caller_(whole.caller_),
      stop_(std::make_shared<JoinedStop>(whole.stop_ ? whole.stop_->token() : std::stop_token(), stop)) {}

RemoteService::~RemoteService() = default;

std::unique_ptr<Service> RemoteService::cancelable(std::stop_token stop, detail::Companions& companions) {
  auto service = std::unique_ptr<RemoteService>(new RemoteService(*this, stop));
  // Lives as long as the service, which the store owns.
  companions.add(std::shared_ptr<DolmenCalls>(std::shared_ptr<void>(), service.get()));
  return service;
}

template <class Response, class Read>
void RemoteService::send(const Link& link, Call call, Read read, Done<Response> done) {
  const bool writes = call.repeat != Repeat::kRead;
  if (link.stop) call.stop = link.stop->token();
  link.caller.call(std::move(call), [stop = link.stop, read = std::move(read), writes,
                                     done = std::move(done)](Result<std::string> body) mutable {
    const bool answered = body.has_value();
    Result<Response> response =
        answered ? read(std::string_view(*body)) : Result<Response>(std::unexpected(std::move(body).error()));
    // An endpoint that reports success in an unknown form may not have carried the request out.
    if (answered && !response && writes)
      response = std::unexpected(Error(Code::kUnknownOutcome, response.error().message()));
    done(std::move(response));
  });
}

template <class Op>
void RemoteService::carry_out(const Link& link, typename Op::Request request, Done<typename Op::Response> done) {
  using Response = typename Op::Response;
  constexpr bool kOfStreams = Op::kInfo.family == OperationFamily::kStreams;
  done = [done = std::move(done)](Result<Response> response) mutable {
    if (!response) response.error() = unsupported_when_unknown(response.error(), Op::kInfo.name);
    if (kOfStreams && !response) response.error() = stream_when_resource(response.error());
    done(std::move(response));
  };
  Result<std::string> body = request_body(request);
  if (!body) return done(std::unexpected(std::move(body).error()));
  Call call{.operation = Op::kInfo.name, .body = *std::move(body), .repeat = repeat_of<Op>(request, link.retry)};
  if constexpr (requires { request.trace; }) call.trace = request.trace;
  if (kOfStreams) {
    call.prefix = "DynamoDBStreams_20120810.";
    call.of_streams = true;
  }
  call.of_search = Op::kInfo.family == OperationFamily::kVectors;
  send<Response>(
      link, std::move(call),
      [request = std::move(request)](std::string_view text) { return read_response(Op{}, text, request); },
      std::move(done));
}

template <class Op>
void RemoteService::perform(typename Op::Request request, Done<typename Op::Response> done) {
  if constexpr (std::is_same_v<Op, TransactWriteItems> || std::is_same_v<Op, ExecuteTransaction> ||
                std::is_same_v<Op, ImportTable>)
    add_token(request, random_);
  if constexpr (std::is_same_v<Op, CreateTable>) {
    create_table(link(), std::move(request), std::move(done));
  } else {
    carry_out<Op>(link(), std::move(request), std::move(done));
  }
}

void RemoteService::create_table(const Link& link, TableDefinition definition, Done<TableDescription> done) {
  auto create = [link](TableDefinition table, Done<TableDescription> created) {
    carry_out<CreateTable>(link, std::move(table),
                           [created = std::move(created)](Result<TableDescription> outcome) mutable {
                             if (!outcome) return created(std::unexpected(exists_when_in_use(outcome.error())));
                             created(std::move(outcome));
                           });
  };
  if (!definition.ttl) return create(std::move(definition), std::move(done));
  create_with_time_to_live({.create = std::move(create),
                            .describe =
                                [link](DescribeTableRequest request, Done<TableDescription> described) {
                                  carry_out<DescribeTable>(link, std::move(request), std::move(described));
                                },
                            .update =
                                [link](UpdateTimeToLiveRequest request, Done<TimeToLiveChange> updated) {
                                  carry_out<UpdateTimeToLive>(link, std::move(request), std::move(updated));
                                },
                            .after =
                                [link](std::chrono::milliseconds delay, std::move_only_function<void()> task) {
                                  link.caller.after(delay, std::move(task),
                                                    link.stop ? link.stop->token() : std::stop_token());
                                }},
                           std::move(definition), std::move(done));
}

void RemoteService::call(std::string_view operation, std::string body, Done<std::string> done) {
  // Not all of them may be repeated: an insert that succeeded would find its own document.
  const bool reads = operation.starts_with("Get") || operation.starts_with("List") || operation.starts_with("Query") ||
                     operation.starts_with("Describe") || operation.starts_with("Explain");
  pass_on(link(),
          {.operation = operation,
           .body = std::move(body),
           .repeat = reads ? Repeat::kRead : Repeat::kNever,
           .prefix = "Dolmen_20261115."},
          std::move(done));
}

void RemoteService::call_json(std::string_view operation, bool of_streams, std::string body, Done<std::string> done) {
  const auto* const known = std::ranges::find(Operations::kInfos, operation, &OperationInfo::name);
  const bool reads = known != std::end(Operations::kInfos) && known->reads();
  Call call{.operation = operation,
            .body = std::move(body),
            .repeat = reads ? Repeat::kRead : Repeat::kNever,
            .of_streams = of_streams};
  if (of_streams) call.prefix = "DynamoDBStreams_20120810.";
  pass_on(link(), std::move(call), std::move(done));
}

void RemoteService::pass_on(const Link& link, Call call, Done<std::string> done) {
  auto name = std::make_shared<const std::string>(call.operation);
  call.operation = *name;
  send<std::string>(
      link, std::move(call), [name](std::string_view response) -> Result<std::string> { return std::string(response); },
      std::move(done));
}

}  // namespace dolmen::remote
