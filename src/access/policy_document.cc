#include "access/policy_document.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>
#include <utility>

#include "access/json_tree.h"
#include "base/arn.h"
#include "base/ascii.h"
#include "base/fail.h"
#include "service/operations.h"
#include "value/json.h"

namespace dolmen::access {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";
constexpr std::string_view kInvalidDocument = "One or more parameter values were invalid: Invalid policy document: ";
constexpr std::string_view kDefaultVersion = "2008-10-17";
constexpr std::string_view kActionPrefix = "dynamodb:";
/// Actions that are not operations.
constexpr std::string_view kOtherActions[] = {"ConditionCheckItem", "PartiQLDelete", "PartiQLInsert", "PartiQLSelect",
                                              "PartiQLUpdate"};

std::unexpected<Error> invalid_document(std::string_view what) {
  return fail(Code::kValidation, "{}{}", kInvalidDocument, what);
}

bool is_account_id(std::string_view text) { return text.size() == 12 && std::ranges::all_of(text, is_digit); }

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return ascii_lower(c); });
  return lower;
}

/// Actions are compared without their case; one with a wildcard must fit at least one.
bool is_action(const std::string& action) {
  const std::string lower = lowered(action);
  if (lower == "*") return true;
  if (!lower.starts_with(kActionPrefix)) return false;
  const std::string_view pattern = std::string_view(lower).substr(kActionPrefix.size());
  const auto fits = [&](std::string_view name) { return matches_wildcards(pattern, lowered(name)); };
  return std::ranges::any_of(kOtherActions, fits) ||
         std::ranges::any_of(Operations::kInfos, [&](const OperationInfo& info) { return fits(info.name); });
}

bool is_principal(std::string_view text) {
  if (text == "*" || is_account_id(text)) return true;
  const Arn arn = split_arn(text);
  return arn.is_whole() && (arn.service() == "iam" || arn.service() == "sts") && is_account_id(arn.account());
}

std::string as_json(const std::vector<std::string>& texts) {
  std::string out;
  if (texts.size() == 1) {
    json::append_string(out, texts.front());
    return out;
  }
  out.push_back('[');
  for (const std::string& text : texts) {
    if (out.size() > 1) out.push_back(',');
    json::append_string(out, text);
  }
  out.push_back(']');
  return out;
}

/// The place after the last character, as the parser of AWS names it.
std::string end_of(std::string_view text) {
  const auto lines = std::ranges::count(text, '\n');
  const std::size_t line_start = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
  return fmt::format("({},{})", lines + 1, text.size() - line_start + 1);
}

}  // namespace

