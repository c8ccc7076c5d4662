#pragma once

#include <string>
#include <string_view>

#include "dolmen/model/encryption.h"
#include "model/typed_value.h"

/// The parts of `seal` and `unseal`, by which every language must come to the same bytes.
namespace dolmen {

/// The text that is encrypted: {"t":"S","s":"…"}. Fails with kInvalidModel when a string is not UTF-8.
Result<std::string> secret_plaintext(const TypedValue& value);

/// Reads the text of any implementation; some leave out what is empty. Fails with kInvalidEncryptedEnvelope.
Result<TypedValue> parse_secret_plaintext(std::string_view text);

/// AES-256-GCM of the text, with the attribute's name as associated data, as the map {v, edk, nonce, ct}.
Result<AttributeValue> make_envelope(std::string_view plaintext, std::string_view attribute, const DataKey& key,
                                     const Nonce& nonce);

/// Overwrites the bytes before they are given back.
void wipe(std::string& bytes);

}  // namespace dolmen
