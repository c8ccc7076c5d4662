#include "base/fail.h"
#include "base/unicode.h"
#include "config/read.h"
#include "dolmen/model/logical_value.h"
#include "model/json_number.h"
#include "model/json_text.h"
#include "value/json.h"

namespace dolmen {

namespace {

LogicalValue from_node(const config::Node& node) {
  using Kind = config::Node::Kind;
  switch (node.kind) {
    case Kind::kNull: return nullptr;
    case Kind::kBoolean: return node.boolean;
    case Kind::kNumber: return LogicalNumber{node.text};
    case Kind::kString: return node.text;
    case Kind::kList: {
      LogicalValue::List list;
      for (const config::Node& element : node.elements) list.push_back(from_node(element));
      return list;
    }
    case Kind::kMap: break;
  }
  LogicalValue::Map map;
  for (const config::Node::Entry& entry : node.entries) map.emplace(entry.name, from_node(entry.value));
  return map;
}

/// Appends canonical JSON.
class Writer {
 public:
  explicit Writer(std::string& target) : out_(target) {}

  Result<void> operator()(std::nullptr_t) const { return append("null"); }
  Result<void> operator()(bool value) const { return append(value ? "true" : "false"); }
  Result<void> operator()(const LogicalNumber& value) const {
    DOLMEN_TRY(const std::string text, canonical_number(value.text));
    return append(text);
  }
  Result<void> operator()(const std::string& value) const {
    if (!is_utf8(value)) return fail(Code::kInvalidModel, "a string that is not UTF-8 cannot be written as JSON");
    json::append_string(out_, value);
    return {};
  }
  Result<void> operator()(const Bytes&) const {
    return fail(Code::kInvalidModel, "JSON cannot hold bytes; encode them as text");
  }
  Result<void> operator()(const Timestamp&) const {
    return fail(Code::kInvalidModel, "JSON cannot hold times; format them as text");
  }
  Result<void> operator()(const LogicalValue::List& value) const {
    out_.push_back('[');
    for (const LogicalValue& element : value) {
      if (&element != value.data()) out_.push_back(',');
      DOLMEN_TRY_VOID(element.visit(*this));
    }
    out_.push_back(']');
    return {};
  }
  Result<void> operator()(const LogicalValue::Map& value) const {
    out_.push_back('{');
    bool first = true;
    for (const auto& [name, member] : value) {
      if (!first) out_.push_back(',');
      first = false;
      DOLMEN_TRY_VOID((*this)(name));
      out_.push_back(':');
      DOLMEN_TRY_VOID(member.visit(*this));
    }
    out_.push_back('}');
    return {};
  }

 private:
  Result<void> append(std::string_view text) const {
    out_.append(text);
    return {};
  }

  std::string& out_;
};

}  // namespace

LogicalValue logical_value(const config::Node& node) { return from_node(node); }

Result<config::Node> read_json_text(std::string_view text) {
  config::Reading reading = config::read_json(text, {.bytes = kJsonTextBytes, .depth = kJsonTextDepth});
  if (!reading.problems.empty()) {
    const config::Problem& problem = reading.problems.front();
    return fail(Code::kInvalidModel, "line {}, column {}: {}", problem.position.line, problem.position.column,
                problem.message);
  }
  return std::move(*reading.root);
}

Result<void> check_json_depth(std::string_view text) {
  unsigned depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      in_string = !in_string;
    else if (in_string)
      i += c == '\\' ? 1 : 0;
    else if (c == ']' || c == '}')
      --depth;
    else if ((c == '[' || c == '{') && ++depth > kJsonTextDepth)
      return fail(Code::kInvalidModel, "lists and maps are nested too deep; JSON text can have at most {} levels",
                  kJsonTextDepth);
  }
  return {};
}

Result<std::string> readable_json(const LogicalValue& value) {
  DOLMEN_TRY(std::string text, canonical_json(value));
  DOLMEN_TRY_VOID(check_json_depth(text));
  return text;
}

Result<LogicalValue> parse_json(std::string_view text) {
  DOLMEN_TRY(const config::Node root, read_json_text(text));
  return from_node(root);
}

Result<std::string> canonical_json(const LogicalValue& value) {
  std::string out;
  DOLMEN_TRY_VOID(value.visit(Writer(out)));
  return out;
}

}  // namespace dolmen
