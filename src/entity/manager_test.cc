#include "dolmen/entity/manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "entity/test_configs.h"

namespace dolmen {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

Item ada() { return {{"userId", "ada"}, {"created", 500}, {"lastName", "Lovelace"}, {"firstName", "Ada"}}; }

TEST(EntityManager, makes_keys_by_the_bump_of_the_entitys_time) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  Item item = ada();
  EXPECT_EQ(entities.add_keys("user", item)->at("pk").string(), "user!");
  item.set("created", 1000);
  const Item record = entities.add_keys("user", item).value();
  EXPECT_EQ(record.at("pk").string().size(), std::string("user!f").size());
  EXPECT_EQ(record.at("sk").string(), "userId#ada");
  EXPECT_EQ(record.at("userPK").string(), record.at("pk").string() + "|userId#ada");
  EXPECT_EQ(record.at("lastNameRK").string(), "lastName#Lovelace|firstName#Ada");
  EXPECT_EQ(entities.remove_keys("user", record).value(), item);
  EXPECT_EQ(entities.primary_key("user", item).value(), (Item{{"pk", record.at("pk")}, {"sk", "userId#ada"}}));
}

/// The item with the attributes that a record has besides, set one after the other.
Item with_keys_of(const Item& record, Item item, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    item.erase(name);
    if (const AttributeValue* key = record.find(name)) item.set(name, *key);
  }
  return item;
}

TEST(EntityManager, puts_each_key_at_its_place_among_any_attributes) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  // Many begin with the same eight bytes as a key; some are a key.
  const std::vector<std::string> others = {"a",           "lastNam",     "lastNameR", "lastNameRK", "lastNameRKs",
                                           "lastNameQQQ", "pk",          "pkk",       "scoreR",     "scoreRK",
                                           "sk",          "userCreated", "userP",     "userPK",     "zzz"};
  std::mt19937_64 random(test_seed("keys"));
  for (int i = 0; i < 2'000; ++i) {
    Item item{{"userId", "ada"}, {"created", 1500}};
    if (random() % 2 == 0) item.set("lastName", "Lovelace");
    for (const std::string& name : others)
      if (random() % 2 == 0) item.set(name, "user!7");
    const bool overwrite = random() % 2 == 0;
    const Item record = entities.add_keys("user", item, overwrite).value();
    ASSERT_EQ(record, with_keys_of(record, item, {"pk", "sk", "userPK", "lastNameRK", "scoreRK"}));
    const bool keeps = !overwrite && item.contains("lastNameRK");
    const std::string last_name = item.contains("lastName") ? "Lovelace" : "";
    ASSERT_EQ(record.at("lastNameRK").string(), keeps ? "user!7" : "lastName#" + last_name + "|firstName#");
    ASSERT_EQ(record.at("sk").string(), !overwrite && item.contains("sk") ? "user!7" : "userId#ada");
  }
}

TEST(EntityManager, removes_a_sharded_key_that_cannot_be_made_when_it_overwrites) {
  EntityConfig config = users_and_emails();
  config.sharded.push_back({"emailPK", {"email"}});
  const EntityManager entities = EntityManager::make(config).value();
  Item item = ada();
  item.set("emailPK", "user!|email#a");
  EXPECT_TRUE(entities.add_keys("user", item)->contains("emailPK"));
  EXPECT_FALSE(entities.add_keys("user", item, true)->contains("emailPK"));
}

TEST(EntityManager, makes_keys_of_values_of_any_size) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  for (const std::size_t size : {100U, 1'000U, 2'000U, 5'000U, 100'000U}) {
    const std::string name(size, 'x');
    Item item = ada();
    item.set("userId", name);
    item.set("lastName", name);
    const Item record = entities.add_keys("user", item).value();
    EXPECT_EQ(record.at("sk").string(), "userId#" + name);
    EXPECT_EQ(record.at("userPK").string(), "user!|userId#" + name);
    EXPECT_EQ(record.at("lastNameRK").string(), "lastName#" + name + "|firstName#Ada");
    EXPECT_EQ(record.at("lastName").string(), name);
  }
}

