#include "buckets/s3_bucket.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "base/fail.h"
#include "base/percent_encoding.h"
#include "base/sleep.h"
#include "buckets/bucket_listing.h"
#include "credentials/credential_chain.h"
#include "credentials/signed_request.h"
#include "dolmen/number.h"
#include "dolmen/version.h"
#include "http_client/endpoint.h"
#include "http_client/http_client.h"
#include "protocol/digest.h"
#include "protocol/xml_element.h"

namespace dolmen {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstBucketDelay{50};
constexpr int kNotFound = 404;

Error error_of(const http::Response& response) {
  const std::string name = xml_element(response.body, "Code");
  const Code code = name == "NoSuchBucket"                         ? Code::kBucketNotFound
                    : response.status == 429 || name == "SlowDown" ? Code::kThrottled
                    : response.status >= 500                       ? Code::kUnavailable
                    : response.status == 403                       ? Code::kAccessDenied
                                                                   : Code::kUnexpectedResponse;
  const auto region = response.header("x-amz-bucket-region");
  return Error(
      code, fmt::format("the bucket answered {} {}: {}{}", response.status, name, xml_element(response.body, "Message"),
                        region ? fmt::format(" (it is in {})", *region) : ""));
}

bool is_passing(const Error& error) {
  return error.code() == Code::kThrottled || error.code() == Code::kUnavailable || error.code() == Code::kTimeout;
}

class HttpBucket final : public S3Bucket {
 public:
  HttpBucket(std::string bucket, S3Options options, http::Endpoint endpoint,
             std::function<CredentialCache::Fetch(http::Client&)> credentials)
      : bucket_(std::move(bucket)),
        options_(std::move(options)),
        endpoint_(std::move(endpoint)),
        credentials_(credentials(client_), options_.now) {}
  ~HttpBucket() override { client_.close(); }
  HttpBucket(const HttpBucket&) = delete;
  HttpBucket& operator=(const HttpBucket&) = delete;

  Result<void> put(const std::string& key, std::string_view body) override {
    DOLMEN_TRY(const http::Response response, send("PUT", key, body));
    if (response.status / 100 != 2) return std::unexpected(error_of(response));
    return {};
  }

  Result<std::string> read(const std::string& key, std::uint64_t offset, std::size_t bytes_max) override {
    constexpr int kBeyondTheEnd = 416;
    if (bytes_max == 0) return std::string();
    DOLMEN_TRY(const std::string path, path_of(key));
    const std::string range = fmt::format("bytes={}-{}", offset, offset + bytes_max - 1);
    DOLMEN_TRY(http::Response response, send_to({.method = "GET", .path = path, .range = range}, {}));
    if (response.status == kBeyondTheEnd) return std::string();
    if (response.status == 206) return std::move(response.body);
    // A server that does not know ranges sends everything.
    if (response.status == 200)
      return response.body.substr(std::min<std::uint64_t>(offset, response.body.size()), bytes_max);
    if (is_missing(response)) return fail(Code::kObjectNotFound, "there is no object {}", key);
    return std::unexpected(error_of(response));
  }

  Result<std::optional<std::string>> get(const std::string& key) override {
    DOLMEN_TRY(http::Response response, send("GET", key, {}));
    if (response.status == 200) return std::move(response.body);
    if (is_missing(response)) return std::nullopt;
    return std::unexpected(error_of(response));
  }

  Result<std::optional<std::uint64_t>> size_of(const std::string& key) override {
    DOLMEN_TRY(const http::Response response, send("HEAD", key, {}));
    if (response.status == kNotFound) return std::nullopt;
    if (response.status != 200) return std::unexpected(error_of(response));
    const std::string length(response.header("content-length").value_or(""));
    const Result<Number> bytes = Number::parse(length);
    const std::optional<std::uint64_t> size = bytes ? bytes->to_uint64() : std::nullopt;
    if (!size) return fail(Code::kUnexpectedResponse, "the response of the bucket lacks the length of {}", key);
    return *size;
  }