bool matches_wildcards(std::string_view pattern, std::string_view name) {
  // Greedy, with one place to go back to: never more than the product of the lengths.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Reads the statements of a policy and writes them in their canonical form.
class PolicyReader {
 public:
  static Result<PolicyDocument> read(std::string_view text) {
    if (text.size() > PolicyDocument::kPolicyBytes)
      return fail(Code::kValidation, "{}Maximum policy size of {} bytes exceeded", kInvalid,
                  PolicyDocument::kPolicyBytes);
    const std::optional<JsonTree> tree = JsonTree::parse(text);
    if (!tree || tree->list() != nullptr) return invalid_document("This policy contains invalid Json");
    if (tree->object() == nullptr) return invalid_document("This text appears not to be a policy");
    const JsonTree* statements = tree->find("Statement");
    if (statements == nullptr) return invalid_document(fmt::format("Syntax error at position {}", end_of(text)));
    PolicyReader reader;
    std::string& out = reader.document_.canonical_;
    out = "{\"Version\":";
    const JsonTree* version = tree->find("Version");
    json::append_string(out, version != nullptr && version->text() != nullptr ? *version->text() : kDefaultVersion);
    if (const JsonTree* id = tree->find("Id")) out.append(",\"Id\":").append(id->canonical());
    out.append(",\"Statement\":[");
    DOLMEN_TRY_VOID(reader.read_statements(*statements));
    out.append("]}");
    return std::move(reader.document_);
  }

 private:
  Result<void> read_statements(const JsonTree& statements) {
    JsonTree::List one;
    if (statements.object() != nullptr) one.push_back(statements);
    const JsonTree::List* list = statements.object() != nullptr ? &one : statements.list();
    if (list == nullptr || list->empty()) return invalid_document("Could not parse the policy: Statement is empty!");
    std::set<std::string> sids;
    for (const JsonTree& statement : *list) {
      if (statement.object() == nullptr) return invalid_document("This policy contains invalid Json");
      if (&statement != &list->front()) document_.canonical_.push_back(',');
      DOLMEN_TRY_VOID(read_statement(statement));
      const std::string& sid = document_.statements_.back().sid;
      if (!sid.empty() && !sids.insert(sid).second)
        return invalid_document("The Statement Ids in the policy are not unique");
    }
    return check_bounded();
  }

  Result<void> read_statement(const JsonTree& tree) {
    PolicyDocument::Statement statement;
    std::string out;
    const auto member = [&](std::string_view name, std::string_view value) {
      out.append(out.empty() ? "{\"" : ",\"").append(name).append("\":").append(value);
    };
    if (const JsonTree* sid = tree.find("Sid"); sid != nullptr && sid->text() != nullptr) {
      statement.sid = *sid->text();
      member("Sid", sid->canonical());
    }
    const JsonTree* effect = tree.find("Effect");
    if (effect == nullptr) return invalid_document("Missing required field Effect");
    if (effect->text() == nullptr || (*effect->text() != "Allow" && *effect->text() != "Deny"))
      return invalid_document(fmt::format("Invalid effect: {}", effect->canonical()));
    statement.allows = *effect->text() == "Allow";
    member("Effect", effect->canonical());
    DOLMEN_TRY(const std::string principal, read_principal(tree, statement));
    member("Principal", principal);
    statement.not_actions = tree.find("Action") == nullptr && tree.find("NotAction") != nullptr;
    DOLMEN_TRY(statement.actions, read_texts(tree, statement.not_actions ? "NotAction" : "Action"));
    DOLMEN_TRY_VOID(check_actions(statement.actions));
    member(statement.not_actions ? "NotAction" : "Action", as_json(statement.actions));
    DOLMEN_TRY(statement.resources, read_texts(tree, "Resource"));
    member("Resource", as_json(statement.resources));
    if (const JsonTree* condition = tree.find("Condition")) {
      statement.has_condition = true;
      member("Condition", condition->canonical());
    }
    document_.canonical_.append(out).push_back('}');
    document_.statements_.push_back(std::move(statement));
    return {};
  }

  static Result<std::vector<std::string>> read_texts(const JsonTree& tree, std::string_view name) {
    const JsonTree* found = tree.find(name);
    if (found == nullptr) return invalid_document(fmt::format("Missing required field {}", name));
    std::optional<std::vector<std::string>> texts = found->texts();
    if (!texts || texts->empty()) return invalid_document(fmt::format("Missing required field {}", name));
    return *std::move(texts);
  }

  static Result<void> check_actions(const std::vector<std::string>& actions) {
    std::vector<std::string> unknown;
    for (const std::string& action : actions)
      if (!is_action(action)) unknown.push_back(action);
    if (unknown.empty()) return {};
    return invalid_document(fmt::format("The following action names are invalid: {}", fmt::join(unknown, ", ")));
  }

  /// "*", or {"AWS": ...} and {"Service": ...}. Returns it in its canonical form.
  static Result<std::string> read_principal(const JsonTree& tree, PolicyDocument::Statement& statement) {
    const auto invalid = [] { return fail(Code::kValidation, "{}Invalid principal in policy document.", kInvalid); };
    const JsonTree* principal = tree.find("Principal");
    if (principal == nullptr) return invalid_document("Missing required field Principal");
    if (principal->text() != nullptr) {
      if (*principal->text() != "*") return invalid();
      statement.principals.push_back("*");
      return as_json({"*"});
    }
    if (principal->object() == nullptr || principal->object()->empty()) return invalid();
    std::string out;
    for (const std::string_view kind : {"AWS", "Service"}) {
      const JsonTree* named = principal->find(kind);
      if (named == nullptr) continue;
      std::optional<std::vector<std::string>> names = named->texts();
      if (!names || names->empty()) return invalid();
      if (kind == "AWS") {
        if (!std::ranges::all_of(*names, is_principal)) return invalid();
        for (std::string& name : *names)
          if (is_account_id(name)) name = fmt::format("arn:aws:iam::{}:root", name);
        statement.principals.insert(statement.principals.end(), names->begin(), names->end());
      }
      out.append(out.empty() ? "{\"" : ",\"").append(kind).append("\":").append(as_json(*names));
    }
    const bool others = std::ranges::any_of(
        *principal->object(), [](const auto& member) { return member.first != "AWS" && member.first != "Service"; });
    if (others || out.empty()) return invalid();
    return out.append("}");
  }

  /// Nobody may open a table to everybody.
  Result<void> check_bounded() const {
    const auto is_open = [](const PolicyDocument::Statement& statement) {
      return statement.allows && !statement.has_condition &&
             std::ranges::find(statement.principals, "*") != statement.principals.end();
    };
    if (std::ranges::none_of(document_.statements_, is_open)) return {};
    return fail(Code::kValidation,
                "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to "
                "ensure least-privilege form of access");
  }

  PolicyDocument document_;
};

Result<PolicyDocument> PolicyDocument::parse(std::string_view text) { return PolicyReader::read(text); }

bool PolicyDocument::is_about(const Statement& statement, const PolicyQuestion& question) {
  const std::string root = fmt::format("arn:aws:iam::{}:root", question.account);
  const auto names_caller = [&](const std::string& principal) {
    return principal == "*" || principal == root || principal == question.principal;
  };
  if (std::ranges::none_of(statement.principals, names_caller)) return false;
  const std::string action = lowered(question.action);
  const bool names_action = std::ranges::any_of(
      statement.actions, [&](const std::string& pattern) { return matches_wildcards(lowered(pattern), action); });
  if (names_action == statement.not_actions) return false;
  const std::string below = question.resource + "/index/";
  return std::ranges::any_of(statement.resources, [&](const std::string& pattern) {
    return matches_wildcards(pattern, question.resource) || pattern.starts_with(below);
  });
}

PolicyVerdict PolicyDocument::judge(const PolicyQuestion& question) const {
  PolicyVerdict verdict = PolicyVerdict::kNothing;
  for (const Statement& statement : statements_) {
    if (!is_about(statement, question)) continue;
    if (!statement.allows) return PolicyVerdict::kDeny;
    if (!statement.has_condition) verdict = PolicyVerdict::kAllow;
  }
  return verdict;
}

}  // namespace dolmen::access
