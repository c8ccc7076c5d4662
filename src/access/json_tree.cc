#include "access/json_tree.h"

#include <algorithm>
#include <map>

#include "base/unicode.h"
#include "value/json.h"
#include "value/json_scanner.h"

namespace dolmen::access {
namespace {

using json::JsonScanner;

constexpr unsigned kTreeNesting = 32;

std::optional<JsonTree> read_tree(JsonScanner& scanner, std::string_view text, unsigned depth);

std::optional<JsonTree> read_list(JsonScanner& scanner, std::string_view text, unsigned depth) {
  JsonTree::List list;
  scanner.expect('[', "a list");
  if (scanner.accept(']')) return JsonTree(std::move(list));
  do {
    std::optional<JsonTree> element = read_tree(scanner, text, depth);
    if (!element) return std::nullopt;
    list.push_back(*std::move(element));
  } while (scanner.accept(','));
  scanner.expect(']', "a list must end");
  return JsonTree(std::move(list));
}

std::optional<JsonTree> read_object(JsonScanner& scanner, std::string_view text, unsigned depth) {
  JsonTree::Object object;
  scanner.expect('{', "an object");
  if (scanner.accept('}')) return JsonTree(std::move(object));
  do {
    if (scanner.peek() != JsonScanner::Kind::kString) return std::nullopt;
    std::string name = decoded(scanner.string());
    scanner.expect(':', "a colon must follow the name");
    std::optional<JsonTree> value = read_tree(scanner, text, depth);
    if (!value) return std::nullopt;
    object.emplace_back(std::move(name), *std::move(value));
  } while (scanner.accept(','));
  scanner.expect('}', "an object must end");
  std::vector<std::string_view> names;
  for (const auto& [name, value] : object) names.push_back(name);
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) return std::nullopt;
  return JsonTree(std::move(object));
}

std::optional<JsonTree> read_tree(JsonScanner& scanner, std::string_view text, unsigned depth) {
  if (depth == 0) return std::nullopt;
  const JsonScanner::Kind kind = scanner.peek();
  const std::size_t start = scanner.position();
  switch (kind) {
    case JsonScanner::Kind::kNothing: return std::nullopt;
    case JsonScanner::Kind::kArray: return read_list(scanner, text, depth - 1);
    case JsonScanner::Kind::kObject: return read_object(scanner, text, depth - 1);
    case JsonScanner::Kind::kString: {
      const JsonScanner::Text string = scanner.string();
      if (scanner.failed()) return std::nullopt;
      return JsonTree(decoded(string));
    }
    default: scanner.skip(0);
  }
  if (scanner.failed()) return std::nullopt;
  return JsonTree(JsonTree::Literal{std::string(text.substr(start, scanner.position() - start))});
}

}  // namespace

std::optional<JsonTree> JsonTree::parse(std::string_view text) {
  if (!is_utf8(text)) return std::nullopt;
  JsonScanner scanner(text);
  std::optional<JsonTree> tree = read_tree(scanner, text, kTreeNesting);
  scanner.end();
  if (scanner.failed()) return std::nullopt;
  return tree;
}

const JsonTree* JsonTree::find(std::string_view name) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  const auto found =
      std::ranges::find(*members, name, [](const auto& member) -> std::string_view { return member.first; });
  return found == members->end() ? nullptr : &found->second;
}

std::optional<std::vector<std::string>> JsonTree::texts() const {
  if (const std::string* one = text()) return std::vector<std::string>{*one};
  if (list() == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const JsonTree& element : *list()) {
    if (element.text() == nullptr) return std::nullopt;
    texts.push_back(*element.text());
  }
  return texts;
}

std::string JsonTree::canonical() const {
  std::string out;
  if (const auto* literal = std::get_if<Literal>(&value_)) return literal->text;
  if (const std::string* one = text()) {
    json::append_string(out, *one);
  } else if (list() != nullptr) {
    if (list()->size() == 1) return list()->front().canonical();
    out.push_back('[');
    for (const JsonTree& element : *list()) out.append(out.size() > 1 ? "," : "").append(element.canonical());
    out.push_back(']');
  } else {
    std::map<std::string_view, const JsonTree*> sorted;
    for (const auto& [name, value] : *object()) sorted.emplace(name, &value);
    out.push_back('{');
    for (const auto& [name, value] : sorted) {
      if (out.size() > 1) out.push_back(',');
      json::append_string(out, name);
      out.append(":").append(value->canonical());
    }
    out.push_back('}');
  }
  return out;
}

}  // namespace dolmen::access
