
#include "base/base64.h"
#include "base/fail.h"
#include "base/unicode.h"
#include "model/envelope.h"
#include "model/json_text.h"
#include "value/json.h"

namespace dolmen {

namespace {

/// The member that holds the value: the type's name in small letters.
std::string member_name(Type type) {
  std::string name(type_name(type));
  for (char& c : name) c = static_cast<char>(c | 0x20);
  return name;
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Result<void> value(const TypedValue& value) {
    out_.append(R"({"t":")")
        .append(type_name(value.type))
        .append(R"(",")")
        .append(member_name(value.type))
        .append("\":");
    DOLMEN_TRY_VOID(member(value));
    out_.push_back('}');
    return {};
  }

 private:
  Result<void> member(const TypedValue& value) {
    switch (value.type) {
      case Type::kString:
      case Type::kNumber: return string(value.text);
      case Type::kBinary: return bytes(value.text);
      case Type::kBool: out_.append(value.boolean ? "true" : "false"); return {};
      case Type::kNull: out_.append("true"); return {};
      case Type::kList: return list(value.list, [this](const TypedValue& element) { return this->value(element); });
      case Type::kMap: return map(value.map);
      case Type::kStringSet:
      case Type::kNumberSet:
        return list(value.elements, [this](const std::string& element) { return string(element); });
      case Type::kBinarySet: break;
    }
    return list(value.elements, [this](const std::string& element) { return bytes(element); });
  }

  Result<void> string(const std::string& text) {
    if (!is_utf8(text)) return fail(Code::kInvalidModel, "a string that is not UTF-8 cannot be encrypted");
    json::append_string(out_, text);
    return {};
  }

  Result<void> bytes(const std::string& bytes) {
    out_.push_back('"');
    append_base64(out_, bytes);
    out_.push_back('"');
    return {};
  }

  template <class Element, class Append>
  Result<void> list(const std::vector<Element>& elements, Append append) {
    out_.push_back('[');
    for (const Element& element : elements) {
      if (&element != elements.data()) out_.push_back(',');
      DOLMEN_TRY_VOID(append(element));
    }
    out_.push_back(']');
    return {};
  }

  Result<void> map(const TypedValue::Map& map) {
    out_.push_back('{');
    bool first = true;
    for (const auto& [name, element] : map) {
      if (!first) out_.push_back(',');
      first = false;
      DOLMEN_TRY_VOID(string(name));
      out_.push_back(':');
      DOLMEN_TRY_VOID(value(element));
    }
    out_.push_back('}');
    return {};
  }

  std::string& out_;
};

std::unexpected<Error> unreadable() {
  return fail(Code::kInvalidEncryptedEnvelope, "the decrypted text is not an attribute value");
}

Result<TypedValue> read_value(const config::Node& node);

Result<std::string> read_string(const config::Node& node, bool base64) {
  if (node.kind != config::Node::Kind::kString) return unreadable();
  if (!base64) return node.text;
  Result<std::string> bytes = decode_base64(node.text);
  if (!bytes) return unreadable();
  return bytes;
}

Result<void> read_member(TypedValue& value, const config::Node& member) {
  using Kind = config::Node::Kind;
  const bool is_list = value.type == Type::kList || value.type >= Type::kStringSet;
  if (is_list && member.kind != Kind::kList) return unreadable();
  switch (value.type) {
    case Type::kString:
    case Type::kNumber:
    case Type::kBinary: {
      DOLMEN_TRY(value.text, read_string(member, value.type == Type::kBinary));
      break;
    }
    case Type::kBool:
    case Type::kNull:
      if (member.kind != Kind::kBoolean) return unreadable();
      value.boolean = member.boolean;
      break;
    case Type::kList:
      for (const config::Node& element : member.elements) {
        DOLMEN_TRY(value.list.emplace_back(), read_value(element));
      }
      break;
    case Type::kMap:
      if (member.kind != Kind::kMap) return unreadable();
      for (const config::Node::Entry& entry : member.entries) {
        DOLMEN_TRY(value.map[entry.name], read_value(entry.value));
      }
      break;
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      for (const config::Node& element : member.elements) {
        DOLMEN_TRY(value.elements.emplace_back(), read_string(element, value.type == Type::kBinarySet));
      }
      break;
  }
  return {};
}

Result<TypedValue> read_value(const config::Node& node) {
  const config::Node* type_node = node.find("t");
  if (type_node == nullptr || type_node->kind != config::Node::Kind::kString) return unreadable();
  const std::optional<Type> type = type_of_name(type_node->text);
  if (!type) return unreadable();
  TypedValue value{.type = *type};
  if (const config::Node* member = node.find(member_name(*type)); member != nullptr) {
    DOLMEN_TRY_VOID(read_member(value, *member));
  } else if (*type == Type::kNumber) {
    value.text = "0";
  }
  return value;
}

}  // namespace

Result<std::string> secret_plaintext(const TypedValue& value) {
  std::string out;
  Result<void> done = Writer(out).value(value);
  if (done) done = check_json_depth(out);
  if (done) return out;
  wipe(out);
  return std::unexpected(done.error());
}

Result<TypedValue> parse_secret_plaintext(std::string_view text) {
  const Result<config::Node> root = read_json_text(text);
  if (!root) return unreadable();
  return read_value(*root);
}

}  // namespace dolmen