  Result<void> remove(const std::string& key) override {
    DOLMEN_TRY(const http::Response response, send("DELETE", key, {}));
    if (response.status / 100 != 2 && response.status != kNotFound) return std::unexpected(error_of(response));
    return {};
  }

  Result<std::vector<ObjectInfo>> list(const std::string& prefix) override {
    std::vector<ObjectInfo> found;
    bool too_many = false;
    DOLMEN_TRY_VOID(visit(prefix, [&](const ObjectInfo& object) {
      too_many = too_many || found.size() == kListedMax;
      if (!too_many) found.push_back(object);
    }));
    if (too_many) return fail(Code::kLimitExceeded, "more than {} objects begin with \"{}\"", kListedMax, prefix);
    std::ranges::sort(found, {}, &ObjectInfo::key);
    return found;
  }

  Result<void> visit(const std::string& prefix, const std::function<void(const ObjectInfo&)>& found) override {
    std::string from;
    while (true) {
      // Names in the order in which the signature needs them.
      std::string query = from.empty() ? "" : "continuation-token=" + percent_encoded(from) + "&";
      query += "encoding-type=url&list-type=2&prefix=" + percent_encoded(prefix);
      DOLMEN_TRY(const http::Response response, send_to({.method = "GET", .path = "/" + bucket_, .query = query}, {}));
      if (response.status != 200) return std::unexpected(error_of(response));
      DOLMEN_TRY(const BucketListing page, read_bucket_listing(response.body));
      for (const ObjectInfo& object : page.objects) found(object);
      if (page.next.empty()) return {};
      from = page.next;
    }
  }

 private:
  struct Target {
    std::string_view method;
    std::string path;
    std::string query = {};
    std::string range = {};
  };

  /// The object is missing, and not the bucket itself.
  static bool is_missing(const http::Response& response) {
    return response.status == kNotFound && xml_element(response.body, "Code") != "NoSuchBucket";
  }

  [[nodiscard]] Result<std::string> path_of(const std::string& key) const {
    DOLMEN_TRY(const std::vector<std::string_view> parts, object_key_parts(key, true));
    std::string path = "/" + bucket_;
    for (const std::string_view part : parts) path.append("/").append(percent_encoded(part));
    return path;
  }

  Result<http::Response> send(std::string_view method, const std::string& key, std::string_view body) {
    DOLMEN_TRY(std::string path, path_of(key));
    return send_to({.method = method, .path = std::move(path)}, body);
  }

  Result<http::Response> send_to(const Target& target, std::string_view body) {
    milliseconds delay = kFirstBucketDelay;
    for (int attempt = 1;; ++attempt, delay *= 2) {
      DOLMEN_TRY(const AwsCredentials credentials, current_credentials());
      http::Outcome outcome = client_.send_and_wait(request_for(target, body, credentials));
      if (outcome && outcome->status < 500 && outcome->status != 429) return std::move(*outcome);
      const Error error = outcome ? error_of(*outcome) : outcome.error().error;
      if (attempt >= options_.attempts_max || !is_passing(error)) return std::unexpected(error);
      options_.sleep(delay);
    }
  }

  Result<AwsCredentials> current_credentials() {
    std::promise<Result<AwsCredentials>> promise;
    std::future<Result<AwsCredentials>> future = promise.get_future();
    credentials_.get([&promise](Result<AwsCredentials> credentials) { promise.set_value(std::move(credentials)); });
    return future.get();
  }

