#include "wire/strict_decoder.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string>

#include "base/fail.h"
#include "value/json_scanner.h"

namespace dolmen::wire {
namespace {

using TokenKind = json::JsonScanner::Kind;

constexpr unsigned kSkippedLevelsMax = 512;

std::string_view expected_name(DecodedKind kind) {
  switch (kind) {
    case DecodedKind::kString: return "a string";
    case DecodedKind::kI32: return "i32";
    case DecodedKind::kSequence: return "a sequence";
    case DecodedKind::kMap: return "a map";
  }
  return "";
}

bool fits_kind(TokenKind found, DecodedKind wanted) {
  switch (wanted) {
    case DecodedKind::kString: return found == TokenKind::kString;
    case DecodedKind::kI32: return found == TokenKind::kNumber;
    case DecodedKind::kSequence: return found == TokenKind::kArray;
    case DecodedKind::kMap: return found == TokenKind::kObject;
  }
  return false;
}

std::string place_in(std::string_view body, std::size_t end) {
  const std::string_view read = body.substr(0, end);
  const auto lines = std::ranges::count(read, '\n');
  const std::size_t line_at = read.rfind('\n');
  return fmt::format("at line {} column {}", lines + 1,
                     line_at == std::string_view::npos ? read.size() : read.size() - line_at - 1);
}

/// The value as such a decoder names it. `value` is its text.
std::string found_name(TokenKind kind, std::string_view value) {
  switch (kind) {
    case TokenKind::kNull: return "null";
    case TokenKind::kTrue: return "boolean `true`";
    case TokenKind::kFalse: return "boolean `false`";
    case TokenKind::kString: return fmt::format("string {}", value);
    case TokenKind::kNumber:
      return fmt::format("{} `{}`", value.find_first_of(".eE") == std::string_view::npos ? "integer" : "floating point",
                         value);
    case TokenKind::kArray: return "sequence";
    case TokenKind::kObject: return "map";
    case TokenKind::kNothing: return "nothing";
  }
  return "";
}

/// One pass over a request.
class RequestDecoder {
 public:
  RequestDecoder(std::string_view body, std::span<const DecodedMember> members)
      : body_(body), members_(members), scanner_(body) {}

  Result<void> run() {
    scanner_.expect('{', "an object");
    if (!scanner_.accept('}')) {
      do {
        DOLMEN_TRY_VOID(member());
      } while (scanner_.accept(',') && !scanner_.failed());
      scanner_.expect('}', "the end of the object");
    }
    for (const DecodedMember& wanted : members_)
      if (wanted.required && !seen_.contains(wanted.name))
        return fail(Code::kValidation, "missing field `{}` {}", wanted.name, place_in(body_, scanner_.position()));
    return {};
  }

 private:
  Result<void> member() {
    scanner_.peek();
    const std::string name = json::decoded(scanner_.string());
    scanner_.expect(':', "a colon");
    const TokenKind kind = scanner_.peek();
    const std::size_t begin = scanner_.position();
    const auto wanted = std::ranges::find(members_, name, &DecodedMember::name);
    const bool known = wanted != members_.end();
    // Of a list or an object only the beginning has been read when it is refused.
    if (known && (kind == TokenKind::kArray || kind == TokenKind::kObject) && !fits_kind(kind, wanted->kind))
      return refused("type", kind, wanted->kind, {begin, begin + 1});
    scanner_.skip(kSkippedLevelsMax);
    if (!known) return {};
    seen_.insert(wanted->name);
    return check(*wanted, kind, {begin, scanner_.position()});
  }

  struct Span {
    std::size_t begin;
    std::size_t end;
  };

  [[nodiscard]] std::unexpected<Error> refused(std::string_view what, TokenKind kind, DecodedKind wanted,
                                               Span at) const {
    return fail(Code::kSerialization, "invalid {}: {}, expected {} {}", what,
                found_name(kind, body_.substr(at.begin, at.end - at.begin)), expected_name(wanted),
                place_in(body_, at.end));
  }

  [[nodiscard]] Result<void> check(const DecodedMember& member, TokenKind kind, Span at) const {
    if (kind == TokenKind::kNull && !member.required) return {};
    if (!fits_kind(kind, member.kind)) return refused("type", kind, member.kind, at);
    if (member.kind != DecodedKind::kI32) return {};
    const std::string_view digits = body_.substr(at.begin, at.end - at.begin);
    std::int32_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec == std::errc::result_out_of_range) return refused("value", kind, member.kind, at);
    if (read.ptr != digits.data() + digits.size()) return refused("type", kind, member.kind, at);
    return {};
  }

  std::string_view body_;
  std::span<const DecodedMember> members_;
  json::JsonScanner scanner_;
  std::set<std::string_view> seen_;
};

}  // namespace

Result<void> check_decoding(std::string_view body, std::span<const DecodedMember> members) {
  return RequestDecoder(body, members).run();
}

}  // namespace dolmen::wire
