#include "twins.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"
#include "dolmen/open.h"
#include "value/json.h"

namespace dolmen::twins {
namespace {

constexpr const char* kStatements = "statements";
constexpr const char* kExpressions = "expressions";

std::string key_text(const Item& key) {
  return fmt::format("pk = '{}' AND sk = {}", key.at("pk").string(), key.at("sk").number().to_string());
}

std::string texts(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += json::to_text(item) + "\n";
  return text;
}

std::string quoted_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

/// A literal; empty for values that can only be parameters.
std::string literal_of(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: return quoted_text(value.string());
    case Type::kNumber: return value.number().to_string();
    case Type::kBool: return value.boolean() ? "true" : "FALSE";
    case Type::kNull: return "Null";
    case Type::kList: {
      std::string out = "[";
      for (const AttributeValue& element : value.list()) {
        const std::string inner = literal_of(element);
        if (inner.empty()) return "";
        out += (out.size() > 1 ? ", " : "") + inner;
      }
      return out + "]";
    }
    case Type::kMap: {
      std::string out = "{";
      for (const auto& [name, member] : value.map()) {
        const std::string inner = literal_of(member);
        if (inner.empty()) return "";
        out += (out.size() > 1 ? ", " : "") + quoted_text(name) + ": " + inner;
      }
      return out + "}";
    }
    case Type::kStringSet: {
      std::string out;
      for (const std::string& member : value.string_set()) out += (out.empty() ? "<<" : ", ") + quoted_text(member);
      return out + ">>";
    }
    case Type::kNumberSet: {
      std::string out;
      for (const Number& member : value.number_set()) out += (out.empty() ? "<<" : ", ") + member.to_string();
      return out + ">>";
    }
    default: return "";
  }
}

/// The words of the same failure in both languages: an INSERT that finds its item is a failed condition.
std::string failure_text(const Error& error) {
  if (error.code() == Code::kDuplicateItem || error.code() == Code::kConditionFailed) return "condition";
  if (error.code() != Code::kValidation) return std::string(code_name(error.code()));
  // Expressions say which of them is wrong.
  const std::string& message = error.message();
  const std::size_t colon = message.find("Expression: ");
  return message.starts_with("Invalid ") && colon != std::string::npos ? message.substr(colon + 12) : message;
}

template <class T, class U>
std::string compared(const std::string& statement, const Result<T>& one, const Result<U>& two, std::uint64_t& refused) {
  if (one.has_value() != two.has_value())
    return fmt::format("{}\n  the statement {}\n  the twin {}", statement,
                       one ? "succeeds" : "fails: " + one.error().message(),
                       two ? "succeeds" : "fails: " + two.error().message());
  if (one) return "";
  ++refused;
  if (failure_text(one.error()) == failure_text(two.error())) return "";
  return fmt::format("{}\n  the statement fails: {}\n  the twin fails: {}", statement, one.error().message(),
                     two.error().message());
}

std::string compared_rows(const std::string& statement, const std::vector<Item>& one, const std::vector<Item>& two) {
  if (one == two) return "";
  return fmt::format("{}\n  rows of the statement:\n{}  rows of the twin:\n{}", statement, texts(one), texts(two));
}

std::vector<Item> row_of(const std::optional<Item>& attributes) {
  return attributes && !attributes->empty() ? std::vector<Item>{*attributes} : std::vector<Item>{};
}

}  // namespace

Twins::Twins(std::uint64_t seed) : random_(seed), store_(open("memory:").value()) {
  for (const char* name : {kStatements, kExpressions}) {
    const auto made = store_->create_table(
        {.name = name, .partition_key = {"pk", KeyType::kString}, .sort_key = KeyAttribute{"sk", KeyType::kNumber}});
    DOLMEN_CHECK(made.has_value(), "a store in memory makes tables");
  }
}

std::string Twins::step() {
  if (++steps_ % 2000 == 0) return compare_tables();
  switch (below(10)) {
    case 0:
    case 1:
    case 2: return insert();
    case 3:
    case 4:
    case 5: return update();
    case 6: return remove();
    case 7:
    case 8: return select_keyed();
    default: return steps_ % 5 == 0 ? select_all() : select_keyed();
  }
}

Item Twins::random_key() {
  return {{"pk", std::string(1, static_cast<char>('a' + below(4)))}, {"sk", static_cast<int>(below(8))}};
}

AttributeValue Twins::random_value(int depth) {
  switch (below(depth > 1 ? 6 : 10)) {
    case 0: return static_cast<int>(below(5)) - 2;
    case 1: return std::string(below(3), 'x');
    case 2: return below(2) == 0;
    case 3: return nullptr;
    case 4: return Number::parse(fmt::format("{}.5e{}", below(10), static_cast<int>(below(5)) - 2)).value();
    case 5: return std::string(below(2) == 0 ? "it's" : "xy");
    case 6: return List{random_value(depth + 1), random_value(depth + 1)};
    case 7: return Item{{"k", random_value(depth + 1)}, {"l", random_value(depth + 1)}};
    case 8: return StringSet{"x", std::string(1, static_cast<char>('a' + below(3)))};
    default:
      return below(2) == 0 ? AttributeValue(NumberSet{1, static_cast<int>(below(4))})
                           : AttributeValue(BinarySet{Bytes(std::string("b"))});
  }
}

