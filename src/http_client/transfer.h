#pragma once

#include <array>
#include <curl/curl.h>
#include <memory>

#include "http_client/http_client.h"

namespace dolmen::http {

/// One request on its way through libcurl. Stays where it is in memory while libcurl has it.
class Transfer {
 public:
  Transfer(Request request, Client::Completion done);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Prepares a handle. Fails with kInvalidArgument, say for a malformed URL.
  Result<void> attach(CURL* easy, const ClientOptions& options);
  [[nodiscard]] CURL* easy() const noexcept { return easy_; }

  /// What became of it, when libcurl has finished with the given result.
  Outcome outcome(CURLcode code);
  void complete(Outcome outcome) { done_(std::move(outcome)); }

  [[nodiscard]] const std::stop_token& stop() const noexcept { return request_.stop; }

  /// The request is cut off before libcurl finished, for a reason: kClosed or kCanceled.
  [[nodiscard]] Failure cut_off(Code why) const;

 private:
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static int on_start(void* self, char* remote_ip, char* local_ip, int remote_port, int local_port);
  [[nodiscard]] bool may_have_arrived() const;
  [[nodiscard]] Error error_of(CURLcode code) const;

  Request request_;
  Client::Completion done_;
  Response response_;
  CURL* easy_ = nullptr;
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, curl_slist_free_all};
  std::array<char, CURL_ERROR_SIZE> message_{};
  /// How often libcurl wanted to send the request.
  int starts_ = 0;
  bool too_large_ = false;
  /// The empty line after the headers has come.
  bool headers_ended_ = false;
};

}  // namespace dolmen::http
