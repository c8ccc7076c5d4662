#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/key_cache.h"

/// Data keys from AWS KMS, or another service with its protocol.
namespace dolmen {

struct KmsOptions {
  /// The key that data keys are encrypted under: its ARN, its id, or alias/NAME.
  std::string key;
  /// Other keys whose data keys are still decrypted.
  std::vector<std::string> old_keys = {};

  /// What KMS authenticates together with a data key, and asks for again to decrypt it. Empty, as TableTheory has it:
  /// what is encrypted with a context can only be read by programs that give the same.
  std::map<std::string, std::string> context = {};
  /// Adds the name of the attribute to the context, as "dolmen:attribute", and that of the model, as "dolmen:model".
  bool bind_purpose = false;

  /// http://HOST:PORT or https://HOST; empty: AWS_ENDPOINT_URL_KMS, AWS_ENDPOINT_URL, or AWS in the region.
  std::string endpoint = {};
  /// Empty: that of the key's ARN, or as for `RemoteOptions`.
  std::string region = {};
  /// Without them they are looked for as every AWS tool does.
  std::optional<AwsCredentials> credentials = std::nullopt;
  std::string profile = {};
  std::chrono::milliseconds connect_timeout{2000};
  std::chrono::milliseconds request_timeout{10'000};
  /// Certificates to trust instead of the system's; empty: AWS_CA_BUNDLE, or the system's.
  std::string ca_file = {};
  /// Attempts in all when KMS is busy or cannot be reached. The wait before attempt n is a random part of
  /// `first_delay` * 2^(n-2).
  int attempts_max = 4;
  std::chrono::milliseconds first_delay{50};

  /// Nothing: every value is a request to KMS, for encryption and for decryption.
  std::optional<KeyCacheOptions> cache = KeyCacheOptions{};

  /// For tests: the time that signatures go by, the randomness of waits, and what waits.
  Now now = {};
  RandomNumbers random = {};
  Sleep sleep = {};
};

/// Does not connect yet. Fails with kInvalidArgument for a malformed endpoint, a missing key or region, and as
/// `cached_keys` does. Its functions wait for KMS; they fail with
///
/// - kInvalidEncryptedEnvelope when KMS says that a data key is damaged, under another key or of another context,
/// - kAccessDenied and kCredentials,
/// - kEncryptionNotConfigured when the key does not exist, is disabled or cannot encrypt,
/// - kThrottled, kUnavailable and kTimeout after all attempts,
/// - kUnexpectedResponse when the answer is not that of KMS.
Result<std::unique_ptr<KeyProvider>> open_kms_keys(const KmsOptions& options);

}  // namespace dolmen
