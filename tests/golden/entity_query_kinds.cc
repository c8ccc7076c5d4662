#include <algorithm>
#include <cmath>

#include "entity/condition.h"
#include "entity/item_source.h"
#include "entity/keys.h"
#include "entity/page_token.h"
#include "entity/query.h"
#include "entity/utf16.h"
#include "entity_vectors.h"

namespace dolmen::golden {

namespace {

using namespace entity;  // NOLINT(google-build-using-namespace): this file is about that room alone

// ---- The query of one shard ----

/// What was recorded: a client for the table T whose index ix has the hash key HK, asked for shard e!0.
constexpr std::string_view kTable = "T";
constexpr std::string_view kIndex = "ix";
constexpr std::string_view kHashKey = "HK";
constexpr std::string_view kShard = "e!0";

/// The package makes a text of every value.
std::optional<AttributeValue> operand(const JsValue& value, std::string_view operation) {
  if (value.is_undefined()) return std::nullopt;
  if (operation == "begins_with" && !value.is_truthy()) return std::nullopt;
  if (value.is_nil() && operation != "in") return AttributeValue(nullptr);
  return AttributeValue(value.text());
}

EntityCondition condition_of(const JsValue& given) {
  EntityCondition condition{.operation = given.at("operator").text(), .property = given.at("property").text()};
  const JsValue& value = given.at("value");
  if (condition.operation == "between") {
    condition.values = {operand(value.at("from"), "between"), operand(value.at("to"), "between")};
  } else if (value.list() != nullptr) {
    for (const JsValue& member : *value.list()) condition.values.push_back(operand(member, condition.operation));
  } else {
    condition.values = {operand(value, condition.operation)};
  }
  if (given.at("conditions").list() != nullptr)
    for (const JsValue& part : *given.at("conditions").list()) condition.conditions.push_back(condition_of(part));
  if (given.at("condition").map() != nullptr) condition.conditions.push_back(condition_of(given.at("condition")));
  return condition;
}

/// Expressions with their placeholders numbered in the order in which they come.
class Request {
 public:
  std::string text_of(const detail::ExpressionPieces& pieces) {
    std::string text;
    for (const detail::ExpressionPiece& piece : pieces) {
      switch (piece.kind) {
        case detail::ExpressionPiece::Kind::kText: text += piece.text; break;
        case detail::ExpressionPiece::Kind::kName:
          text += "#" + piece.text;
          names.set("#" + piece.text, piece.text);
          break;
        case detail::ExpressionPiece::Kind::kValue:
          const std::string alias = ":v" + std::to_string(count_++);
          text += alias;
          // A null keeps its placeholder, but the package forgets its value.
          if (piece.value.type() != Type::kNull) values.set(alias, piece.value.string());
          break;
      }
    }
    return text;
  }

  JsValue names = JsMap{{"#" + std::string(kHashKey), kHashKey}};
  JsValue values = JsMap{{":hashKey", kShard}};

 private:
  std::size_t count_ = 0;
};

Result<JsValue> query_args(const EntityCase& c) {
  detail::ExpressionPieces range;
  if (!c.args.at("rangeKeyCondition").is_nil()) {
    DOLMEN_TRY(range, pieces_of(condition_of(c.args.at("rangeKeyCondition")), ConditionUse::kRangeKey,
                                ConditionForm::kPublished));
  }
  std::vector<detail::ExpressionPieces> filters;
  if (c.args.at("filters").list() != nullptr) {
    for (const JsValue& filter : *c.args.at("filters").list()) {
      DOLMEN_TRY(detail::ExpressionPieces pieces,
                 pieces_of(condition_of(filter), ConditionUse::kFilter, ConditionForm::kPublished));
      filters.push_back(std::move(pieces));
    }
  }
  Request request;
  std::string key = "#" + std::string(kHashKey) + " = :hashKey";
  if (!range.empty()) key += " AND " + request.text_of(range);
  JsValue result = JsMap{{"KeyConditionExpression", key}};
  const std::string filter = request.text_of(joined(filters, "AND"));
  if (!filter.empty()) result.set("FilterExpression", filter);
  if (!c.args.at("pageKey").is_undefined()) result.set("ExclusiveStartKey", c.args.at("pageKey"));
  result.set("ExpressionAttributeNames", request.names);
  result.set("ExpressionAttributeValues", request.values);
  result.set("IndexName", kIndex);
  if (!c.args.at("pageSize").is_undefined()) result.set("Limit", c.args.at("pageSize"));
  result.set("TableName", kTable);
  return result;
}

// ---- Queries over shards ----

/// Rows in memory that are read like an index.
class Rows {
 public:
  Rows(const CompiledConfig& config, std::vector<Item> items, bool like_dynamo)
      : config_(config), items_(std::move(items)), like_dynamo_(like_dynamo) {}