std::string Twins::written(const AttributeValue& value, std::vector<AttributeValue>& parameters) {
  std::string literal = below(2) == 0 ? literal_of(value) : "";
  if (!literal.empty()) return literal;
  parameters.push_back(value);
  return "?";
}

std::string Twins::random_attribute() { return std::string(1, static_cast<char>('a' + below(5))); }

/// Tests of one attribute, or of a part of one.
TwinCondition Twins::random_test() {
  TwinCondition twin;
  const std::string name = random_attribute();
  const bool nested = below(4) == 0;
  const Path path = nested ? attr(name)["k"] : attr(name);
  const std::string shown = nested ? (below(2) == 0 ? name + ".k" : name + "['k']") : name;
  const AttributeValue value = random_value(1);
  const auto take = [&](std::string text, Condition condition) {
    twin.text = std::move(text);
    twin.condition = std::move(condition);
  };
  switch (below(12)) {
    case 0: take(fmt::format("{} = {}", shown, written(value, twin.parameters)), path == value); break;
    case 1: take(fmt::format("{} != {}", shown, written(value, twin.parameters)), path != value); break;
    case 2: take(fmt::format("{} < {}", shown, written(value, twin.parameters)), path < value); break;
    case 3: take(fmt::format("{} >= {}", shown, written(value, twin.parameters)), path >= value); break;
    case 4: {
      const AttributeValue upper = random_value(2);
      std::string text = fmt::format("{} BETWEEN {}", shown, written(value, twin.parameters));
      text += " AND " + written(upper, twin.parameters);
      take(std::move(text), path.between(value, upper));
      break;
    }
    case 5: {
      const AttributeValue second = random_value(2);
      std::string text = fmt::format("{} IN [{}", shown, written(value, twin.parameters));
      text += ", " + written(second, twin.parameters) + "]";
      take(std::move(text), path.in({value, second}));
      break;
    }
    case 6: take(shown + " IS MISSING", path.not_exists()); break;
    case 7: take(fmt::format("attribute_exists({})", shown), path.exists()); break;
    case 8: take(shown + " IS NOT NULL", !path.is(Type::kNull)); break;
    case 9:
      take(fmt::format("begins_with({}, {})", shown, written(value, twin.parameters)), path.begins_with(value));
      break;
    case 10: take(fmt::format("contains({}, {})", shown, written(value, twin.parameters)), path.contains(value)); break;
    default: take(fmt::format("size({}) > {}", shown, 1), path.size() > 1); break;
  }
  return twin;
}

TwinCondition Twins::random_condition(int depth) {
  if (depth > 2 || below(2) == 0) return random_test();
  TwinCondition one = random_condition(depth + 1);
  if (below(4) == 0) return {"NOT (" + one.text + ")", std::move(one.parameters), !one.condition};
  TwinCondition two = random_condition(depth + 1);
  const bool all = below(2) == 0;
  one.text = fmt::format("({} {} {})", one.text, all ? "AND" : "or", two.text);
  one.parameters.insert(one.parameters.end(), two.parameters.begin(), two.parameters.end());
  one.condition = all ? one.condition && two.condition : one.condition || two.condition;
  return one;
}

TwinUpdate Twins::random_update() {
  TwinUpdate twin;
  const std::string name = random_attribute();
  const bool nested = below(4) == 0;
  const Path path = nested ? attr(name)["k"] : attr(name);
  const std::string shown = nested ? name + ".k" : name;
  const auto set = [&](const std::string& right) { twin.text = fmt::format("SET {} = {}", shown, right); };
  switch (below(7)) {
    case 0:
    case 1: {
      const AttributeValue value = random_value();
      set(written(value, twin.parameters));
      twin.update.set(path, value);
      break;
    }
    case 2:
      set(shown + " + 1");
      twin.update.increment(path, 1);
      break;
    case 3:
      set(fmt::format("list_append({}, [1, 'x'])", shown));
      twin.update.append(path, {1, "x"});
      break;
    case 4:
      set(fmt::format("set_add({}, <<'x', 'y'>>)", shown));
      twin.update.add(path, StringSet{"x", "y"});
      break;
    case 5:
      set(fmt::format("set_delete({}, ?)", shown));
      twin.parameters.emplace_back(StringSet{"x"});
      twin.update.erase_from(path, StringSet{"x"});
      break;
    default:
      twin.text = "REMOVE " + shown;
      twin.update.remove(path);
      break;
  }
  return twin;
}

