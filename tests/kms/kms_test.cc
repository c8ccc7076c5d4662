#include "dolmen/kms.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "kms/kms_keys.h"
#include "tests/kms/stand_in.h"

namespace dolmen {
namespace {

using std::chrono::milliseconds;

constexpr KeyPurpose kPhone{.model = "User", .attribute = "phone"};
constexpr KeyPurpose kName{.model = "User", .attribute = "name"};

class Kms : public ::testing::Test {
 protected:
  KmsOptions options() {
    return {.key = std::string(StandInKms::kKey),
            .endpoint = kms_.url(),
            .credentials = AwsCredentials{.access_key_id = std::string(StandInKms::kAccessKey),
                                          .secret_access_key = std::string(StandInKms::kSecret)},
            .cache = std::nullopt,
            .random = [] { return std::uint64_t{7}; },
            .sleep = [this](milliseconds time) { waits_.push_back(time); }};
  }
  std::unique_ptr<KeyProvider> open() { return open_kms_keys(options()).value(); }

  StandInKms kms_;
  std::vector<milliseconds> waits_;
};

TEST_F(Kms, seals_and_opens_values_with_signed_requests) {
  const auto keys = open();
  const AttributeValue envelope = seal("+33 2 98", kPhone, *keys).value();
  EXPECT_EQ(unseal(envelope, kPhone, *keys), AttributeValue("+33 2 98"));
  EXPECT_EQ(kms_.operations(), (std::vector<std::string>{"GenerateDataKey", "Decrypt"}));
  EXPECT_FALSE(keys->is_current(envelope.map().at("edk").binary()));
}

TEST_F(Kms, sends_no_context_unless_it_is_told_so_that_other_libraries_can_read) {
  const auto keys = open();
  keys->generate(kPhone).value();
  EXPECT_EQ(kms_.contexts(), std::vector<std::string>{"{}"});
}

TEST_F(Kms, a_data_key_opens_only_with_the_context_that_it_was_made_with) {
  KmsOptions with = options();
  with.context = {{"tenant", "a\"c<me"}};
  with.bind_purpose = true;
  const auto keys = open_kms_keys(with).value();
  const AttributeValue envelope = seal("x", kPhone, *keys).value();
  EXPECT_EQ(kms_.contexts().back(), R"({"dolmen:attribute":"phone","dolmen:model":"User","tenant":"a\"c<me"})");
  EXPECT_EQ(unseal(envelope, kPhone, *keys), AttributeValue("x"));
  const Bytes& data_key = envelope.map().at("edk").binary();
  EXPECT_THAT(keys->decrypt(data_key, kName), fails_with(Code::kInvalidEncryptedEnvelope));
  const Result<AttributeValue> other = unseal(envelope, kPhone, *open());
  EXPECT_THAT(other, fails_with(Code::kInvalidEncryptedEnvelope));
  EXPECT_NE(other.error().message().find("another encryption context"), std::string::npos) << other.error().message();
}

TEST_F(Kms, an_envelope_with_any_other_byte_does_not_open) {
  const auto keys = open();
  const Item good = seal("top-secret", kPhone, *keys).value().map();
  for (const char* name : {"edk", "nonce", "ct"})
    for (std::size_t i = 0; i < good.at(name).binary().size(); ++i) {
      std::string bytes(good.at(name).binary().view());
      bytes[i] = static_cast<char>(bytes[i] ^ 0x20);
      Item bad = good;
      bad.set(name, Bytes(bytes));
      ASSERT_THAT(unseal(bad, kPhone, *keys), fails_with(Code::kInvalidEncryptedEnvelope)) << name << i;
    }
}

TEST_F(Kms, reads_data_keys_of_old_keys) {
  KmsOptions old = options();
  old.key = StandInKms::kOtherKey;
  const AttributeValue envelope = seal("x", kPhone, *open_kms_keys(old).value()).value();
  EXPECT_THAT(unseal(envelope, kPhone, *open()), fails_with(Code::kInvalidEncryptedEnvelope));
  KmsOptions both = options();
  both.old_keys = {std::string(StandInKms::kOtherKey)};
  EXPECT_EQ(unseal(envelope, kPhone, *open_kms_keys(both).value()), AttributeValue("x"));
}

TEST_F(Kms, tries_again_when_it_is_throttled_or_kms_is_in_trouble) {
  const auto keys = open();
  kms_.answer_next({StandInKms::error("ThrottlingException", "Rate exceeded"),
                    StandInKms::error("KMSInternalException", "", 500), StandInKms::text(503, "busy")});
  EXPECT_THAT(keys->generate(kPhone), succeeds());
  EXPECT_EQ(kms_.requests(), 4);
  // A random part of 50, 100 and 200 ms; the random number is 7.
  EXPECT_EQ(waits_, (std::vector<milliseconds>{milliseconds(7), milliseconds(7), milliseconds(7)}));
}

TEST_F(Kms, waits_for_a_time_of_its_own_when_no_random_numbers_are_given) {
  KmsOptions by_itself = options();
  by_itself.random = {};
  const auto keys = open_kms_keys(by_itself).value();
  kms_.answer_next({StandInKms::error("ThrottlingException", "Rate exceeded")});
  EXPECT_THAT(keys->generate(kPhone), succeeds());
  ASSERT_EQ(waits_.size(), 1U);
  EXPECT_LE(waits_[0], by_itself.first_delay);
}

TEST_F(Kms, gives_up_after_so_many_attempts) {
  const auto keys = open();
  kms_.answer_next(std::vector(9, StandInKms::error("ThrottlingException", "Rate exceeded")));
  const auto key = keys->generate(kPhone);
  EXPECT_THAT(key, fails_with(Code::kThrottled));
  EXPECT_NE(key.error().message().find("Rate exceeded"), std::string::npos);
  EXPECT_EQ(kms_.requests(), 4);
}

TEST_F(Kms, tries_again_when_a_connection_is_cut) {
  const auto keys = open();
  kms_.answer_next({{"", TestServer::Then::kReset}, {"HTTP/1.1 200 OK\r\nContent-Le", TestServer::Then::kClose}});
  EXPECT_THAT(keys->generate(kPhone), succeeds());
  EXPECT_EQ(kms_.requests(), 3);
}

TEST_F(Kms, asks_once_when_it_is_denied) {
  const auto keys = open();
  kms_.answer_next({StandInKms::error("AccessDeniedException", "not authorized to perform: kms:GenerateDataKey")});
  const auto key = keys->generate(kPhone);
  EXPECT_THAT(key, fails_with(Code::kAccessDenied));
  EXPECT_NE(key.error().message().find("not authorized"), std::string::npos);
  EXPECT_EQ(kms_.requests(), 1);
}

TEST_F(Kms, says_that_a_key_is_disabled_or_missing) {
  const auto keys = open();
  const AttributeValue envelope = seal("x", kPhone, *keys).value();
  kms_.disable(StandInKms::kKey);
  const Result<AttributeValue> opened = unseal(envelope, kPhone, *keys);
  EXPECT_THAT(opened, fails_with(Code::kEncryptionNotConfigured));
  EXPECT_NE(opened.error().message().find("is disabled"), std::string::npos);
  EXPECT_THAT(keys->generate(kPhone), fails_with(Code::kEncryptionNotConfigured));
  KmsOptions missing = options();
  missing.key = "alias/nobody";
  missing.region = "eu-west-1";
  EXPECT_THAT(open_kms_keys(missing).value()->generate(kPhone), fails_with(Code::kEncryptionNotConfigured));
}

TEST_F(Kms, refuses_answers_that_are_not_those_of_kms) {
  const auto keys = open();
  for (const char* body :
       {"", "[]", "null", "{}", R"({"Plaintext":"AAAA"})", R"({"CiphertextBlob":"AAAA","Plaintext":"AAAA"})",
        R"({"CiphertextBlob":"!","Plaintext":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="})",
        R"({"CiphertextBlob":"","Plaintext":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="})",
        R"({"CiphertextBlob":1,"Plaintext":2})"}) {
    kms_.answer_next({StandInKms::text(200, body)});
    EXPECT_THAT(keys->generate(kPhone), fails_with(Code::kUnexpectedResponse)) << body;
  }
  for (const char* body : {"", "x", "{}", R"({"Plaintext":"AAAA"})", R"({"Plaintext":true})"}) {
    kms_.answer_next({StandInKms::text(200, body)});
    EXPECT_THAT(keys->decrypt(Bytes("edk"), kPhone), fails_with(Code::kUnexpectedResponse)) << body;
  }
  kms_.answer_next({StandInKms::text(400, "<html>")});
  EXPECT_THAT(keys->generate(kPhone), fails_with(Code::kUnexpectedResponse));
}