  ShardPage read(const ShardRequest& request) {
    ++calls;
    if (request.page_key) ++resumed;
    const CompiledIndex& index = **config_.index(request.index);
    std::vector<const Item*> rows;
    for (const Item& item : items_) {
      const AttributeValue* hash_key = item.find(index.definition.hash_key);
      const std::string* text = hash_key == nullptr ? nullptr : hash_key->get_if<std::string>();
      if (text != nullptr && *text == request.hash_key && item.contains(index.definition.range_key) &&
          (!request.page_key || comes_before(*request.page_key, item, index)))
        rows.push_back(&item);
    }
    std::ranges::stable_sort(rows, [&](const Item* a, const Item* b) { return comes_before(*a, *b, index); });
    ShardPage page;
    const std::size_t count = std::min<std::size_t>(rows.size(), request.page_size);
    for (std::size_t i = 0; i < count; ++i) page.items.push_back(*rows[i]);
    const bool more = like_dynamo_ ? count == request.page_size : count < rows.size();
    if (more && count > 0) {
      page.page_key.emplace();
      for (const std::string& component : index.components)
        if (const AttributeValue* value = page.items.back().find(component)) page.page_key->set(component, *value);
    }
    return page;
  }

  std::size_t calls = 0;
  std::size_t resumed = 0;

 private:
  static int compare(const AttributeValue* a, const AttributeValue* b) {
    if (a == nullptr || b == nullptr) return static_cast<int>(a != nullptr) - static_cast<int>(b != nullptr);
    if (a->type() == Type::kNumber && b->type() == Type::kNumber)
      return a->number() < b->number() ? -1 : b->number() < a->number() ? 1 : 0;
    if (a->type() != Type::kString || b->type() != Type::kString) return 0;
    return units_less(a->string(), b->string()) ? -1 : units_less(b->string(), a->string()) ? 1 : 0;
  }

  [[nodiscard]] bool comes_before(const Item& a, const Item& b, const CompiledIndex& index) const {
    const std::string& range_key = index.definition.range_key;
    const int order = compare(a.find(range_key), b.find(range_key));
    if (order != 0) return order < 0;
    return compare(a.find(config_.config().range_key), b.find(config_.config().range_key)) < 0;
  }