TEST(EntityManager, names_what_an_item_lacks) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  const auto result = entities.add_keys("user", {{"userId", "ada"}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result, fails_with(Code::kInvalidEntity));
  EXPECT_EQ(result.error().message(), "missing item timestamp property");
  EXPECT_EQ(result.error().details().at(0).path, "created");
  EXPECT_EQ(entities.add_keys("nobody", ada()).error().message(), "invalid entity token");
}

TEST(EntityManager, refuses_values_that_could_not_be_read_back_unless_told_otherwise) {
  const EntityManager strict = EntityManager::make(users_and_emails()).value();
  const EntityManager loose = EntityManager::make(users_and_emails(), {.strict = false}).value();
  for (const char* bad : {"a|b", "a#b", "a!b", ""}) {
    Item item = ada();
    item.set("userId", bad);
    EXPECT_THAT(strict.add_keys("user", item), fails_with(Code::kInvalidEntity)) << bad;
    EXPECT_THAT(loose.add_keys("user", item), succeeds()) << bad;
  }
  Item item = ada();
  item.set("lastName", "Love|lace");
  EXPECT_THAT(strict.add_keys("user", item).error().message(), HasSubstr("lastName contains the delimiter \"|\""));
  item.set("lastName", 5);
  EXPECT_THAT(strict.add_keys("user", item).error().message(), HasSubstr("does not fit its transcode"));
  item = ada();
  item.set("score", Number::parse("12345678901234567890123").value());
  EXPECT_THAT(strict.add_keys("user", item).error().message(), HasSubstr("score does not fit"));
}

TEST(EntityManager, finds_a_delimiter_wherever_it_stands) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  for (std::size_t size = 1; size <= 40; ++size) {
    const std::string good(size, '"');
    Item item = ada();
    item.set("userId", good);
    EXPECT_THAT(entities.add_keys("user", item), succeeds()) << size;
    for (std::size_t at = 0; at < size; ++at)
      for (const char delimiter : {'|', '#', '!'}) {
        std::string bad = good;
        bad[at] = delimiter;
        item.set("userId", bad);
        ASSERT_FALSE(entities.add_keys("user", item)) << bad;
        EXPECT_EQ(entities.add_keys("user", item).error().message(),
                  std::string("userId contains the delimiter \"") + delimiter + "\"");
      }
  }
}

TEST(EntityManager, refuses_what_page_tokens_could_not_hold) {
  EntityConfig config = users_and_emails();
  config.indexes.push_back({.name = "title", .hash_key = "pk", .range_key = "title"});
  config.indexes.push_back({.name = "price", .hash_key = "pk", .range_key = "price"});
  config.property_transcodes.push_back({"title", "string"});
  config.property_transcodes.push_back({"price", "fix6"});
  const EntityManager entities = EntityManager::make(config).value();
  const auto refusal = [&](const char* property, AttributeValue value) {
    Item item = ada();
    item.set(property, std::move(value));
    const auto result = entities.add_keys("user", std::move(item));
    return result ? "" : result.error().message();
  };
  EXPECT_EQ(refusal("title", "a#b!c"), "");
  EXPECT_EQ(refusal("title", ""), "");
  EXPECT_EQ(refusal("title", "a|b"), "title contains the delimiter \"|\"");
  EXPECT_EQ(refusal("title", 7), "title does not fit its transcode");
  EXPECT_EQ(refusal("price", Number::parse("1.234567").value()), "");
  EXPECT_EQ(refusal("price", Number::parse("1.2345675").value()), "price does not fit its transcode");
}

TEST(EntityManager, refuses_fractions_where_there_are_big_integers) {
  for (const char* transcode : {"bigint", "bigint20"}) {
    EntityConfig config = users_and_emails();
    for (PropertyTranscode& one : config.property_transcodes)
      if (one.property == "score") one.transcode = transcode;
    const EntityManager entities = EntityManager::make(config).value();
    Item item = ada();
    item.set("score", Number::parse("12345678901234567890").value());
    EXPECT_EQ(entities.add_keys("user", item)->at("scoreRK").string(), "score#12345678901234567890|created#500");
    for (const char* bad : {"1.5", "0.00001", "-0.5"}) {
      item.set("score", Number::parse(bad).value());
      EXPECT_EQ(entities.add_keys("user", item).error().message(), "score does not fit its transcode") << bad;
    }
  }
}

