#pragma once

#include <string>
#include <string_view>

namespace dolmen::engine {

/// The ARN of a key of AWS KMS that a request names by its id, its alias or an ARN. Dolmen knows no keys: an alias gets
/// an id of its own, which is always the same.
std::string kms_key_arn(std::string_view key, std::string_view region, std::string_view account);

}  // namespace dolmen::engine
