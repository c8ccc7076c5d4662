#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::wire {

/// The account and region of the tables, which are part of their ARNs.
struct Account {
  std::string region = "us-east-1";
  std::string id = "000000000000";
};

/// True for a text that is meant to be an ARN, to which the rules for names do not apply.
inline bool looks_like_arn(std::string_view name) { return name.starts_with("arn:"); }

/// The name of a table, given by its name or its ARN:
/// arn:aws:dynamodb:REGION:ACCOUNT:table/NAME. Fails with kValidation for a malformed ARN or another region, and with
/// kAccessDenied for another account.
Result<std::string> table_name_of(std::string_view name_or_arn, const Account& account);

}  // namespace dolmen::wire