TEST(EntityManager, finds_a_delimiter_outside_ascii) {
  EntityConfig config = users_and_emails();
  config.generated_key_delimiter = "§";
  const EntityManager entities = EntityManager::make(config).value();
  Item item = ada();
  for (const char* bad : {"§", "Smith§", "a name that is longer than one block§"}) {
    item.set("lastName", bad);
    EXPECT_EQ(entities.add_keys("user", item).error().message(), "lastName contains the delimiter \"§\"") << bad;
  }
  item.set("lastName", "Größe");
  EXPECT_THAT(entities.add_keys("user", item), succeeds());
}

TEST(EntityManager, refuses_what_makes_a_delimiter_with_the_one_that_follows) {
  EntityConfig config = users_and_emails();
  config.generated_key_delimiter = "||";
  const EntityManager entities = EntityManager::make(config).value();
  Item item = ada();
  item.set("lastName", "a|b");
  EXPECT_EQ(entities.add_keys("user", item)->at("lastNameRK").string(), "lastName#a|b||firstName#Ada");
  for (const char* bad : {"a|", "|", "a||b"}) {
    item.set("lastName", bad);
    EXPECT_EQ(entities.add_keys("user", item).error().message(), "lastName contains the delimiter \"||\"") << bad;
  }
}

TEST(EntityManager, refuses_absurd_shard_spaces_by_a_named_limit) {
  EntityConfig config = users_and_emails();
  config.entities[0].shard_bumps = {{.timestamp = 0, .char_bits = 5, .chars = 40}};
  const EntityManager entities = EntityManager::make(config).value();
  const auto space = entities.hash_key_space("user", "pk");
  ASSERT_FALSE(space);
  EXPECT_THAT(space, fails_with(Code::kLimitExceeded));
  EXPECT_THAT(space.error().message(), HasSubstr("1048576"));
  EXPECT_THAT(entities.add_keys("user", ada()), succeeds());
}

TEST(EntityManager, uses_the_old_modulus_only_when_asked) {
  EntityConfig config = users_and_emails();
  config.entities[0].shard_bumps = {{.timestamp = 0, .char_bits = 4, .chars = 2}};
  const EntityManager entities = EntityManager::make(config).value();
  const EntityManager legacy = EntityManager::make(config, {.legacy_modulus = true}).value();
  std::set<std::string> shards;
  std::set<std::string> legacy_shards;
  for (int i = 0; i < 5000; ++i) {
    const Item item{{"userId", std::to_string(i)}, {"created", 1}};
    shards.insert(entities.primary_key("user", item)->at("pk").string());
    legacy_shards.insert(legacy.primary_key("user", item)->at("pk").string());
  }
  EXPECT_EQ(shards.size(), 256U);
  EXPECT_EQ(legacy_shards.size(), 32U);
}

TEST(EntityManager, reads_elements_in_the_form_in_which_they_are_written) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  EXPECT_EQ(entities.decode_generated_property("score#12|created#5").value(), (Item{{"score", 12}, {"created", 5}}));
  const EntityManager published = EntityManager::make(users_and_emails(), {.read_raw_elements = false}).value();
  EXPECT_EQ(published.decode_generated_property("score#12|created#5").error().message(), "invalid encoded int");
}

TEST(EntityManager, takes_transcodes_of_the_users_own) {
  EntityConfig config = users_and_emails();
  config.property_transcodes.push_back({"level", "upper"});
  config.indexes.push_back({.name = "level", .hash_key = "pk", .range_key = "level"});
  const Transcode upper{
      .name = "upper",
      .encode = [](const EntityValue& value) -> Result<std::string> { return "^" + std::get<std::string>(value); },
      .decode = [](std::string_view text) -> Result<EntityValue> { return std::string(text.substr(1)); }};
  EXPECT_FALSE(EntityManager::make(config));
  const EntityManager entities = EntityManager::make(config, {.transcodes = {upper}}).value();
  EXPECT_EQ(entities.dehydrate_index_item("user", "level", {{"level", "x"}, {"userId", "u"}}).value(), "^x|u");
  EXPECT_EQ(entities.rehydrate_index_item("user", "level", "^x|u").value(), (Item{{"level", "x"}, {"userId", "u"}}));
}