  const CompiledConfig& config_;
  std::vector<Item> items_;
  bool like_dynamo_;
};

/// Infinity is no limit; what is no whole number is none that a query takes.
std::optional<std::int64_t> integer(const JsValue& value) {
  if (value.is_undefined()) return std::nullopt;
  const double number = value.number();
  if (number != std::trunc(number)) return 0;
  if (std::isinf(number)) return number > 0 ? kNoLimit : 0;
  return static_cast<std::int64_t>(number);
}

/// The options that a vector names, for every kind of query.
EntityQueryOptions options_of(const JsValue& given, std::string entity) {
  EntityQueryOptions options{.entity = std::move(entity)};
  options.limit = integer(given.at("limit"));
  options.page_size = integer(given.at("pageSize"));
  if (options.page_size == kNoLimit) options.page_size = 0;
  options.throttle = integer(given.at("throttle"));
  if (!given.at("pageKeyMap").is_nil()) options.page_token = given.at("pageKeyMap").text();
  if (given.at("sortOrder").list() != nullptr)
    for (const JsValue& field : *given.at("sortOrder").list())
      options.sort.push_back({field.at("property").text(), field.at("desc").is_truthy()});
  return options;
}

Result<std::vector<Item>> with_keys(const EntityCase& c) {
  DOLMEN_TRY(const CompiledEntity* entity, c.config->entity(c.text("entity")));
  std::vector<Item> items;
  for (const JsValue& given : *c.args.at("items").list()) {
    Item item = golden::item_of(given);
    KeyMemory memory;
    DOLMEN_TRY(const auto changes, key_changes(*c.config, *entity, ItemView(*c.config, item), false, memory));
    ItemParts::change(item, changes);
    items.push_back(std::move(item));
  }
  return items;
}

JsValue show_page(const EntityQueryResult& page, const std::string& unique, const Rows& rows) {
  JsList ids;
  for (const Item& item : page.items) {
    const AttributeValue* id = item.find(unique);
    ids.push_back(id == nullptr ? JsValue() : golden::js_of(*id));
  }
  return JsMap{{"count", static_cast<double>(page.count)},
               {"uniqueIds", std::move(ids)},
               {"pageKeyMap", page.page_token},
               {"dehydrated", JsValue::of(read_page_token(page.page_token).value_or(std::vector<std::string>()))},
               {"shardCalls", static_cast<double>(rows.calls)},
               {"resumedCalls", static_cast<double>(rows.resumed)}};
}

Result<JsValue> query(const EntityCase& c) {
  DOLMEN_TRY(std::vector<Item> items, with_keys(c));
  Rows rows(*c.config, std::move(items), c.text("mode") == "dynamo");
  EntityQueryOptions options = options_of(c.args.at("options"), c.text("entity"));
  options.item = golden::item_of(c.args.at("item"));
  options.timestamp_from = integer(c.args.at("timestampFrom")).value_or(0);
  options.timestamp_to = integer(c.args.at("timestampTo"));
  for (const JsValue& index : *c.args.at("indexTokens").list())
    options.shard_queries[index.text()] = [&rows](const ShardRequest& request, ShardDone done) {
      done(rows.read(request));
    };
  const std::string unique = (*c.config->entity(options.entity))->definition.unique_property;
  const std::string end = write_page_token({});
  JsList pages;
  const auto pages_max = integer(c.args.at("maxPages")).value_or(6);
  for (std::int64_t i = 0; i < pages_max && options.page_token != end; ++i) {
    rows.calls = rows.resumed = 0;
    DOLMEN_TRY(const EntityQueryResult page, run_query(*c.config, options));
    pages.push_back(show_page(page, unique, rows));
    options.page_token = page.page_token;
  }
  if (options.page_token == end) {
    DOLMEN_TRY(const EntityQueryResult page, run_query(*c.config, options));
    pages.push_back(
        JsMap{{"terminal", true}, {"count", static_cast<double>(page.count)}, {"pageKeyMap", page.page_token}});
  }
  return JsValue(std::move(pages));
}

/// An index that is read by the global hash key, which needs no item.
std::string plain_index(const EntityConfig& config) {
  for (const EntityIndex& index : config.indexes)
    if (index.hash_key == config.hash_key) return index.name;
  return {};
}

Result<JsValue> query_options(const EntityCase& c) {
  const JsValue& given = c.args.at("options");
  std::string entity = given.at("entityToken").is_undefined() ? c.text("entity") : given.at("entityToken").text();
  EntityQueryOptions options = options_of(given, std::move(entity));
  options.timestamp_to = integer(given.at("timestampTo")).value_or(0);
  const Result<const CompiledEntity*> found = c.config->entity(c.text("entity"));
  const std::string unique = found ? (*found)->definition.unique_property : "";
  if (given.at("shardQueryMap").is_undefined())
    options.shard_queries[c.text("index")] = [unique](const ShardRequest& /*request*/, ShardDone done) {
      done(ShardPage{.items = {Item{{unique, "u1"}}}});
    };
  DOLMEN_TRY(const EntityQueryResult page, run_query(*c.config, options));
  JsList items;
  for (const Item& item : page.items) items.push_back(golden::js_of(AttributeValue(item)));
  return JsValue(
      JsMap{{"count", static_cast<double>(page.count)}, {"items", std::move(items)}, {"pageKeyMap", page.page_token}});
}

Result<JsValue> query_errors(const EntityCase& c) {
  const EntityConfig& config = c.config->config();
  const bool throws = c.text("stub").find("throws") != std::string::npos;
  EntityQueryOptions options{.entity = config.entities.back().name, .timestamp_to = 0};
  options.shard_queries[plain_index(config)] = [throws](const ShardRequest& /*request*/, ShardDone done) {
    if (throws) return done(std::unexpected(Error(Code::kUnavailable, "boom")));
    done(ShardPage{.items = {Item{{"other", "x"}}}});
  };
  DOLMEN_TRY(const EntityQueryResult page, run_query(*c.config, options));
  return JsValue(static_cast<double>(page.count));
}

}  // namespace

void add_query_kinds(EntityKinds& kinds) {
  kinds["queryArgs"] = query_args;
  kinds["query"] = query;
  kinds["queryOptions"] = query_options;
  kinds["queryErrors"] = query_errors;
}

}  // namespace dolmen::golden
