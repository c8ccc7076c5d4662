#include "cli/key_flags.h"

#include "base/fail.h"
#include "dolmen/kms.h"

namespace dolmen::cli {
namespace {

constexpr std::string_view kKmsScheme = "kms:";

}  // namespace

Option add_key_flags(const Verb& verb, KeyFlags& flags) {
  const Option keys =
      verb.text("--keys", flags.keys, "Keys of encrypted attributes: a key file, or kms:KEY for a key of AWS KMS")
          .shown_as("FILE")
          .not_empty();
  verb.text("--kms-endpoint", flags.kms_endpoint, "Server that speaks the protocol of KMS; AWS by default")
      .shown_as("URL")
      .not_empty();
  verb.texts("--kms-context", flags.context, "Part of the encryption context of data keys").shown_as("NAME=TEXT");
  verb.flag("--kms-bind", flags.bind_purpose,
            "Add the names of model and attribute to the encryption context, which other libraries do not");
  return keys;
}

Result<std::unique_ptr<KeyProvider>> open_keys(const std::string& address, const KeyFlags& flags) {
  if (!address.starts_with(kKmsScheme)) return open_key_file(address);
  KmsOptions options{
      .key = address.substr(kKmsScheme.size()), .bind_purpose = flags.bind_purpose, .endpoint = flags.kms_endpoint};
  for (const std::string& pair : flags.context) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(Code::kInvalidArgument, "--kms-context: \"{}\" is not of the form NAME=TEXT", pair);
    options.context[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return open_kms_keys(options);
}

}  // namespace dolmen::cli