TEST(EntityConfig, reports_every_mistake_with_its_place) {
  const auto result = parse_entity_config(
      "hashKey: pk\nrangeKey: pk\nentities:\n  user: {timestampProperty: nope, uniqueProperty: id}\n"
      "propertyTranscodes: {id: strong}\n",
      "entities.yml");
  ASSERT_FALSE(result);
  EXPECT_THAT(result, fails_with(Code::kInvalidEntityConfig));
  std::vector<std::string> paths;
  for (const ErrorDetail& detail : result.error().details()) paths.push_back(detail.path);
  EXPECT_THAT(paths, ElementsAre("", "propertyTranscodes.id", "entities.user.timestampProperty"));
  EXPECT_THAT(result.error().details(), Contains(Field(&ErrorDetail::message, HasSubstr("entities.yml:4:"))));
}

TEST(EntityConfig, checks_what_is_written_in_cpp_by_the_same_rules) {
  EntityConfig config = users_and_emails();
  config.entities[1].default_limit = 0;
  config.indexes[0].projections = std::vector<std::string>{"sk"};
  const auto result = check_entity_config(config);
  ASSERT_FALSE(result);
  std::vector<std::string> paths;
  for (const ErrorDetail& detail : result.error().details()) paths.push_back(detail.path);
  EXPECT_THAT(paths, ElementsAre("entities.email.defaultLimit", "indexes.created.projections"));
  config = users_and_emails();
  config.entities.push_back(config.entities[0]);
  config.throttle = 0;
  const std::vector<ErrorDetail> details = check_entity_config(config).error().details();
  EXPECT_THAT(details, Contains(Field(&ErrorDetail::message, HasSubstr("the name is declared twice: \"user\""))));
  EXPECT_THAT(details, Contains(Field(&ErrorDetail::path, "throttle")));
}

TEST(EntityConfig, refuses_transcodes_without_functions) {
  const auto result = check_entity_config(users_and_emails(), {.transcodes = {{.name = "own"}}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().details(), ElementsAre(Field(&ErrorDetail::path, "transcodes.own.encode"),
                                                    Field(&ErrorDetail::path, "transcodes.own.decode")));
}

TEST(EntityConfig, refuses_names_with_delimiters_only_when_strict) {
  EntityConfig config = users_and_emails();
  config.entities[1].name = "e!mail";
  EXPECT_EQ(check_entity_config(config).error().details().at(0).path, "entities.e!mail");
  EXPECT_THAT(check_entity_config(config, {.strict = false}), succeeds());
}

TEST(EntityManager, tells_its_logger_what_it_does_and_what_fails) {
  std::vector<std::string> done;
  std::vector<std::string> failed;
  const auto keep = [](std::vector<std::string>& lines) {
    return [&lines](const EntityLogEntry& entry) {
      lines.push_back(std::string(entry.operation) + " " + std::string(entry.subject) + ": " + entry.message);
    };
  };
  const EntityManager entities =
      EntityManager::make(users_and_emails(), {.logger = {.debug = keep(done), .error = keep(failed)}}).value();
  ASSERT_TRUE(entities.add_keys("email", {{"email", "a"}, {"created", 5}}));
  ASSERT_TRUE(entities.hash_key_space("user", "pk", {}, {.to = 1500}));
  ASSERT_FALSE(entities.add_keys("user", {{"userId", "ada"}}));
  ASSERT_FALSE(entities.query({.entity = "nobody"}));
  EXPECT_THAT(done,
              ElementsAre(HasSubstr(R"(addKeys email: {"created":{"N":"5"})"), "getHashKeySpace user: 17 in all"));
  EXPECT_THAT(failed,
              ElementsAre("addKeys user: missing item timestamp property", "query nobody: invalid entity token"));
}

}  // namespace
}  // namespace dolmen
