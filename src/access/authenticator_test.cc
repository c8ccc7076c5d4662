#include "access/authenticator.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "access/access_file.h"
#include "access/failure_brake.h"
#include "access/permission.h"
#include "base/test_directory.h"
#include "base/test_result.h"

namespace dolmen::access {
namespace {

using std::chrono::minutes;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kId = "AKIDEXAMPLEAKIDEXAMPLE";
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

class StandingClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    return std::chrono::sys_days(std::chrono::year(2026) / 11 / 16) + minutes(600);
  }
};

/// A request and the strings that it consists of.
struct Sent {
  std::string query = {};
  std::string body = "{}";
  std::vector<std::pair<std::string, std::string>> headers = {};

  [[nodiscard]] SignedRequest view() const {
    SignedRequest request{.method = "POST", .path = "/", .query = query, .body = body};
    for (const auto& [name, value] : headers) request.headers.push_back({name, value});
    return request;
  }
};

class AuthenticatorTest : public testing::Test {
 protected:
  AuthenticatorTest() {
    write({{.id = std::string(kId), .secret = std::string(kSecret), .role = Role::kAdmin},
           {.id = "TEMPORARYTEMPORARY00", .secret = std::string(kSecret), .session_token = "the token"},
           {.id = "EXPIREDEXPIREDEXPIRED",
            .secret = std::string(kSecret),
            .expires = Timestamp{.seconds = 1'700'000'000}}});
    keys_ = AccessKeys::open(file_).value();
    authenticator_.emplace(*keys_, Authenticator::Options{.clock = &clock_});
  }

  void write(const std::vector<AccessKey>& keys) { ASSERT_THAT(write_access_file(file_, keys), succeeds()); }

  struct Signing {
    std::string id = std::string(kId);
    std::string secret = std::string(kSecret);
    std::string region = "us-east-1";
    std::string service = "dynamodb";
    minutes off{0};
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = "{}";
  };

  [[nodiscard]] Sent sign(const Signing& signing) const {
    const auto time = clock_.now() + signing.off;
    SignatureInput input{.body = signing.body, .region = signing.region, .service = signing.service, .time = time};
    input.headers = {{"host", "localhost:8000"}, {"x-amz-date", amz_date(time)}};
    input.headers.insert(input.headers.end(), signing.headers.begin(), signing.headers.end());
    Sent sent{.body = signing.body, .headers = input.headers};
    sent.headers.emplace_back("Authorization", authorization({signing.id, signing.secret}, input));
    return sent;
  }

  /// Empty when the request is accepted.
  [[nodiscard]] std::string problem(const Sent& sent) const {
    const auto key = authenticator_->authenticate(sent.view());
    return key ? "" : std::string(code_name(key.error().code())) + ": " + std::string(key.error().message());
  }

  TemporaryDirectory folder_;
  std::filesystem::path file_ = folder_ / "access.yaml";
  StandingClock clock_;
  std::unique_ptr<AccessKeys> keys_;
  std::optional<Authenticator> authenticator_;
};

TEST_F(AuthenticatorTest, accepts_what_a_known_key_has_signed) {
  EXPECT_EQ(problem(sign({})), "");
  EXPECT_EQ(problem(sign({.off = minutes(-5)})), "");
  EXPECT_EQ(problem(sign({.off = minutes(5)})), "");
  EXPECT_EQ(problem(sign({.body = ""})), "");
  EXPECT_EQ(problem(sign({.id = "TEMPORARYTEMPORARY00", .headers = {{"x-amz-security-token", "the token"}}})), "");
}

TEST_F(AuthenticatorTest, does_not_care_how_headers_are_written) {
  Sent sent = sign({.headers = {{"x-amz-meta", "a b c"}, {"x-amz-target", "DynamoDB_20120810.ListTables"}}});
  for (auto& [name, value] : sent.headers)
    if (name == "x-amz-meta") {
      name = "X-Amz-Meta";
      value = "  a   b \t c  ";
    }
  std::ranges::reverse(sent.headers);
  EXPECT_EQ(problem(sent), "");
}

TEST_F(AuthenticatorTest, joins_headers_that_came_several_times) {
  Sent sent = sign({.headers = {{"x-twice", "one,two"}}});
  for (auto& [name, value] : sent.headers)
    if (name == "x-twice") value = "one";
  sent.headers.emplace_back("X-Twice", "two");
  EXPECT_EQ(problem(sent), "");
  std::swap(sent.headers[2].second, sent.headers.back().second);
  EXPECT_THAT(problem(sent), StartsWith("InvalidSignature"));
}

TEST_F(AuthenticatorTest, refuses_what_has_been_changed_on_the_way) {
  Sent body = sign({});
  body.body = "{ }";
  Sent host = sign({});
  host.headers[0].second = "elsewhere";
  Sent query = sign({});
  query.query = "a=b";
  Sent signature = sign({});
  signature.headers.back().second.back() ^= 1;
  for (const Sent& sent : {body, host, query, signature})
    EXPECT_THAT(problem(sent), StartsWith("InvalidSignature: The request signature we calculated does not match"));
}

TEST_F(AuthenticatorTest, shows_what_should_have_been_signed_and_no_secret) {
  const std::string message = problem(sign({.secret = "another"}));
  EXPECT_THAT(message,
              HasSubstr("The Canonical String for this request should have been\n'POST\n/\n\nhost:localhost:8000\n"));
  EXPECT_THAT(message, HasSubstr("The String-to-Sign should have been\n'AWS4-HMAC-SHA256\n20261116T100000Z\n"));
  EXPECT_THAT(message, testing::Not(HasSubstr(std::string(kSecret))));
}

TEST_F(AuthenticatorTest, refuses_in_the_order_of_dynamodb) {
  EXPECT_EQ(problem(Sent{}), "MissingAuthentication: Request is missing Authentication Token");
  Sent no_date = sign({});
  std::erase_if(no_date.headers, [](const auto& header) { return header.first == "x-amz-date"; });
  EXPECT_THAT(problem(no_date), StartsWith("IncompleteSignature: Authorization header requires existence of either a "
                                           "'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256"));
  Sent bad_date = sign({});
  bad_date.headers[1].second = "201";
  EXPECT_EQ(problem(bad_date),
            "IncompleteSignature: Date must be in ISO-8601 'basic format'. Got '201'. See "
            "http://en.wikipedia.org/wiki/ISO_8601");
  EXPECT_EQ(problem(sign({.id = "NOBODYNOBODYNOBODY00", .off = minutes(-6)})),
            "InvalidSignature: Signature expired: 20261116T095400Z is now earlier than 20261116T095500Z "
            "(20261116T100000Z - 5 min.)");
  EXPECT_EQ(problem(sign({.off = minutes(6)})),
            "InvalidSignature: Signature not yet current: 20261116T100600Z is still later than 20261116T100500Z "
            "(20261116T100000Z + 5 min.)");
  EXPECT_EQ(problem(sign({.id = "NOBODYNOBODYNOBODY00", .region = "mars", .service = "s3"})),
            "InvalidSignature: Credential should be scoped to a valid region. Credential should be scoped to correct "
            "service: 'dynamodb'. ");
  EXPECT_EQ(problem(sign({.id = "NOBODYNOBODYNOBODY00"})),
            "UnrecognizedClient: The security token included in the request is invalid.");
  EXPECT_EQ(problem(sign({.id = "EXPIREDEXPIREDEXPIRED"})),
            "ExpiredToken: The security token included in the request is expired");
  for (const std::string token : {"", "another"}) {
    Signing signing{.id = "TEMPORARYTEMPORARY00"};
    if (!token.empty()) signing.headers = {{"x-amz-security-token", token}};
    EXPECT_EQ(problem(sign(signing)), "UnrecognizedClient: The security token included in the request is invalid");
  }
}

TEST_F(AuthenticatorTest, needs_a_whole_credential_the_host_and_the_algorithm) {
  const auto with = [&](std::string_view from, std::string_view to) {
    Sent sent = sign({});
    std::string& header = sent.headers.back().second;
    header.replace(header.find(from), from.size(), to);
    return problem(sent);
  };
  EXPECT_EQ(with("SignedHeaders=host;x-amz-date", "SignedHeaders=x-amz-date"),
            "InvalidSignature: 'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  EXPECT_EQ(with("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"),
            "IncompleteSignature: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1' (only AWS4-HMAC-SHA256 for now). ");
  EXPECT_THAT(with("/us-east-1", ""), StartsWith("IncompleteSignature: Credential must have exactly 5 slash-delimited "
                                                 "elements, e.g. keyid/date/region/service/term, got '"));
  EXPECT_EQ(with("aws4_request", "aws4"),
            "InvalidSignature: Credential should be scoped with a valid terminator: 'aws4_request', not 'aws4'. ");
  EXPECT_EQ(with("/20261116/", "/20261115/"),
            "InvalidSignature: Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
            "HTTP: '20261115' != '20261116', from '20261116T100000Z'. ");
  EXPECT_EQ(with("aws4_request", "aws4_request//"), "");
}

TEST_F(AuthenticatorTest, knows_keys_as_soon_as_the_file_has_them) {
  const Sent later = sign({.id = "LATERLATERLATERLATER"});
  EXPECT_THAT(problem(later), StartsWith("UnrecognizedClient"));
  write({{.id = "LATERLATERLATERLATER", .secret = std::string(kSecret)}});
  keys_->refresh();
  EXPECT_EQ(problem(later), "");
  EXPECT_THAT(problem(sign({})), StartsWith("UnrecognizedClient"));
  // A file that cannot be read changes nothing.
  FileWriter().write(file_, "keys: 7").value();
  keys_->refresh();
  EXPECT_EQ(problem(later), "");
}

TEST_F(AuthenticatorTest, looks_at_the_file_once_a_second) {
  const AccessKeys::Clock::time_point before = AccessKeys::Clock::now();
  const std::unique_ptr<AccessKeys> keys = AccessKeys::open(file_).value();
  write({{.id = "LATERLATERLATERLATER", .secret = std::string(kSecret)}});
  EXPECT_EQ(keys->find("LATERLATERLATERLATER", before), nullptr);
  EXPECT_NE(keys->find("LATERLATERLATERLATER", before + minutes(1)), nullptr);
}

TEST(CanonicalRequest, is_not_many_times_as_long_as_the_request_when_a_header_is_named_again_and_again) {
  const std::string value(8'000, 'v');
  const SignedRequest request{.method = "POST", .path = "/", .query = "", .body = "", .headers = {{"x", value}}};
  std::string names = "x";
  for (int i = 0; i < 4'000; ++i) names += ";x";
  EXPECT_EQ(canonical_request(request, names), canonical_request(request, "x"));
}

TEST(FailureBrake, lets_answers_wait_after_some_failures) {
  FailureBrake brake;
  const FailureBrake::Clock::time_point now = FailureBrake::Clock::now();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(brake.failed("10.0.0.1", now).count(), 0);
  EXPECT_EQ(brake.failed("10.0.0.1", now).count(), 50);
  EXPECT_EQ(brake.failed("10.0.0.1", now).count(), 100);
  for (int i = 0; i < 50; ++i) EXPECT_LE(brake.failed("10.0.0.1", now).count(), 2000);
  EXPECT_EQ(brake.failed("10.0.0.2", now).count(), 0);
  // An address is forgotten when it did not fail for more than a minute.
  EXPECT_EQ(brake.failed("10.0.0.1", now + std::chrono::seconds(60)).count(), 2000);
  EXPECT_EQ(brake.failed("10.0.0.1", now + std::chrono::seconds(121)).count(), 0);
}

TEST(Permission, follows_role_and_tables) {
  const ResourceOwner owner{"000000000000", "us-east-1"};
  AccessKey key{.id = "READER", .role = Role::kReadOnly, .tables = {"orders-*"}};
  const Demand read{.operation = "GetItem", .role = Role::kReadOnly, .resources = {{"orders-1"}}};
  EXPECT_THAT(check_permission(key, read, owner), succeeds());
  const Demand write{.operation = "PutItem", .role = Role::kReadWrite, .resources = {{"orders-1"}}};
  EXPECT_THAT(
      check_permission(key, write, owner),
      fails_with(Code::kAccessDenied,
                 "User: arn:aws:iam::000000000000:user/READER is not authorized to perform: dynamodb:PutItem on "
                 "resource: arn:aws:dynamodb:us-east-1:000000000000:table/orders-1 because no identity-based "
                 "policy allows the dynamodb:PutItem action"));
  key.role = Role::kAdmin;
  EXPECT_THAT(check_permission(key, write, owner), succeeds());
  const Demand other{.operation = "GetItem", .role = Role::kReadOnly, .resources = {{"orders-1"}, {"users"}}};
  EXPECT_THAT(check_permission(key, other, owner), fails_with(Code::kAccessDenied));
  const Demand all{.operation = "ListTables", .role = Role::kReadOnly};
  EXPECT_THAT(check_permission(key, all, owner), fails_with(Code::kAccessDenied));
  key.tables.clear();
  EXPECT_THAT(check_permission(key, all, owner), succeeds());
}

TEST(Permission, takes_each_resource_from_the_key_or_from_its_policy) {
  const ResourceOwner owner{"000000000000", "us-east-1"};
  const auto policy = std::make_shared<const std::string>(
      R"({"Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/K1"},)"
      R"("Action":"dynamodb:BatchGetItem","Resource":"arn:aws:dynamodb:us-east-1:000000000000:table/users"}]})");
  ResourcePolicies policies(
      [&](const PolicyResource& resource) { return resource.table == "users" ? policy : nullptr; });
  const AccessKey key{.id = "K1", .role = Role::kReadOnly, .tables = {"orders"}};
  Demand demand{.operation = "BatchGetItem", .role = Role::kReadOnly, .resources = {{"orders"}, {"users"}}};
  EXPECT_THAT(check_permission(key, demand, owner, policies), succeeds());
  demand.resources.push_back({"prices"});
  EXPECT_THAT(check_permission(key, demand, owner, policies), fails_with(Code::kAccessDenied));
}

}  // namespace
}  // namespace dolmen::access
