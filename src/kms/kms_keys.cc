#include "kms/kms_keys.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/random.h"
#include "base/sleep.h"
#include "credentials/credential_chain.h"
#include "credentials/environment.h"
#include "dolmen/kms.h"
#include "kms/kms_client.h"
#include "model/envelope.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen {
namespace kms {
namespace {

constexpr std::size_t kEncryptedKeyBytesMax = 6144;

std::unexpected<Error> not_of_kms(std::string_view operation, std::string_view why) {
  return fail(Code::kUnexpectedResponse, "the answer of the key service to {} {}", operation, why);
}

/// The bytes of a member in base64.
Result<std::string> bytes_in(const ObjectView& answer, std::string_view operation, std::string_view name) {
  const Result<std::string> text = answer.text(name);
  if (!text) return not_of_kms(operation, fmt::format("has no {}", name));
  std::string encoded = *text;
  Result<std::string> bytes = decode_base64(encoded);
  wipe(encoded);
  if (!bytes || bytes->empty()) return not_of_kms(operation, fmt::format("has a {} that is not base64", name));
  return bytes;
}

/// The 32 bytes of a plain data key.
Result<SecretKey> key_in(const ObjectView& answer, std::string_view operation) {
  DOLMEN_TRY(std::string plain, bytes_in(answer, operation, "Plaintext"));
  if (plain.size() != SecretKey::kBytes) {
    const std::size_t size = plain.size();
    wipe(plain);
    return not_of_kms(operation, fmt::format("has a key of {} bytes instead of {}", size, SecretKey::kBytes));
  }
  SecretKey key(std::span<const std::uint8_t, SecretKey::kBytes>(reinterpret_cast<const std::uint8_t*>(plain.data()),
                                                                 SecretKey::kBytes));
  wipe(plain);
  return key;
}

class KmsKeys final : public KeyProvider {
 public:
  KmsKeys(Client::Options options, const std::function<CredentialCache::Fetch(http::Client&)>& credentials)
      : options_(options.kms), client_(std::move(options), credentials) {}

  Result<DataKey> generate(const KeyPurpose& purpose) override {
    constexpr std::string_view kOperation = "GenerateDataKey";
    const std::string body = object_text([&](ObjectWriter& request) {
      request.text("KeyId", options_.key).text("KeySpec", "AES_256");
      write_context(request, purpose);
    });
    Result<std::string> answer = client_.call(kOperation, body);
    if (!answer) return std::unexpected(named(answer.error(), options_.key));
    const auto key = [&]() -> Result<DataKey> {
      const Result<ObjectView> object = ObjectView::response(*answer);
      if (!object) return not_of_kms(kOperation, "is not a JSON object");
      DOLMEN_TRY(std::string blob, bytes_in(*object, kOperation, "CiphertextBlob"));
      DOLMEN_TRY(SecretKey plain, key_in(*object, kOperation));
      return DataKey{.key = std::move(plain), .encrypted = Bytes(std::move(blob))};
    };
    Result<DataKey> made = key();
    wipe(*answer);
    return made;
  }

  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    if (encrypted.size() > kEncryptedKeyBytesMax)
      return fail(Code::kInvalidEncryptedEnvelope,
                  "attribute \"{}\" cannot be decrypted: its key is of {} bytes, and KMS makes at most {}",
                  purpose.attribute, encrypted.size(), kEncryptedKeyBytesMax);
    Result<SecretKey> key = decrypt_with(options_.key, encrypted, purpose);
    for (const std::string& old : options_.old_keys) {
      if (key || key.error().code() != Code::kInvalidEncryptedEnvelope) break;
      key = decrypt_with(old, encrypted, purpose);
    }
    if (!key && key.error().code() == Code::kInvalidEncryptedEnvelope)
      return fail(
          Code::kInvalidEncryptedEnvelope,
          "attribute \"{}\" cannot be decrypted: its data key is damaged, under another key than {}, or was made "
          "with another encryption context ({})",
          purpose.attribute, options_.key, key.error().message());
    return key;
  }

