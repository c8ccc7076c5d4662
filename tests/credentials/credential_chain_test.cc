#include "credentials/credential_chain.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <map>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "credentials/credential_json.h"
#include "tests/http_client/test_server.h"

namespace dolmen {
namespace {

using namespace std::chrono_literals;

const auto kNow = std::chrono::system_clock::from_time_t(1'800'000'000);

/// A world of its own: variables, files in a folder, and services on loopback. Nothing of the real one is looked at.
class CredentialChain : public testing::Test {
 protected:
  CredentialChain() { variables_ = {{"HOME", folder_.path().string()}, {"AWS_EC2_METADATA_DISABLED", "true"}}; }

  std::string write(const std::string& name, std::string_view text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  [[nodiscard]] Environment environment() const {
    return [this](const std::string& name) {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::string() : found->second;
    };
  }

  Result<AwsCredentials> find(const std::string& profile = "", bool placeholders = false) {
    http::Client client;
    CredentialCache::Fetch fetch = credential_chain(
        {.environment = environment(), .profile = profile, .now = [] { return kNow; }, .placeholders = placeholders},
        client);
    return fetch(std::stop_token());
  }

  static std::string sts_answer(std::string_view key) {
    return fmt::format(
        "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>{}</AccessKeyId>"
        "<SecretAccessKey>role secret</SecretAccessKey><SessionToken>role token</SessionToken>"
        "<Expiration>2027-01-15T09:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>",
        key);
  }

  TemporaryDirectory folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(CredentialChain, prefers_the_environment) {
  write(".aws/credentials", "[default]\naws_access_key_id = file\naws_secret_access_key = file\n");
  variables_["AWS_ACCESS_KEY_ID"] = "id";
  variables_["AWS_SECRET_ACCESS_KEY"] = "secret";
  variables_["AWS_SESSION_TOKEN"] = "token";
  EXPECT_EQ(find().value(), (AwsCredentials{"id", "secret", "token"}));
  EXPECT_EQ(find("default").value().access_key_id, "file") << "a profile that the program names comes first";
}

TEST_F(CredentialChain, reads_profiles_from_both_files) {
  write(
      ".aws/config",
      "# comment\n[default]\nregion = eu-north-1\n[profile work]\nregion=eu-west-3 ; inline\naws_access_key_id = old\n"
      "s3 =\n  max_concurrent_requests = 20\n[sso-session x]\nregion = nowhere\n");
  write(".aws/credentials", "[work]\naws_access_key_id = id\naws_secret_access_key = se=cret\naws_session_token = t\n");
  EXPECT_EQ(find("work").value(), (AwsCredentials{"id", "se=cret", "t"}));
  EXPECT_EQ(configured_region(environment(), "work"), "eu-west-3");
  EXPECT_EQ(configured_region(environment(), ""), "eu-north-1");
  variables_["AWS_PROFILE"] = "work";
  EXPECT_EQ(find().value().access_key_id, "id");
  EXPECT_EQ(configured_region(environment(), ""), "eu-west-3");
  variables_["AWS_DEFAULT_REGION"] = "us-west-2";
  EXPECT_EQ(configured_region(environment(), "work"), "us-west-2");
  variables_["AWS_SHARED_CREDENTIALS_FILE"] = write("other", "[work]\naws_access_key_id=x\naws_secret_access_key=y\n");
  EXPECT_EQ(find().value(), (AwsCredentials{"x", "y"}));
}

TEST_F(CredentialChain, fails_for_a_profile_that_is_not_there) {
  variables_["AWS_PROFILE"] = "absent";
  const Result<AwsCredentials> found = find("", true);
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found, fails_with(Code::kCredentials));
  EXPECT_NE(found.error().message().find("the profile absent does not exist"), std::string::npos);
}

TEST_F(CredentialChain, takes_placeholders_only_where_they_are_allowed) {
  EXPECT_EQ(find("", true).value().access_key_id, "dolmen");
  const Result<AwsCredentials> found = find();
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found, fails_with(Code::kCredentials));
  for (const char* place : {"AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "profile default", ".aws/config",
                            "AWS_CONTAINER_CREDENTIALS", "EC2"})
    EXPECT_NE(found.error().message().find(place), std::string::npos) << place << ": " << found.error().message();
}

TEST_F(CredentialChain, runs_a_credential_process) {
  write(".aws/config",
        "[default]\ncredential_process = printf '{\"Version\":1,\"AccessKeyId\":\"id\",\"SecretAccessKey\":\"secret\","
        "\"SessionToken\":\"token\",\"Expiration\":\"2027-01-15T09:00:00.5Z\"}'\n"
        "[profile failing]\ncredential_process = echo '{}'; exit 3\n[profile odd]\ncredential_process = echo hello\n");
  const AwsCredentials expected{"id", "secret", "token", kNow + 1h};
  EXPECT_EQ(find().value(), expected);
  EXPECT_THAT(find("failing"), fails_with(Code::kCredentials));
  EXPECT_THAT(find("odd"), fails_with(Code::kCredentials));
}

TEST_F(CredentialChain, takes_on_a_role_with_the_keys_of_another_profile) {
  std::mutex bodies_mutex;
  std::vector<TestServer::Received> asked;
  TestServer sts([&](const TestServer::Received& request) -> TestServer::Reply {
    const std::lock_guard lock(bodies_mutex);
    asked.push_back(request);
    return {TestServer::response(200, sts_answer("role"))};
  });
  variables_["AWS_ENDPOINT_URL_STS"] = sts.url();
  write(".aws/config",
        "[profile base]\naws_access_key_id = base\naws_secret_access_key = secret\n[profile app]\n"
        "role_arn = arn:aws:iam::1:role/app\nsource_profile = base\nrole_session_name = me\nexternal_id = e&x\n"
        "region = eu-west-1\n[profile a]\nrole_arn = r\nsource_profile = b\n[profile b]\nrole_arn = r\n"
        "source_profile = a\n");
  const AwsCredentials expected{"role", "role secret", "role token", kNow + 1h};
  EXPECT_EQ(find("app").value(), expected);
  const std::lock_guard lock(bodies_mutex);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].body,
            "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fapp&RoleSessionName=me"
            "&ExternalId=e%26x");
  EXPECT_TRUE(asked[0]
                  .header("authorization")
                  .starts_with("AWS4-HMAC-SHA256 Credential=base/20270115/eu-west-1/sts/aws4_request, "));
  EXPECT_NE(find("a").error().message().find("circle"), std::string::npos);
}

TEST_F(CredentialChain, takes_on_a_role_with_a_web_identity) {
  std::promise<std::string> body;
  TestServer sts([&](const TestServer::Received& request) -> TestServer::Reply {
    body.set_value(request.body + request.header("authorization"));
    return {TestServer::response(200, sts_answer("web"))};
  });
  variables_["AWS_ENDPOINT_URL_STS"] = sts.url();
  variables_["AWS_ROLE_ARN"] = "role";
  variables_["AWS_ROLE_SESSION_NAME"] = "pod";
  variables_["AWS_WEB_IDENTITY_TOKEN_FILE"] = write("token", "jwt.text\n");
  EXPECT_EQ(find().value().access_key_id, "web");
  EXPECT_EQ(body.get_future().get(),
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=role&RoleSessionName=pod"
            "&WebIdentityToken=jwt.text");
}

TEST_F(CredentialChain, says_what_sts_answered) {
  TestServer sts([](const TestServer::Received&) -> TestServer::Reply {
    return {TestServer::response(403,
                                 "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error>"
                                 "</ErrorResponse>")};
  });
  variables_["AWS_ENDPOINT_URL_STS"] = sts.url();
  variables_["AWS_ROLE_ARN"] = "role";
  variables_["AWS_WEB_IDENTITY_TOKEN_FILE"] = write("token", "jwt");
  const Result<AwsCredentials> found = find();
  EXPECT_THAT(found, fails_with(Code::kCredentials));
  EXPECT_NE(found.error().message().find("403 AccessDenied: not you"), std::string::npos) << found.error().message();
}

TEST_F(CredentialChain, refuses_profiles_for_people_with_a_hint) {
  write(".aws/config",
        "[profile sso]\nsso_session = company\n[profile mfa]\nrole_arn = r\nsource_profile = sso\nmfa_serial = m\n");
  for (const char* profile : {"sso", "mfa"}) {
    const Result<AwsCredentials> found = find(profile);
    ASSERT_FALSE(found.has_value());
    EXPECT_NE(found.error().message().find("aws configure export-credentials"), std::string::npos);
  }
}

TEST_F(CredentialChain, asks_the_container_with_its_token) {
  TestServer container([](const TestServer::Received& request) -> TestServer::Reply {
    if (!request.head.starts_with("GET /creds ") || request.header("authorization") != "from file")
      return {TestServer::response(401, "")};
    return {TestServer::response(
        200, R"({"AccessKeyId":"c","SecretAccessKey":"s","Token":"t","Expiration":"2027-01-15T09:00:00Z"})")};
  });
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = container.url() + "/creds";
  variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "from environment";
  EXPECT_FALSE(find().has_value());
  variables_["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = write("token", "from file\n");
  const AwsCredentials expected{"c", "s", "t", kNow + 1h};
  EXPECT_EQ(find().value(), expected);
  variables_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://example.com/creds";
  EXPECT_NE(find().error().message().find("neither encrypted nor on this machine"), std::string::npos);
}

TEST_F(CredentialChain, asks_the_metadata_service_of_an_instance) {
  TestServer metadata([](const TestServer::Received& request) -> TestServer::Reply {
    const auto asks = [&](std::string_view line) { return request.head.starts_with(line); };
    if (asks("PUT /latest/api/token ") && request.header("x-aws-ec2-metadata-token-ttl-seconds") == "21600")
      return {TestServer::response(200, "metadata token")};
    if (request.header("x-aws-ec2-metadata-token") != "metadata token") return {TestServer::response(401, "")};
    if (asks("GET /latest/meta-data/iam/security-credentials/ ")) return {TestServer::response(200, "my-role\n")};
    if (asks("GET /latest/meta-data/iam/security-credentials/my-role "))
      return {TestServer::response(200, R"({"Code":"Success","AccessKeyId":"i","SecretAccessKey":"s","Token":"t",)"
                                        R"("Expiration":"2027-01-15T09:00:00Z"})")};
    return {TestServer::response(404, "")};
  });
  variables_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = metadata.url();
  EXPECT_FALSE(find().has_value()) << "it is switched off";
  variables_.erase("AWS_EC2_METADATA_DISABLED");
  const AwsCredentials expected{"i", "s", "t", kNow + 1h};
  EXPECT_EQ(find().value(), expected);
}

TEST(ProcessEnvironment, has_the_variables_of_this_process) {
  ASSERT_EQ(::setenv("DOLMEN_TEST_VARIABLE", "a value", 1), 0);
  EXPECT_EQ(process_environment()("DOLMEN_TEST_VARIABLE"), "a value");
  ASSERT_EQ(::unsetenv("DOLMEN_TEST_VARIABLE"), 0);
  EXPECT_EQ(process_environment()("DOLMEN_TEST_VARIABLE"), "");
}

TEST(Expiry, is_read_in_the_forms_that_aws_uses) {
  EXPECT_EQ(expiry_of("2027-01-15T08:00:00Z"), kNow);
  EXPECT_EQ(expiry_of("2027-01-15T08:00:00.123Z"), kNow);
  EXPECT_EQ(expiry_of("2027-01-15T08:00:00+00:00"), kNow);
  for (const char* text : {"", "2027-01-15", "2027-13-15T08:00:00Z", "2027-01-15T25:00:00Z", "2027-01-15T08:00:00",
                           "tomorrow", "2027-01-15T08:00:00Z."})
    EXPECT_EQ(expiry_of(text), std::nullopt) << text;
}

TEST(Expiry, is_far_away_for_credentials_that_say_the_year_9999) {
  EXPECT_GT(expiry_of("9999-12-31T23:59:59Z").value(), kNow + std::chrono::years(200));
}

TEST(CredentialCache, pauses_between_renewals_that_fail) {
  constexpr std::int64_t kStart = 1'800'000'000;
  std::atomic<std::int64_t> now_s = kStart;
  std::mutex fetches_mutex;
  std::vector<std::int64_t> fetches;
  const auto fetched = [&] {
    const std::lock_guard lock(fetches_mutex);
    return fetches;
  };
  {
    CredentialCache cache(
        [&](const std::stop_token&) -> Result<AwsCredentials> {
          const std::lock_guard lock(fetches_mutex);
          fetches.push_back(now_s - kStart);
          if (now_s > kStart) return std::unexpected(Error(Code::kCredentials, "none today"));
          return AwsCredentials{"key", "s", "t", kNow + 1h};
        },
        [&] { return std::chrono::system_clock::from_time_t(now_s); });
    std::promise<void> first;
    cache.get([&](const Result<AwsCredentials>&) { first.set_value(); });
    first.get_future().wait();
    for (const std::size_t renewals : {1U, 2U, 3U}) {
      now_s = kStart + 3400 + static_cast<std::int64_t>(renewals) * 40;
      while (fetched().size() < 1 + renewals) EXPECT_TRUE(cache.current().has_value());
      for (int i = 0; i < 1000; ++i) EXPECT_TRUE(cache.current().has_value());
    }
  }
  EXPECT_EQ(fetched(), (std::vector<std::int64_t>{0, 3440, 3480, 3520}));
}

TEST(CredentialCache, fetches_once_for_all_who_wait_and_again_before_the_end) {
  std::atomic<std::int64_t> now_s = 1'800'000'000;
  std::atomic<int> fetched = 0;
  CredentialCache cache(
      [&](const std::stop_token&) -> Result<AwsCredentials> {
        ++fetched;
        const auto expires = std::chrono::system_clock::from_time_t(now_s) + 1h;
        return AwsCredentials{fmt::format("key{}", fetched.load()), "s", "t", expires};
      },
      [&] { return std::chrono::system_clock::from_time_t(now_s); });
  const auto get = [&] {
    auto promise = std::make_shared<std::promise<std::string>>();
    cache.get([promise](const Result<AwsCredentials>& found) { promise->set_value(found.value().access_key_id); });
    return promise->get_future();
  };
  std::vector<std::future<std::string>> all;
  for (int i = 0; i < 20; ++i) all.push_back(get());
  for (auto& one : all) EXPECT_EQ(one.get(), "key1");
  now_s += 3400;
  EXPECT_EQ(get().get(), "key1") << "still good, and renewed behind the scenes";
  while (fetched < 2) std::this_thread::yield();
  while (get().get() == "key1") std::this_thread::yield();
  EXPECT_EQ(get().get(), "key2");
  now_s += 4000;
  EXPECT_EQ(get().get(), "key3") << "too old to be used once more";
}

}  // namespace
}  // namespace dolmen
