#pragma once

#include <memory>

#include "base/joined_stop.h"
#include "remote/caller.h"
#include "service/dolmen_calls.h"
#include "service/json_calls.h"
#include "service/service.h"

namespace dolmen::remote {

/// The operations at an endpoint, and those of Dolmen's own protocol if the endpoint is a Dolmen server.
class RemoteService final : public AlikeService<RemoteService>, public DolmenCalls, public JsonCalls {
 public:
  RemoteService(Caller::Options options, std::function<CredentialCache::Fetch(http::Client&)> credentials);
  ~RemoteService() override;

  /// Sends a request and reads its response.
  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done);

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;
  void call(std::string_view operation, std::string body, Done<std::string> done) override;
  void call_json(std::string_view operation, bool of_streams, std::string body, Done<std::string> done) override;

 private:
  /// The same endpoint and caller, until `whole` or this service is stopped.
  RemoteService(const RemoteService& whole, const std::stop_token& stop);

  /// What a call needs. Each has its own, because a call may outlive this service.
  struct Link {
    Caller& caller;
    RetryOptions retry;
    /// Null when the calls cannot be stopped.
    std::shared_ptr<const JoinedStop> stop;
  };

  [[nodiscard]] Link link() const { return {caller_, retry_, stop_}; }
  /// Calls an operation and reads its response by `read(body)`.
  template <class Response, class Read>
  static void send(const Link& link, Call call, Read read, Done<Response> done);
  template <class Op>
  static void carry_out(const Link& link, typename Op::Request request, Done<typename Op::Response> done);
  /// Sends a body and returns that of the response. The operation's name need not outlive this.
  static void pass_on(const Link& link, Call call, Done<std::string> done);
  static void create_table(const Link& link, TableDefinition definition, Done<TableDescription> done);

  const RetryOptions retry_;
  const std::function<std::uint64_t()> random_;
  const std::unique_ptr<Caller> own_caller_;
  Caller& caller_;
  const std::shared_ptr<const JoinedStop> stop_;
};

}  // namespace dolmen::remote
