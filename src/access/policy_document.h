#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::access {

/// What a caller wants to do, as policies name it.
struct PolicyQuestion {
  /// arn:aws:iam::ACCOUNT:user/KEY for an access key; arn:aws:iam::ACCOUNT:root when nobody is asked for keys.
  std::string principal;
  std::string account;
  /// "dynamodb:PutItem"
  std::string action;
  /// The ARN of the table or of the stream.
  std::string resource;
};

enum class PolicyVerdict : std::uint8_t {
  kNothing,  ///< no statement is about it
  kAllow,
  kDeny,
};

/// A resource policy of DynamoDB.
///
/// Statements are about a principal when they name "*", the account (its id or its root ARN), or the user of an access
/// key, arn:aws:iam::ACCOUNT:user/KEY. Actions and resources may have * and ?; one of an
/// index (TABLE/index/NAME) is about its table. A statement with a Condition, which is not evaluated, never allows and
/// always denies.
class PolicyDocument {
 public:
  static constexpr std::size_t kPolicyBytes = 20480;

  /// Fails with kValidation, in DynamoDB's words. Principals that are only an account id are written as its root.
  static Result<PolicyDocument> parse(std::string_view text);

  /// Compact JSON; equivalent policies have the same.
  [[nodiscard]] const std::string& canonical() const { return canonical_; }

  [[nodiscard]] PolicyVerdict judge(const PolicyQuestion& question) const;

 private:
  friend class PolicyReader;

  struct Statement {
    std::string sid;
    bool allows = false;
    bool has_condition = false;
    bool not_actions = false;
    std::vector<std::string> principals;
    std::vector<std::string> actions;
    std::vector<std::string> resources;
  };

  [[nodiscard]] static bool is_about(const Statement& statement, const PolicyQuestion& question);

  std::vector<Statement> statements_;
  std::string canonical_;
};

/// Whether a name fits a pattern in which * stands for any characters, also none, and ? for one.
bool matches_wildcards(std::string_view pattern, std::string_view name);

}  // namespace dolmen::access