std::string Twins::insert() {
  Item item = random_key();
  std::vector<AttributeValue> parameters;
  std::string statement = fmt::format("INSERT INTO {} VALUE {{'pk': {}, 'sk': {}", kStatements,
                                      written(item.at("pk"), parameters), item.at("sk").number().to_string());
  for (std::uint64_t i = below(4); i > 0; --i) {
    const std::string name = random_attribute();
    if (item.contains(name)) continue;
    const AttributeValue& value = item.set(name, random_value());
    statement += fmt::format(", '{}': {}", name, written(value, parameters));
  }
  statement += "}";
  const auto one = store_->execute(statement, parameters);
  const auto two = store_->put_item(kExpressions, item, {.condition = attr("pk").not_exists()});
  return compared(statement, one, two, refused_);
}

std::string Twins::update() {
  const Item key = random_key();
  TwinUpdate change = random_update();
  const bool conditional = below(3) == 0;
  const TwinCondition condition = conditional ? random_condition() : TwinCondition{};
  const bool from_first = below(4) == 0;
  const std::string where = "WHERE " + key_text(key) + (conditional ? " AND " + condition.text : "");
  std::string statement = from_first ? fmt::format("FROM {} {} {}", kStatements, where, change.text)
                                     : fmt::format("UPDATE {} {} {}", kStatements, change.text, where);
  constexpr const char* kReturning[] = {"", " RETURNING ALL OLD *", " RETURNING MODIFIED OLD *", " RETURNING ALL NEW *",
                                        " RETURNING MODIFIED NEW *"};
  const auto returned = below(5);
  statement += kReturning[returned];
  std::vector<AttributeValue> parameters = from_first ? condition.parameters : change.parameters;
  const auto& rest = from_first ? change.parameters : condition.parameters;
  parameters.insert(parameters.end(), rest.begin(), rest.end());
  const auto one = store_->execute(statement, parameters);
  const auto two = store_->update_item(
      kExpressions, key, change.update,
      {.condition = attr("pk").exists() && condition.condition, .return_values = static_cast<ReturnValues>(returned)});
  if (std::string difference = compared(statement, one, two, refused_); !difference.empty() || !one) return difference;
  return compared_rows(statement, *one, row_of(two->attributes));
}

std::string Twins::remove() {
  const Item key = random_key();
  const bool conditional = below(2) == 0;
  const TwinCondition condition = conditional ? random_condition() : TwinCondition{};
  const std::string statement = fmt::format("DELETE FROM {} WHERE {}{} RETURNING ALL OLD *", kStatements, key_text(key),
                                            conditional ? " AND " + condition.text : "");
  const auto one = store_->execute(statement, condition.parameters);
  const auto two =
      store_->delete_item(kExpressions, key,
                          {.condition = conditional ? attr("pk").not_exists() || condition.condition : Condition(),
                           .return_values = ReturnValues::kAllOld});
  if (std::string difference = compared(statement, one, two, refused_); !difference.empty() || !one) return difference;
  return compared_rows(statement, *one, row_of(two->attributes));
}

std::string Twins::select_keyed() {
  const Item key_item = random_key();
  const TwinCondition filter = random_condition();
  const std::string hash = key_item.at("pk").string();
  const int bound = static_cast<int>(below(8));
  Condition keys = key("pk") == hash;
  std::string text = fmt::format("pk = '{}'", hash);
  switch (below(4)) {
    case 0:
      text += fmt::format(" AND sk > {}", bound);
      keys = keys && key("sk") > bound;
      break;
    case 1:
      text += fmt::format(" AND {} >= sk", bound);
      keys = keys && key("sk") <= bound;
      break;
    case 2:
      text += fmt::format(" AND sk BETWEEN {} AND 7", bound);
      keys = keys && key("sk").between(bound, 7);
      break;
    default: break;
  }
  const bool descending = below(2) == 0;
  const bool filtered = below(3) != 0;
  const std::string statement =
      fmt::format("SELECT * FROM {} WHERE {}{}{}", kStatements, text, filtered ? " AND " + filter.text : "",
                  descending ? " ORDER BY sk DESC" : "");
  const auto page = static_cast<std::uint32_t>(below(4));
  const auto one =
      store_->execute(statement, filtered ? filter.parameters : std::vector<AttributeValue>{}, {.page_size = page});
  const auto two = store_
                       ->query(kExpressions, {.key = keys,
                                              .filter = filtered ? filter.condition : Condition(),
                                              .descending = descending,
                                              .page_size = page})
                       .all();
  if (std::string difference = compared(statement, one, two, refused_); !difference.empty() || !one) return difference;
  return compared_rows(statement, *one, *two);
}

std::string Twins::select_all() {
  const TwinCondition filter = random_condition();
  const std::string statement = fmt::format("SELECT * FROM {} WHERE {}", kStatements, filter.text);
  const auto one = store_->execute(statement, filter.parameters);
  const auto two = store_->scan(kExpressions, {.filter = filter.condition}).all();
  if (std::string difference = compared(statement, one, two, refused_); !difference.empty() || !one) return difference;
  return compared_rows(statement, *one, *two);
}

std::string Twins::compare_tables() {
  const std::string statement = fmt::format("SELECT * FROM {}", kStatements);
  return compared_rows(statement, store_->execute(statement).value(), store_->scan(kExpressions).all().value());
}

}  // namespace dolmen::twins
