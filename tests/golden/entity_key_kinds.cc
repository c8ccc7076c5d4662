#include <algorithm>

#include "entity/hash_key_space.h"
#include "entity/keys.h"
#include "entity/lz_string.h"
#include "entity/order.h"
#include "entity/page_token.h"
#include "entity/string_hash.h"
#include "entity_vectors.h"

namespace dolmen::golden {

namespace {

using namespace entity;  // NOLINT(google-build-using-namespace): this file is about that room alone

JsValue js_of_optional(const std::optional<std::string>& text) { return text ? JsValue(*text) : JsValue(); }

// ---- Texts ----

Result<JsValue> decompress(const EntityCase& c) {
  if (c.args.at("input").is_nil()) return JsValue("");
  DOLMEN_TRY(const LzText text, lz_decompress(c.text("input")));
  if (text.end == LzEnd::kNull) return JsValue(EntityValue(nullptr));
  return JsValue(text.text);
}

Result<JsValue> transcode_encode(const EntityCase& c) {
  const auto transcodes = default_transcodes();
  const auto found = std::ranges::find(transcodes, c.text("transcode"), &Transcode::name);
  if (found == transcodes.end()) return std::unexpected(Error(Code::kInvalidArgument, "no such transcode"));
  // Lists and maps are of no kind that a transcode takes.
  const JsValue& value = c.args.at("value");
  DOLMEN_TRY(std::string text, found->encode(value.scalar() != nullptr ? *value.scalar() : EntityValue()));
  return JsValue(std::move(text));
}

Result<JsValue> transcode_decode(const EntityCase& c) {
  const auto transcodes = default_transcodes();
  const auto found = std::ranges::find(transcodes, c.text("transcode"), &Transcode::name);
  if (found == transcodes.end()) return std::unexpected(Error(Code::kInvalidArgument, "no such transcode"));
  DOLMEN_TRY(EntityValue value, found->decode(c.text("value")));
  return JsValue(std::move(value));
}

Result<JsValue> sort(const EntityCase& c) {
  std::vector<SortField> order;
  if (c.args.at("sortOrder").list() != nullptr)
    for (const JsValue& field : *c.args.at("sortOrder").list())
      order.push_back({field.at("property").text(), field.at("desc").is_truthy()});
  const JsList& items = *c.args.at("items").list();
  DOLMEN_TRY(const Rows rows, ordered_rows(JsTable(items), std::nullopt, order));
  JsList sorted;
  for (const std::uint32_t row : rows) sorted.push_back(items[row]);
  return JsValue(std::move(sorted));
}

Result<JsValue> unique(const EntityCase& c) {
  JsList items;
  const JsList& keys = *c.args.at("keys").list();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!is_inherited_name(keys[i].text())) items.push_back(JsMap{{"k", keys[i]}, {"i", static_cast<double>(i)}});
  DOLMEN_TRY(const Rows rows, ordered_rows(JsTable(items), "k", {}));
  JsList result;
  for (const std::uint32_t row : rows) result.push_back(items[row]);
  return JsValue(std::move(result));
}

// ---- Keys ----

/// Runs a function on an item, or on each of a list of them.
Result<JsValue> on_items(const EntityCase& c, const std::function<Result<JsValue>(const JsValue& item)>& run) {
  const JsValue& item = c.args.at("item");
  if (item.list() == nullptr) return run(item);
  JsList results;
  for (const JsValue& one : *item.list()) {
    DOLMEN_TRY(JsValue result, run(one));
    results.push_back(std::move(result));
  }
  return JsValue(std::move(results));
}

bool overwrite(const EntityCase& c) { return c.args.at("overwrite").is_truthy(); }

Result<JsValue> add_keys(const EntityCase& c, JsValue item) {
  DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
  const JsValue original = item;
  KeyMemory memory;
  DOLMEN_TRY(const auto changes, key_changes(*c.config, *entity, JsSource(original), overwrite(c), memory));
  for (const TextChange& change : changes) {
    if (change.kind == TextChange::Kind::kSet) item.set(change.name, change.text);
    if (change.kind == TextChange::Kind::kRemove) item.erase(change.name);
  }
  return item;
}

using Change = Result<std::optional<std::string>> (*)(const CompiledConfig&, const CompiledEntity&,
                                                      const ElementSource&, bool);

RunEntityCase update_key(std::string EntityConfig::* token, Change change) {
  return [token, change](const EntityCase& c) -> Result<JsValue> {
    DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
    JsValue item = c.args.at("item");
    DOLMEN_TRY(const auto key, change(*c.config, *entity, JsSource(c.args.at("item")), overwrite(c)));
    if (key) item.set(c.config->config().*token, *key);
    return item;
  };
}

Result<JsValue> remove_keys(const EntityCase& c, JsValue item) {
  DOLMEN_TRY_VOID(c.config->entity(c.text("entity")));
  item.erase(c.config->config().hash_key);
  item.erase(c.config->config().range_key);
  for (const CompiledGenerated& property : c.config->generated()) item.erase(property.name);
  return item;
}

Result<JsValue> primary_key(const EntityCase& c, const JsValue& item) {
  const EntityConfig& names = c.config->config();
  JsValue keyed = item;
  const bool has_both = item.at(names.hash_key).is_truthy() && item.at(names.range_key).is_truthy();
  if (overwrite(c) || !has_both) {
    DOLMEN_TRY(keyed, add_keys(c, item));
  }
  return JsValue(JsMap{{names.hash_key, keyed.at(names.hash_key)}, {names.range_key, keyed.at(names.range_key)}});
}

Result<JsValue> encode_property(const EntityCase& c) {
  DOLMEN_TRY(const auto text, encode_generated(*c.config, c.text("property"), JsSource(c.args.at("item"))));
  return js_of_optional(text);
}

Result<JsValue> decode_property(const EntityCase& c) {
  DOLMEN_TRY(const ElementList elements, decode_generated(*c.config, c.text("encoded")));
  return JsValue::of(elements);
}

Result<JsValue> encode_one(const EntityCase& c) {
  const std::string name = c.text("element");
  const JsValue& item = c.args.at("item");
  // Global keys are given back as they are, whatever they are.
  if (c.config->is_global_key(name)) return item.at(name);
  std::string text;
  KeptTexts kept;
  DOLMEN_TRY_VOID(encode_element(*c.config, name, c.config->find_codec(name), item.at(name).element(kept), text));
  return text.empty() ? JsValue() : JsValue(std::move(text));
}

Result<JsValue> decode_one(const EntityCase& c) {
  const JsValue& value = c.args.at("value");
  DOLMEN_TRY(EntityValue decoded, decode_element(c.text("element"), c.config->find_codec(c.text("element")),
                                                 value.is_nil() ? "" : value.text()));
  return JsValue(std::move(decoded));
}

}  // namespace