TEST_F(Kms, says_that_its_credentials_are_wrong) {
  KmsOptions wrong = options();
  wrong.credentials->secret_access_key = "another";
  EXPECT_THAT(open_kms_keys(wrong).value()->generate(kPhone), fails_with(Code::kCredentials));
}

TEST_F(Kms, fetches_new_credentials_when_the_old_ones_have_expired) {
  KmsOptions found = options();
  found.credentials.reset();
  found.region = "eu-west-1";
  const Environment environment = [](const std::string& name) -> std::string {
    if (name == "AWS_ACCESS_KEY_ID") return std::string(StandInKms::kAccessKey);
    return name == "AWS_SECRET_ACCESS_KEY" ? std::string(StandInKms::kSecret) : "";
  };
  const auto keys = kms::open_keys(found, environment).value();
  kms_.answer_next({StandInKms::error("ExpiredTokenException", "The security token is expired")});
  EXPECT_THAT(keys->generate(kPhone), succeeds());
  EXPECT_EQ(kms_.requests(), 2);
}

TEST_F(Kms, is_asked_rarely_with_a_cache) {
  KmsOptions cached = options();
  cached.cache = KeyCacheOptions{.uses_max = 50};
  const auto keys = open_kms_keys(cached).value();
  for (int i = 0; i < 100; ++i) {
    const AttributeValue envelope = seal(i, kPhone, *keys).value();
    EXPECT_EQ(unseal(envelope, kPhone, *keys), AttributeValue(i));
  }
  EXPECT_EQ(kms_.requests(), 2);
}