 private:
  Result<SecretKey> decrypt_with(const std::string& key_id, const Bytes& encrypted, const KeyPurpose& purpose) {
    constexpr std::string_view kOperation = "Decrypt";
    const std::string body = object_text([&](ObjectWriter& request) {
      request.text("CiphertextBlob", encode_base64(encrypted.view())).text("KeyId", key_id);
      write_context(request, purpose);
    });
    Result<std::string> answer = client_.call(kOperation, body);
    if (!answer) return std::unexpected(named(answer.error(), key_id));
    const Result<ObjectView> object = ObjectView::response(*answer);
    Result<SecretKey> key =
        object ? key_in(*object, kOperation) : Result<SecretKey>(not_of_kms(kOperation, "is not a JSON object"));
    wipe(*answer);
    return key;
  }

  void write_context(ObjectWriter& request, const KeyPurpose& purpose) const {
    std::map<std::string, std::string> context = options_.context;
    if (options_.bind_purpose) {
      context["dolmen:model"] = purpose.model;
      context["dolmen:attribute"] = purpose.attribute;
    }
    if (context.empty()) return;
    request.json("EncryptionContext", object_text([&](ObjectWriter& pairs) {
                   for (const auto& [name, value] : context) pairs.text(name, value);
                 }));
  }

  static Error named(const Error& error, const std::string& key) {
    return Error(error.code(), fmt::format("the key {}: {}", key, error.message()));
  }

  const KmsOptions options_;
  Client client_;
};

/// arn:aws:kms:REGION:ACCOUNT:key/ID; empty for anything else.
std::string region_in_arn(std::string_view key) {
  if (!key.starts_with("arn:")) return {};
  for (int part = 0; part < 3; ++part) {
    const std::size_t colon = key.find(':');
    if (colon == std::string_view::npos) return {};
    key.remove_prefix(colon + 1);
  }
  return std::string(key.substr(0, key.find(':')));
}

Result<std::string> region_of_key(const KmsOptions& options, const Environment& environment) {
  if (!options.region.empty()) return options.region;
  if (std::string region = region_in_arn(options.key); !region.empty()) return region;
  if (std::string region = configured_region(environment, options.profile); !region.empty()) return region;
  if (!options.endpoint.empty()) return "us-east-1";
  return fail(Code::kInvalidArgument, "the region of the key {} is missing; name the key by its ARN, or set AWS_REGION",
              options.key);
}

std::string url_of_kms(const KmsOptions& options, const Environment& environment, const std::string& region) {
  if (!options.endpoint.empty()) return options.endpoint;
  for (const char* name : {"AWS_ENDPOINT_URL_KMS", "AWS_ENDPOINT_URL"})
    if (std::string url = environment(name); !url.empty()) return url;
  return fmt::format("https://kms.{}.amazonaws.com{}/", region, region.starts_with("cn-") ? ".cn" : "");
}

Result<void> check_options(const KmsOptions& options) {
  if (options.key.empty())
    return fail(Code::kInvalidArgument, "the key is missing; name it by its ARN, its id or alias/NAME");
  if (options.attempts_max < 1) return fail(Code::kInvalidArgument, "attempts_max must be at least 1");
  if (options.connect_timeout.count() <= 0 || options.request_timeout.count() <= 0)
    return fail(Code::kInvalidArgument, "the timeouts of a key service must be longer than 0");
  return {};
}

}  // namespace

Result<std::unique_ptr<KeyProvider>> open_keys(KmsOptions options, const Environment& environment) {
  DOLMEN_TRY_VOID(check_options(options));
  DOLMEN_TRY(std::string region, region_of_key(options, environment));
  DOLMEN_TRY(http::Endpoint endpoint, http::parse_endpoint(url_of_kms(options, environment, region)));
  options.now = or_system_clock(std::move(options.now));
  options.random = or_system_random(std::move(options.random));
  options.sleep = or_real_sleep(std::move(options.sleep));
  if (options.ca_file.empty()) options.ca_file = environment("AWS_CA_BUNDLE");
  const auto credentials =
      given_or_found(options.credentials, {.environment = environment,
                                           .profile = options.profile,
                                           .now = options.now,
                                           .placeholders = endpoint.loopback && !endpoint.encrypted});
  std::optional<KeyCacheOptions> cache = options.cache;
  auto keys = std::make_unique<KmsKeys>(
      Client::Options{.endpoint = std::move(endpoint), .region = std::move(region), .kms = std::move(options)},
      credentials);
  if (!cache) return keys;
  return cached_keys(std::move(keys), std::move(*cache));
}

}  // namespace kms

Result<std::unique_ptr<KeyProvider>> open_kms_keys(const KmsOptions& options) {
  return kms::open_keys(options, process_environment());
}

}  // namespace dolmen
