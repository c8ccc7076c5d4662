// What a signature costs a server: the check of a signed request, and beside it the part of that which every server
// does, with keys or without. The aim is at most 3 microseconds more.
#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "access/access_file.h"
#include "access/gatekeeper.h"
#include "base/check.h"
#include "base/test_directory.h"
#include "protocol/signature.h"

namespace {

using namespace dolmen;

constexpr std::string_view kId = "AKIDEXAMPLEAKIDEXAMPLE";
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

/// A request as SDKs send it, signed now.
class SignedCall {
 public:
  explicit SignedCall(std::size_t body_bytes) : body_(body_bytes, 'x') {
    const auto now = system_clock().now();
    SignatureInput input{.body = body_, .region = "us-east-1", .time = now};
    input.headers = {{"content-type", "application/x-amz-json-1.0"},
                     {"host", "localhost:8000"},
                     {"x-amz-date", amz_date(now)},
                     {"x-amz-target", "DynamoDB_20120810.GetItem"}};
    headers_ = input.headers;
    headers_.emplace_back("authorization", authorization({std::string(kId), std::string(kSecret)}, input));
    headers_.emplace_back("user-agent", "aws-sdk-cpp/1.11 ua/2.1 api/DynamoDB os/Linux lang/c++#C++11");
    headers_.emplace_back("accept", "*/*");
    headers_.emplace_back("content-length", std::to_string(body_.size()));
  }

  [[nodiscard]] access::SignedRequest view() const {
    access::SignedRequest request{.method = "POST", .path = "/", .query = "", .body = body_};
    request.headers.reserve(headers_.size());
    for (const auto& [name, value] : headers_) request.headers.push_back({name, value});
    return request;
  }

 private:
  std::string body_;
  std::vector<std::pair<std::string, std::string>> headers_;
};

void admit(benchmark::State& state, access::Mode mode) {
  const TemporaryDirectory folder;
  const auto file = folder / "access.yaml";
  const auto written = access::write_access_file(
      file, {{.id = std::string(kId), .secret = std::string(kSecret), .role = access::Role::kAdmin}});
  DOLMEN_CHECK(written.has_value(), "the access file can be written");
  const auto gatekeeper = access::Gatekeeper::open({.mode = mode, .file = file}).value();
  const SignedCall call(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const auto caller = gatekeeper->admit(call.view(), "127.0.0.1");
    DOLMEN_CHECK(caller.has_value(), "the signature is right");
    benchmark::DoNotOptimize(caller);
  }
}

/// The sizes of the bodies of a GetItem, a PutItem of 1 KB and a batch.
constexpr int kBodyBytes[] = {60, 1'100, 30'000};

void auth_off(benchmark::State& state) { admit(state, access::Mode::kOff); }
void auth_enforced(benchmark::State& state) { admit(state, access::Mode::kEnforce); }

void with_sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int bytes : kBodyBytes) benchmark->Arg(bytes);
  benchmark->Unit(benchmark::kMicrosecond);
}
BENCHMARK(auth_off)->Apply(with_sizes);
BENCHMARK(auth_enforced)->Apply(with_sizes);

}  // namespace