  [[nodiscard]] http::Request request_for(const Target& target, std::string_view body,
                                          const AwsCredentials& credentials) const {
    SignatureInput input{.method = target.method,
                         .path = target.path,
                         .query = target.query,
                         .body = body,
                         .region = options_.region,
                         .service = "s3",
                         .time = options_.now()};
    input.headers = {{"host", endpoint_.host}, {"x-amz-content-sha256", hex_sha256(body)}};
    if (target.method == "PUT") input.headers.emplace_back("content-type", options_.content_type);
    http::Request request{.method = std::string(target.method),
                          .url = endpoint_.url.substr(0, endpoint_.url.size() - 1) + target.path,
                          .body = std::string(body),
                          .connect_timeout = options_.connect_timeout,
                          .timeout = options_.request_timeout,
                          .response_bytes_max = options_.response_bytes_max,
                          .use_proxy = !endpoint_.loopback};
    if (!target.query.empty()) request.url.append("?").append(target.query);
    sign(request, std::move(input), credentials);
    if (!target.range.empty()) request.headers.push_back({"range", target.range});
    request.headers.push_back({"user-agent", fmt::format("dolmen/{}", version())});
    return request;
  }

  const std::string bucket_;
  const S3Options options_;
  const http::Endpoint endpoint_;
  http::Client client_;
  CredentialCache credentials_;
};

Result<void> check(const std::string& bucket, const S3Options& options) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  if (bucket.size() < 3 || bucket.size() > 63 || bucket.find_first_not_of(kAllowed) != std::string::npos ||
      bucket.find("..") != std::string::npos)
    return fail(Code::kInvalidArgument, "\"{}\" is not the name of a bucket", bucket);
  if (options.attempts_max < 1) return fail(Code::kInvalidArgument, "attempts_max must be at least 1");
  return {};
}

std::string endpoint_of(const S3Options& options, const Environment& environment) {
  if (!options.endpoint.empty()) return options.endpoint;
  for (const char* name : {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"})
    if (std::string url = environment(name); !url.empty()) return url;
  return fmt::format("https://s3.{}.amazonaws.com{}", options.region, options.region.starts_with("cn-") ? ".cn" : "");
}

class S3Buckets final : public Buckets {
 public:
  explicit S3Buckets(S3Options options) : options_(std::move(options)) {}

  Result<std::shared_ptr<ObjectStore>> open(const std::string& bucket) override {
    const std::lock_guard lock(opened_mutex_);
    std::shared_ptr<ObjectStore>& known = opened_[bucket];
    if (known == nullptr) {
      // Nobody needs so many at a time; one that is still used stays with its user.
      constexpr std::size_t kOpenMax = 100;
      if (opened_.size() > kOpenMax) std::erase_if(opened_, [&](const auto& each) { return each.first != bucket; });
      DOLMEN_TRY(opened_[bucket], open_s3_bucket(bucket, options_));
    }
    return opened_[bucket];
  }

 private:
  const S3Options options_;
  std::mutex opened_mutex_;
  std::map<std::string, std::shared_ptr<ObjectStore>> opened_;
};

}  // namespace

Result<std::unique_ptr<S3Bucket>> open_s3_bucket(const std::string& bucket, const S3Options& given) {
  DOLMEN_TRY_VOID(check(bucket, given));
  S3Options options = given;
  const Environment environment = process_environment();
  if (options.region.empty()) options.region = configured_region(environment, options.profile);
  if (options.region.empty() && !options.endpoint.empty()) options.region = "us-east-1";
  if (options.region.empty()) return fail(Code::kInvalidArgument, "the region is missing; name one, or set AWS_REGION");
  options.now = or_system_clock(std::move(options.now));
  options.sleep = or_real_sleep(std::move(options.sleep));
  DOLMEN_TRY(http::Endpoint endpoint, http::parse_endpoint(endpoint_of(options, environment)));
  auto credentials = given_or_found(options.credentials, {.environment = environment,
                                                          .profile = options.profile,
                                                          .now = options.now,
                                                          .placeholders = endpoint.loopback && !endpoint.encrypted});
  return std::make_unique<HttpBucket>(bucket, std::move(options), std::move(endpoint), std::move(credentials));
}

Result<std::shared_ptr<Buckets>> open_s3_buckets(const S3Options& options) {
  DOLMEN_TRY_VOID(http::parse_endpoint(options.endpoint));
  return std::make_shared<S3Buckets>(options);
}

}  // namespace dolmen
