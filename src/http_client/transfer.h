#pragma once

#include <array>
#include <cstdint>
#include <curl/curl.h>
#include <memory>

#include "http_client/http_client.h"

namespace dolmen::http {

/// One request in libcurl. Must not move in memory while libcurl uses it.
class Transfer {
 public:
  Transfer(Request request, Client::Completion done);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Prepares a handle. Fails with kInvalidArgument, for example for a malformed URL.
  Result<void> attach(CURL* easy, const ClientOptions& options);
  [[nodiscard]] CURL* easy() const noexcept { return easy_; }

  /// The outcome, after libcurl has finished with the given result.
  Outcome outcome(CURLcode code);
  void complete(Outcome outcome) { done_(std::move(outcome)); }

  [[nodiscard]] const std::stop_token& stop() const noexcept { return request_.stop; }

  /// The failure of a request that ends before libcurl has finished, with kClosed or kCanceled.
  [[nodiscard]] Failure cut_off(Code why) const;

 private:
  /// Why the rest of a response is refused.
  enum class Refusal : std::uint8_t { kNone, kBodyTooLarge, kHeadersTooLarge, kTooManyHeaders, kOutOfMemory };

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static int on_start(void* self, char* remote_ip, char* local_ip, int remote_port, int local_port);
  /// The number of bytes taken, for libcurl: all of them, or 0, which ends the transfer, when `consume` refuses them.
  template <class Consume>
  std::size_t take(std::string_view bytes, Consume consume) noexcept;
  Refusal take_header(std::string_view line);
  Refusal take_body(std::string_view bytes);
  bool add_header(const std::string& line);
  [[nodiscard]] bool may_have_arrived() const;
  [[nodiscard]] Error refused() const;
  [[nodiscard]] Error error_of(CURLcode code) const;

  Request request_;
  Client::Completion done_;
  Response response_;
  CURL* easy_ = nullptr;
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, curl_slist_free_all};
  std::array<char, CURL_ERROR_SIZE> message_{};
  /// How often libcurl has tried to send the request.
  int starts_ = 0;
  Refusal refusal_ = Refusal::kNone;
  std::size_t header_bytes_ = 0;
  std::size_t header_lines_ = 0;
  /// The empty line after the headers has been received.
  bool headers_ended_ = false;
};

}  // namespace dolmen::http
