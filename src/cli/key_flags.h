#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "dolmen/error.h"
#include "dolmen/model/encryption.h"

namespace dolmen::cli {

/// Where keys of encrypted attributes come from.
struct KeyFlags {
  /// A key file, or kms:KEY; empty when there are none.
  std::string keys;
  std::string kms_endpoint;
  /// NAME=TEXT.
  std::vector<std::string> context;
  bool bind_purpose = false;
};

/// Adds --keys, --kms-endpoint, --kms-context and --kms-bind.
Option add_key_flags(const Verb& verb, KeyFlags& flags);

/// What --keys and similar options name: the keys of a file, or of KMS for kms:KEY, where the other flags say which.
Result<std::unique_ptr<KeyProvider>> open_keys(const std::string& address, const KeyFlags& flags);

}  // namespace dolmen::cli
