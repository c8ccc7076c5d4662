#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::engine {

/// The ARNs of this store begin with arn:aws:dynamodb:REGION:ACCOUNT:.
struct ArnOwner {
  std::string_view region;
  std::string_view account;
};

/// The name of the table that an ARN of a taggable resource names, in DynamoDB's order of checks. Fails with
/// kValidation for what is not the ARN of a table or of another region, and with kAccessDenied for another account.
/// Tags of streams are not supported: theirs fail with kTableNotFound.
Result<std::string> table_of_resource(std::string_view arn, const ArnOwner& owner);

std::unexpected<Error> no_resource(std::string_view arn);

}  // namespace dolmen::engine