TEST_F(Kms, is_found_by_the_environment_and_by_the_arn_of_the_key) {
  KmsOptions found = options();
  found.endpoint.clear();
  const Environment environment = [this](const std::string& name) {
    return name == "AWS_ENDPOINT_URL_KMS" ? kms_.url() : std::string();
  };
  EXPECT_THAT(kms::open_keys(found, environment).value()->generate(kPhone), succeeds());
}

TEST_F(Kms, trusts_the_certificates_that_the_environment_names) {
  KmsOptions encrypted = options();
  encrypted.endpoint.replace(0, std::string("http:").size(), "https:");
  encrypted.attempts_max = 1;
  const Environment environment = [](const std::string& name) {
    return name == "AWS_CA_BUNDLE" ? std::string("no-such-bundle.pem") : std::string();
  };
  const auto named = kms::open_keys(encrypted, environment).value()->generate(kPhone);
  ASSERT_FALSE(named.has_value());
  EXPECT_NE(named.error().message().find("no-such-bundle.pem"), std::string::npos) << named.error().message();
  encrypted.ca_file = "given.pem";
  const auto given = kms::open_keys(encrypted, environment).value()->generate(kPhone);
  ASSERT_FALSE(given.has_value());
  EXPECT_NE(given.error().message().find("given.pem"), std::string::npos) << given.error().message();
}

TEST_F(Kms, is_not_opened_without_a_key_a_region_or_an_address) {
  const Environment nothing = [](const std::string&) { return std::string(); };
  EXPECT_THAT(kms::open_keys({.key = ""}, nothing), fails_with(Code::kInvalidArgument));
  const auto no_region = kms::open_keys({.key = "alias/users"}, nothing);
  EXPECT_THAT(no_region, fails_with(Code::kInvalidArgument));
  EXPECT_NE(no_region.error().message().find("AWS_REGION"), std::string::npos);
  EXPECT_THAT(kms::open_keys({.key = "alias/users", .endpoint = "ftp://x"}, nothing),
              fails_with(Code::kInvalidArgument));
  EXPECT_THAT(kms::open_keys({.key = "alias/users", .region = "eu-west-1", .attempts_max = 0}, nothing),
              fails_with(Code::kInvalidArgument));
}

TEST_F(Kms, does_not_ask_about_what_cannot_be_a_data_key) {
  EXPECT_THAT(open()->decrypt(Bytes(std::string(10'000, 'x')), kPhone), fails_with(Code::kInvalidEncryptedEnvelope));
  EXPECT_EQ(kms_.requests(), 0);
}

}  // namespace
}  // namespace dolmen
