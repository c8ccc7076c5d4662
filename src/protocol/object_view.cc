#include "protocol/object_view.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/unicode.h"
#include "value/json_scanner.h"

namespace dolmen {

using json::JsonScanner;

namespace {

/// Names the part that is wrong also as the path of a detail, for programs.
std::unexpected<Error> refuse(Code code, std::string_view name, std::string message) {
  if (code != Code::kQueryInvalid) return std::unexpected(Error(code, std::move(message)));
  std::vector<ErrorDetail> details{{.path = std::string(name), .rule = "query", .message = message}};
  return std::unexpected(Error(code, std::move(message), std::move(details)));
}

}  // namespace

std::optional<std::string> json_text(std::string_view value) {
  JsonScanner scanner(value);
  if (scanner.peek() != JsonScanner::Kind::kString) return std::nullopt;
  return decoded(scanner.string());
}

std::optional<std::vector<std::string_view>> json_elements(std::string_view value) {
  JsonScanner scanner(value);
  if (scanner.peek() != JsonScanner::Kind::kArray) return std::nullopt;
  scanner.expect('[', "");
  std::vector<std::string_view> elements;
  if (scanner.accept(']')) return elements;
  do {
    scanner.peek();
    const std::size_t start = scanner.position();
    scanner.skip(kObjectNesting);
    if (scanner.failed()) return std::nullopt;
    elements.push_back(value.substr(start, scanner.position() - start));
  } while (scanner.accept(','));
  return elements;
}

bool is_json(std::string_view text) {
  if (!is_utf8(text)) return false;
  JsonScanner scanner(text);
  scanner.peek();
  scanner.skip(kObjectNesting);
  scanner.end();
  return !scanner.failed();
}

ObjectView::Problem ObjectView::read(std::string_view text) {
  if (!is_utf8(text)) return "it is not UTF-8";
  JsonScanner scanner(text);
  if (scanner.peek() != JsonScanner::Kind::kObject) return "it does not begin with {";
  scanner.expect('{', "");
  if (!scanner.accept('}')) {
    do {
      if (scanner.peek() != JsonScanner::Kind::kString) return "a name in double quotes is missing";
      const JsonScanner::Text name = scanner.string();
      scanner.expect(':', "a colon must follow the name");
      scanner.peek();
      const std::size_t start = scanner.position();
      scanner.skip(kObjectNesting);
      if (scanner.failed()) return scanner.problem();
      if (!members_.emplace(decoded(name), text.substr(start, scanner.position() - start)).second)
        return "a name occurs twice";
    } while (scanner.accept(','));
    scanner.expect('}', "a comma or } must come here");
  }
  scanner.end();
  return scanner.failed() ? scanner.problem() : "";
}

Result<void> ObjectView::check_members(Names allowed) const {
  for (const auto& [name, value] : members_)
    if (std::ranges::find(allowed, name) == allowed.end())
      return refuse(Code::kQueryInvalid, name, fmt::format("the operation has no parameter {}", name));
  return {};
}

Result<ObjectView> ObjectView::request(std::string_view text, Names allowed) {
  ObjectView view;
  if (const Problem problem = view.read(text); !problem.empty())
    return fail(Code::kSerialization, "the request is not a JSON object: {}", problem);
  DOLMEN_TRY_VOID(view.check_members(allowed));
  return view;
}

Result<ObjectView> ObjectView::part(std::string_view text, Names allowed) {
  ObjectView view;
  if (!view.read(text).empty()) return fail(Code::kQueryInvalid, "a JSON object with {} is expected", *allowed.begin());
  DOLMEN_TRY_VOID(view.check_members(allowed));
  return view;
}

Result<ObjectView> ObjectView::response(std::string_view text) {
  ObjectView view;
  if (const Problem problem = view.read(text); !problem.empty())
    return fail(Code::kUnexpectedResponse, "the response is not a JSON object: {}", problem);
  view.code_ = Code::kUnexpectedResponse;
  return view;
}

std::optional<std::string_view> ObjectView::find(std::string_view name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) return std::nullopt;
  return found->second;
}

Result<std::string_view> ObjectView::json(std::string_view name) const {
  const std::optional<std::string_view> value = find(name);
  if (!value) return refuse(code_, name, fmt::format("{} is missing", name));
  return *value;
}

Result<std::string> ObjectView::text(std::string_view name) const {
  DOLMEN_TRY(const std::string_view value, json(name));
  std::optional<std::string> text = json_text(value);
  if (!text) return refuse(code_, name, fmt::format("{} must be a string", name));
  return *std::move(text);
}

Result<std::optional<std::string>> ObjectView::optional_text(std::string_view name) const {
  if (!find(name)) return std::nullopt;
  DOLMEN_TRY(std::string value, text(name));
  return value;
}

Result<bool> ObjectView::flag(std::string_view name) const {
  const std::string_view value = find(name).value_or("false");
  if (value != "true" && value != "false") return refuse(code_, name, fmt::format("{} must be true or false", name));
  return value == "true";
}

Result<std::vector<std::string_view>> ObjectView::list(std::string_view name) const {
  std::optional<std::vector<std::string_view>> elements = json_elements(find(name).value_or("[]"));
  if (!elements) return refuse(code_, name, fmt::format("{} must be a list", name));
  return *std::move(elements);
}

std::string ObjectView::shown(std::string_view name) const {
  const std::string_view value = find(name).value_or("");
  return json_text(value).value_or(std::string(value));
}

}  // namespace dolmen