void add_text_kinds(EntityKinds& kinds) {
  kinds["stringHash"] = [](const EntityCase& c) -> Result<JsValue> {
    return JsValue(static_cast<double>(string_hash(c.text("str"))));
  };
  kinds["lzCompress"] = [](const EntityCase& c) -> Result<JsValue> { return JsValue(lz_compress(c.text("input"))); };
  kinds["lzDecompress"] = decompress;
  kinds["jsonCompress"] = [](const EntityCase& c) -> Result<JsValue> {
    return JsValue(write_page_token(texts_of(c.args.at("arr"))));
  };
  kinds["transcodeEncode"] = transcode_encode;
  kinds["transcodeDecode"] = transcode_decode;
  kinds["sort"] = sort;
  kinds["unique"] = unique;
}

void add_key_kinds(EntityKinds& kinds) {
  kinds["updateItemHashKey"] = update_key(&EntityConfig::hash_key, hash_key_change);
  kinds["updateItemRangeKey"] = update_key(&EntityConfig::range_key, range_key_change);
  kinds["addKeys"] = [](const EntityCase& c) {
    return on_items(c, [&](const JsValue& item) { return add_keys(c, item); });
  };
  kinds["removeKeys"] = [](const EntityCase& c) {
    return on_items(c, [&](const JsValue& item) { return remove_keys(c, item); });
  };
  kinds["getPrimaryKey"] = [](const EntityCase& c) {
    return on_items(c, [&](const JsValue& item) { return primary_key(c, item); });
  };
  kinds["encodeGeneratedProperty"] = encode_property;
  kinds["decodeGeneratedProperty"] = decode_property;
  kinds["encodeElement"] = encode_one;
  kinds["decodeElement"] = decode_one;
}

}  // namespace dolmen::golden
