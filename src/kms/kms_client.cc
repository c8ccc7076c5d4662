#include "kms/kms_client.h"

#include <array>
#include <fmt/format.h>
#include <future>

#include "base/fail.h"
#include "credentials/signed_request.h"
#include "dolmen/version.h"
#include "protocol/object_view.h"

namespace dolmen::kms {
namespace {

constexpr std::size_t kResponseBytesMax = std::size_t{1} << 20;
constexpr std::size_t kShownBytesMax = 200;

struct KmsError {
  std::string_view name;
  Code code;
};

/// What KMS and the service that checks signatures say. Others are by their status.
constexpr std::array kKmsErrors{
    KmsError{"InvalidCiphertextException", Code::kInvalidEncryptedEnvelope},
    KmsError{"IncorrectKeyException", Code::kInvalidEncryptedEnvelope},
    KmsError{"NotFoundException", Code::kEncryptionNotConfigured},
    KmsError{"DisabledException", Code::kEncryptionNotConfigured},
    KmsError{"KMSInvalidStateException", Code::kEncryptionNotConfigured},
    KmsError{"InvalidKeyUsageException", Code::kEncryptionNotConfigured},
    KmsError{"InvalidArnException", Code::kEncryptionNotConfigured},
    KmsError{"AccessDeniedException", Code::kAccessDenied},
    KmsError{"InvalidGrantTokenException", Code::kAccessDenied},
    KmsError{"ThrottlingException", Code::kThrottled},
    KmsError{"LimitExceededException", Code::kThrottled},
    KmsError{"KeyUnavailableException", Code::kUnavailable},
    KmsError{"DependencyTimeoutException", Code::kUnavailable},
    KmsError{"KMSInternalException", Code::kUnavailable},
    KmsError{"ExpiredTokenException", Code::kCredentials},
    KmsError{"UnrecognizedClientException", Code::kCredentials},
    KmsError{"InvalidSignatureException", Code::kCredentials},
    KmsError{"IncompleteSignatureException", Code::kCredentials},
    KmsError{"MissingAuthenticationTokenException", Code::kCredentials},
};

Code code_of(std::string_view name, int status) {
  for (const KmsError& known : kKmsErrors)
    if (known.name == name) return known.code;
  if (status == 429) return Code::kThrottled;
  return status >= 500 ? Code::kUnavailable : Code::kUnexpectedResponse;
}

bool is_passing(const Error& error) {
  return error.code() == Code::kThrottled || error.code() == Code::kUnavailable || error.code() == Code::kTimeout;
}

/// Credentials that AWS has refused are fetched again, in case they have expired meanwhile.
bool needs_new_credentials(std::string_view name) {
  return name == "ExpiredTokenException" || name == "UnrecognizedClientException";
}

std::string name_in(std::string_view body) {
  const Result<ObjectView> object = ObjectView::response(body);
  if (!object) return {};
  const std::string type = object->shown("__type");
  return type.substr(type.rfind('#') + 1);
}

}  // namespace

Error error_of_response(int status, std::string_view body) {
  const Result<ObjectView> object = ObjectView::response(body);
  if (!object) return Error(code_of({}, status), fmt::format("the key service answered {} without saying why", status));
  const std::string name = name_in(body);
  std::string message = object->shown("message");
  if (message.empty()) message = object->shown("Message");
  if (message.size() > kShownBytesMax) message.resize(kShownBytesMax);
  return Error(code_of(name, status), fmt::format("the key service answered {}{}{}{}{}", status,
                                                  name.empty() ? "" : " ", name, message.empty() ? "" : ": ", message));
}

Client::Client(Options options, const std::function<CredentialCache::Fetch(http::Client&)>& credentials)
    : options_(std::move(options)),
      client_({.ca_file = options_.kms.ca_file}),
      credentials_(credentials(client_), options_.kms.now) {}

Client::~Client() { client_.close(); }

Result<std::string> Client::call(std::string_view operation, const std::string& body) {
  std::chrono::milliseconds longest = options_.kms.first_delay;
  for (int attempt = 1;; ++attempt, longest *= 2) {
    Result<std::string> answer = call_once(operation, body);
    if (answer || !is_passing(answer.error()) || attempt >= options_.kms.attempts_max) return answer;
    const auto choices = static_cast<std::uint64_t>(longest.count()) + 1;
    options_.kms.sleep(std::chrono::milliseconds(options_.kms.random() % choices));
  }
}

Result<std::string> Client::call_once(std::string_view operation, const std::string& body) {
  constexpr int kTries = 2;
  for (int tries = 1;; ++tries) {
    DOLMEN_TRY(const AwsCredentials credentials, current_credentials());
    http::Outcome outcome = client_.send_and_wait(request_for(operation, body, credentials));
    if (!outcome) return std::unexpected(outcome.error().error);
    if (outcome->status == 200) return std::move(outcome->body);
    if (tries == kTries || !needs_new_credentials(name_in(outcome->body)))
      return std::unexpected(error_of_response(outcome->status, outcome->body));
    credentials_.forget(credentials);
  }
}

Result<AwsCredentials> Client::current_credentials() {
  std::promise<Result<AwsCredentials>> promise;
  std::future<Result<AwsCredentials>> future = promise.get_future();
  credentials_.get([&promise](Result<AwsCredentials> credentials) { promise.set_value(std::move(credentials)); });
  return future.get();
}

http::Request Client::request_for(std::string_view operation, const std::string& body,
                                  const AwsCredentials& credentials) const {
  SignatureInput input{.body = body, .region = options_.region, .service = "kms", .time = options_.kms.now()};
  input.headers = {{"content-type", "application/x-amz-json-1.1"},
                   {"host", options_.endpoint.host},
                   {"x-amz-target", fmt::format("TrentService.{}", operation)}};
  http::Request request{.url = options_.endpoint.url,
                        .body = body,
                        .connect_timeout = options_.kms.connect_timeout,
                        .timeout = options_.kms.request_timeout,
                        .response_bytes_max = kResponseBytesMax,
                        .use_proxy = !options_.endpoint.loopback};
  sign(request, std::move(input), credentials);
  request.headers.push_back({"user-agent", fmt::format("dolmen/{}", version())});
  return request;
}

}  // namespace dolmen::kms
