// Runs a file of vectors for models: {"about": …, "cases": [{"id", "kind", "input", "expected"}, …]}. Prints every case
// that fails and closes with a line "N passed, N failed". Exits 0 when all passed, 1 when one failed or there are none,
// 2 when the file cannot be used.

#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "base/base64.h"
#include "base/fail.h"
#include "config/read.h"
#include "dolmen/model/cursor.h"
#include "dolmen/model/item.h"
#include "model/cursor_text.h"
#include "model/envelope.h"
#include "model/json_text.h"
#include "model/loader.h"
#include "value/json.h"

namespace dolmen {
namespace {

using config::Node;
using Kind = Node::Kind;

constexpr config::ReadLimits kLimits{.bytes = 256U * 1024 * 1024, .depth = 256};

/// What a case came to: an error, or a value in some form that can be compared with what the vector expects.
struct Outcome {
  bool passed = false;
  std::string found = {};
};

const Node& member(const Node& node, std::string_view name) {
  static const Node kNull;
  const Node* found = node.find(name);
  return found == nullptr ? kNull : *found;
}

/// {"error": true} stands for any error, {"error": "ErrX"} for that one.
bool is_expected_error(const Node& expected, const Error& error) {
  const Node& name = member(expected, "error");
  if (name.kind == Kind::kBoolean) return name.boolean;
  return name.kind == Kind::kString && name.text == portable_error_name(error.code());
}

std::string text_of(const Error& error) {
  return fmt::format("{} ({}): {}", portable_error_name(error.code()), code_name(error.code()), error.message());
}

/// Compares a result with the expectation; `compare` says whether a value is the expected one.
template <class T, class Compare, class Show>
Outcome judge(const Result<T>& result, const Node& expected, Compare compare, Show show) {
  if (!result) return {is_expected_error(expected, result.error()), text_of(result.error())};
  if (expected.find("error") != nullptr) return {false, show(*result)};
  return {compare(*result), show(*result)};
}

Outcome judge_text(const Result<std::string>& result, const Node& expected) {
  return judge(
      result, expected,
      [&](const std::string& text) { return expected.kind == Kind::kString && expected.text == text; },
      [](const std::string& text) { return text; });
}

/// By value: numbers whatever their digits look like, sets without order.
Outcome judge_value(const Result<AttributeValue>& result, const Node& expected) {
  const auto equal = [&](const AttributeValue& value) {
    const Result<TypedValue> typed = parse_typed_value(expected);
    return typed && attribute_value(*typed) == value;
  };
  return judge(result, expected, equal, [](const AttributeValue& value) { return json::to_text({{"value", value}}); });
}

Result<std::int64_t> integer(const Node& node) {
  DOLMEN_TRY(const Number number, Number::parse(node.text));
  if (const auto value = number.to_int64()) return *value;
  return fail(Code::kInvalidArgument, "{} is no integer", node.text);
}

Result<Timestamp> timestamp(const Node& node) {
  DOLMEN_TRY(const std::int64_t seconds, integer(member(node, "seconds")));
  DOLMEN_TRY(const std::int64_t nanoseconds, integer(member(node, "nanos")));
  return Timestamp{.seconds = seconds, .nanoseconds = static_cast<std::int32_t>(nanoseconds)};
}

Result<std::string> from_hex(const Node& node) {
  std::string bytes;
  if (node.text.size() % 2 != 0) return fail(Code::kInvalidArgument, "an odd number of hexadecimal digits");
  for (std::size_t i = 0; i < node.text.size(); i += 2) {
    unsigned byte = 0;
    const char* end = node.text.data() + i + 2;
    if (std::from_chars(node.text.data() + i, end, byte, 16).ptr != end)
      return fail(Code::kInvalidArgument, "{} is not hexadecimal", node.text);
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes;
}

Outcome cursor_encode(const Node& input, const Node& expected) {
  const auto encode = [&]() -> Result<std::string> {
    DOLMEN_TRY(TypedValue::Map last_key, parse_typed_map(member(input, "lastKey")));
    return encode_cursor_text(
        {.last_key = std::move(last_key), .index = member(input, "index").text, .sort = member(input, "sort").text});
  };
  return judge_text(encode(), expected);
}

Outcome cursor_decode(const Node& input, const Node& expected) {
  const Node& ok = member(expected, "ok");
  const auto show = [](const Cursor& cursor) { return json::to_text(cursor.last_key) + " " + cursor.index; };
  const auto equal = [&](const Cursor& cursor) {
    const Result<TypedValue::Map> typed = parse_typed_map(member(ok, "lastKey"));
    const std::string order = !cursor.order ? "" : *cursor.order == SortOrder::kAscending ? "ASC" : "DESC";
    return typed && item_of(*typed) == cursor.last_key && cursor.index == member(ok, "index").text &&
           order == member(ok, "sort").text;
  };
  return judge(decode_cursor(input.text), expected, equal, show);
}

Outcome json_blob(const Node& input, const Node& expected) {
  const ModelAttribute attribute{.name = "blob", .type = Type::kString, .json = true};
  const auto encode = [&]() -> Result<AttributeValue> {
    DOLMEN_TRY(const LogicalValue value, parse_json(input.text));
    return encode_attribute({}, attribute, value);
  };
  return judge_value(encode(), expected);
}

Outcome timestamp_format(const Node& input, const Node& expected) {
  const auto format = [&]() -> Result<std::string> {
    DOLMEN_TRY(const Timestamp time, timestamp(input));
    return format_timestamp(time);
  };
  return judge_text(format(), expected);
}

Outcome timestamp_parse(const Node& input, const Node& expected) {
  return judge(
      parse_timestamp(input.text, TimestampSyntax::kGo), expected,
      [&](const Timestamp& time) { return timestamp(member(expected, "ok")) == time; },
      [](const Timestamp& time) { return fmt::format("{} s {} ns", time.seconds, time.nanoseconds); });
}

Outcome empty(const Node& input, const Node& expected) {
  const auto ask = [&]() -> Result<bool> {
    DOLMEN_TRY(const TypedValue typed, parse_typed_value(input));
    DOLMEN_TRY(const AttributeValue value, attribute_value(typed));
    return is_empty(value);
  };
  return judge(
      ask(), expected, [&](bool value) { return expected.kind == Kind::kBoolean && expected.boolean == value; },
      [](bool value) { return std::string(value ? "true" : "false"); });
}

/// The text itself, and that it can be read back.
Outcome plaintext(const Node& input, const Node& expected) {
  const auto write = [&]() -> Result<std::string> {
    DOLMEN_TRY(const TypedValue typed, parse_typed_value(input));
    DOLMEN_TRY(std::string text, secret_plaintext(typed));
    DOLMEN_TRY(const TypedValue back, parse_secret_plaintext(text));
    if (!(attribute_value(back) == attribute_value(typed)))
      return fail(Code::kCorruption, "reads back as another value");
    return text;
  };
  return judge_text(write(), expected);
}

/// Keys that a vector gives.
class FixedKeys final : public KeyProvider {
 public:
  explicit FixedKeys(std::string key) : key_(std::move(key)) {}
  Result<DataKey> generate(const KeyPurpose&) override { return fail(Code::kUnsupported, "only decrypts"); }
  Result<SecretKey> decrypt(const Bytes&, const KeyPurpose&) override { return key(); }
  Result<SecretKey> key() const {
    if (key_.size() != SecretKey::kBytes) return fail(Code::kInvalidArgument, "a key of {} bytes", key_.size());
    return SecretKey(std::span<const std::uint8_t, SecretKey::kBytes>(
        reinterpret_cast<const std::uint8_t*>(key_.data()), SecretKey::kBytes));
  }

 private:
  std::string key_;
};

Outcome envelope(const Node& input, const Node& expected) {
  const auto make = [&]() -> Result<AttributeValue> {
    DOLMEN_TRY(const TypedValue value, parse_typed_value(member(input, "value")));
    DOLMEN_TRY(const std::string text, secret_plaintext(value));
    DOLMEN_TRY(std::string key_bytes, from_hex(member(input, "data_key")));
    DOLMEN_TRY(std::string edk, from_hex(member(input, "edk")));
    DOLMEN_TRY(const std::string nonce_bytes, from_hex(member(input, "nonce")));
    Nonce nonce{};
    if (nonce_bytes.size() != nonce.size())
      return fail(Code::kInvalidArgument, "a nonce of {} bytes", nonce_bytes.size());
    std::copy(nonce_bytes.begin(), nonce_bytes.end(), nonce.begin());
    const std::string& attribute = member(input, "attribute").text;
    FixedKeys keys(std::move(key_bytes));
    DOLMEN_TRY(SecretKey key, keys.key());
    const DataKey data_key{.key = std::move(key), .encrypted = Bytes(std::move(edk))};
    DOLMEN_TRY(AttributeValue sealed, make_envelope(text, attribute, data_key, nonce));
    DOLMEN_TRY(const AttributeValue back, unseal(sealed, {.model = "", .attribute = attribute}, keys));
    if (!(attribute_value(value) == back)) return fail(Code::kCorruption, "decrypts to another value");
    return sealed;
  };
  return judge_value(make(), expected);
}

/// JSON, in which {"$b64": "…"} stands for bytes.
Result<LogicalValue> logical_with_bytes(const Node& node) {
  if (node.kind == Kind::kMap && node.entries.size() == 1 && node.entries[0].name == "$b64") {
    DOLMEN_TRY(std::string bytes, decode_base64(node.entries[0].value.text));
    return LogicalValue(Bytes(std::move(bytes)));
  }
  if (node.kind == Kind::kList) {
    LogicalValue::List list;
    for (const Node& element : node.elements) {
      DOLMEN_TRY(list.emplace_back(), logical_with_bytes(element));
    }
    return LogicalValue(std::move(list));
  }
  if (node.kind != Kind::kMap) return logical_value(node);
  LogicalValue::Map map;
  for (const Node::Entry& entry : node.entries) {
    DOLMEN_TRY(map[entry.name], logical_with_bytes(entry.value));
  }
  return LogicalValue(std::move(map));
}

Result<Model> single_model(const Node& node) {
  Node models{.kind = Kind::kList};
  models.elements.push_back(node);
  Node root{.kind = Kind::kMap};
  root.entries.push_back({.name = "dms_version", .name_position = {}, .value = {.kind = Kind::kString, .text = "0.1"}});
  root.entries.push_back({.name = "models", .name_position = {}, .value = std::move(models)});
  LoadedModels loaded = models_of(root);
  if (!loaded.problems.empty()) return std::unexpected(config::error_of(Code::kInvalidModel, "model", loaded.problems));
  return std::move(loaded.set.models.front());
}

Outcome put(const Node& input, const Node& expected) {
  const auto encode = [&]() -> Result<Item> {
    DOLMEN_TRY(const Model model, single_model(member(input, "model")));
    DOLMEN_TRY(const Timestamp now, timestamp(member(input, "now")));
    DOLMEN_TRY(const LogicalValue item, logical_with_bytes(member(input, "item")));
    if (item.get_if<LogicalItem>() == nullptr) return fail(Code::kInvalidModel, "the item is not a map");
    return encode_put(model, *item.get_if<LogicalItem>(), {.now = now});
  };
  const auto equal = [&](const Item& item) {
    const Result<TypedValue::Map> typed = parse_typed_map(member(expected, "item"));
    return typed && item_of(*typed) == item;
  };
  return judge(encode(), expected, equal, [](const Item& item) { return json::to_text(item); });
}

using Run = Outcome (*)(const Node& input, const Node& expected);
const std::map<std::string, Run, std::less<>> kKinds = {
    {"cursor_encode", cursor_encode},
    {"cursor_decode", cursor_decode},
    {"json_blob", json_blob},
    {"put", put},
    {"timestamp_format", timestamp_format},
    {"timestamp_parse", timestamp_parse},
    {"is_empty", empty},
    {"secret_plaintext", plaintext},
    {"envelope", envelope},
};

Outcome run(const Node& vector) {
  const auto kind = kKinds.find(member(vector, "kind").text);
  if (kind == kKinds.end()) return {false, fmt::format("there is no kind \"{}\"", member(vector, "kind").text)};
  return kind->second(member(vector, "input"), member(vector, "expected"));
}

int run_file(const char* path) {
  const Result<std::string> text = config::read_file(path, kLimits);
  if (!text) {
    fmt::print(stderr, "model_vectors: {}\n", text.error().message());
    return 2;
  }
  const config::Reading reading = config::read_json(*text, kLimits);
  if (!reading.root || member(*reading.root, "cases").kind != Kind::kList) {
    fmt::print(stderr, "model_vectors: {} is not a file of vectors\n", path);
    return 2;
  }
  int passed = 0;
  int failed = 0;
  for (const Node& vector : member(*reading.root, "cases").elements) {
    const Outcome outcome = run(vector);
    ++(outcome.passed ? passed : failed);
    if (!outcome.passed) fmt::print("FAILED {}: found {}\n", member(vector, "id").text, outcome.found);
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace dolmen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: model_vectors FILE\n");
    return 2;
  }
  return dolmen::run_file(argv[1]);
}
