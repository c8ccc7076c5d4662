#include "upkeep/drift_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "contract/model_violations.h"
#include "value/test_items.h"

namespace dolmen::upkeep {
namespace {

constexpr std::string_view kModels = R"(
dms_version: "0.2"
models:
  - name: "User"
    table: { name: "users" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "sk", type: "S", required: true, format: "rfc3339nano" }
      - { attribute: "name", type: "S", required: true }
      - { attribute: "nick", type: "S", optional: true, omit_empty: true }
      - { attribute: "age", type: "N", format: "int", optional: true }
      - { attribute: "weight", type: "N", optional: true }
      - { attribute: "active", type: "BOOL", optional: true }
      - { attribute: "tags", type: "SS", optional: true, omit_empty: true }
      - { attribute: "scores", type: "NS", optional: true }
      - { attribute: "blob", type: "B", binary: true, optional: true }
      - { attribute: "settings", type: "S", json: true, optional: true }
      - { attribute: "document", type: "M", json: true, optional: true }
      - { attribute: "phone", type: "S", optional: true, encryption: {} }
      - { attribute: "seen", type: "S", format: "rfc3339nano", optional: true }
      - { attribute: "since", type: "N", format: "unix_seconds", optional: true }
      - { attribute: "group", type: "S", optional: true, roles: ["index_pk:by-group"] }
      - { attribute: "kept", type: "N", optional: true }
      - { attribute: "created", type: "S", format: "rfc3339nano", roles: ["created_at"] }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
      - { attribute: "ttl", type: "N", format: "unix_seconds", roles: ["ttl"], optional: true, omit_empty: true }
    indexes:
      - { name: "by-group", type: "GSI", partition: { attribute: "group", type: "S" }, projection: { type: "ALL" } }
    write_policy: { mode: "mutable", protected_attributes: ["kept"] }
)";

Item good() {
  return {{"pk", "USER#1"},
          {"sk", "2026-01-05T10:00:00Z"},
          {"name", "Ada"},
          {"created", "2026-01-05T10:00:00.000000000Z"},
          {"version", 0}};
}

Item with(const std::string& name, AttributeValue value) {
  Item item = good();
  item.set(name, std::move(value));
  return item;
}

class Drift : public ::testing::Test {
 protected:
  static DriftRules rules(const DriftOptions& options = {}) {
    const contract::Definition definition{.models = {{.name = "user.yml", .text = std::string(kModels)}}};
    const Model model = parse_models(kModels, "user.yml").value().models.front();
    return DriftRules::make(definition, table_definition(model), options).value();
  }

  /// "rule path -> what it becomes" of all findings.
  static std::string found(const Item& item, const DriftOptions& options = {}) {
    const DriftRules::Verdict verdict = rules(options).check(item).value();
    std::vector<std::string> texts;
    for (const Finding& finding : verdict.findings) {
      std::string text = fmt::format("{} {}", finding.rule, finding.path);
      if (finding.mend == Mend::kSet) text += " -> " + shown(*finding.mended);
      if (finding.mend == Mend::kRemove) text += " -> nothing";
      if (finding.mend == Mend::kEncrypt) text += " -> envelope";
      texts.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(texts, "; "));
  }

  static std::string shown(const AttributeValue& value) {
    if (const std::string* text = value.get_if<std::string>()) return *text;
    if (const Number* number = value.get_if<Number>()) return number->to_string();
    if (const bool* boolean = value.get_if<bool>()) return *boolean ? "true" : "false";
    return std::string(type_name(value.type()));
  }

  std::unique_ptr<KeyProvider> keys_ = deterministic_keys("drift");
};

TEST_F(Drift, finds_nothing_in_an_item_that_is_as_it_should_be) {
  EXPECT_EQ(found(good()), "");
  EXPECT_EQ(found(with("nick", nullptr)), "");
  EXPECT_EQ(found(with("ttl", 1'767'607'200)), "");
  EXPECT_EQ(found(with("settings", "{}")), "");
  EXPECT_EQ(found(with("created", "2026-01-05T12:00:00.5+02:00")), "");
  EXPECT_EQ(found(with("since", -86'400)), "");
}

TEST_F(Drift, finds_what_is_missing_null_or_unknown) {
  Item nameless = good();
  nameless.erase("name");
  EXPECT_EQ(found(nameless), "required name");
  EXPECT_EQ(found(with("name", nullptr)), "null name");
  EXPECT_EQ(found(with("group", nullptr)), "null group");
  EXPECT_EQ(found(with("colour", "red")), "undeclared colour");
  EXPECT_EQ(found(with("Nick", "Countess")), "misnamed Nick");
  Item unversioned = good();
  unversioned.erase("version");
  unversioned.erase("created");
  EXPECT_EQ(found(unversioned), "lifecycle created; lifecycle version");
}

TEST_F(Drift, finds_wrong_types_and_mends_those_with_one_meaning) {
  EXPECT_EQ(found(with("name", 5)), "type name");
  EXPECT_EQ(found(with("age", "42")), "number_as_text age -> 42");
  EXPECT_EQ(found(with("age", "42.5")), "number_as_text age");
  EXPECT_EQ(found(with("weight", "042.50")), "number_as_text weight -> 42.5");
  EXPECT_EQ(found(with("weight", "heavy")), "type weight");
  EXPECT_EQ(found(with("active", "true")), "bool_form active -> true");
  EXPECT_EQ(found(with("active", 0)), "bool_form active -> false");
  EXPECT_EQ(found(with("active", "yes")), "type active");
  EXPECT_EQ(found(with("tags", AttributeValue::List{"a", "b"})), "set_as_list tags -> SS");
  EXPECT_EQ(found(with("tags", AttributeValue::List{})), "set_as_list tags -> nothing");
  EXPECT_EQ(found(with("scores", AttributeValue::List{})), "set_as_list scores -> NULL");
  EXPECT_EQ(found(with("tags", AttributeValue::List{"a", "a"})), "set_as_list tags");
  EXPECT_EQ(found(with("tags", AttributeValue::NumberSet{1})), "type tags");
  EXPECT_EQ(found(with("blob", AttributeValue::List{1, 2})), "bytes_as_list blob -> B");
  EXPECT_EQ(found(with("blob", AttributeValue::List{"x"})), "type blob");
  EXPECT_EQ(found(with("blob", "AAAA")), "type blob");
}

TEST_F(Drift, finds_bad_json) {
  EXPECT_EQ(found(with("settings", "{")), "json settings");
  EXPECT_EQ(found(with("settings", Item{{"a", 1}})), R"(json_as_value settings -> {"a":1})");
  EXPECT_EQ(found(with("settings", Item{{"a", Bytes("x")}})), "json_as_value settings");
  EXPECT_EQ(found(with("document", "{}")), "");
  EXPECT_EQ(found(with("document", 1)), "type document");
}

TEST_F(Drift, finds_bad_times) {
  EXPECT_EQ(found(with("seen", "2026-1-5 10:00")), "time seen");
  EXPECT_EQ(found(with("seen", "2026-01-05 10:00:00 UTC")), "time seen -> 2026-01-05T10:00:00.000000000Z");
  EXPECT_EQ(found(with("seen", 1'767'607'200)), "time_as_number seen -> 2026-01-05T10:00:00.000000000Z");
  EXPECT_EQ(found(with("seen", 12)), "type seen");
  EXPECT_EQ(found(with("created", "0001-01-01T00:00:00Z")), "zero_time created");
  EXPECT_EQ(found(with("seen", "0001-01-01T00:00:00Z")), "");
}

TEST_F(Drift, finds_moments_in_the_wrong_unit_or_form) {
  EXPECT_EQ(found(with("ttl", 1'767'607'200'000)), "milliseconds ttl -> 1767607200");
  EXPECT_EQ(found(with("since", 1'767'607'200'123'456)), "microseconds since -> 1767607200");
  EXPECT_EQ(found(with("ttl", 1'767'607'200'000'000'000)), "nanoseconds ttl -> 1767607200");
  EXPECT_EQ(found(with("ttl", 3'600)), "seconds ttl");
  EXPECT_EQ(found(with("ttl", -5)), "seconds ttl");
  EXPECT_EQ(found(with("ttl", "1767607200")), "seconds_as_text ttl -> 1767607200");
  EXPECT_EQ(found(with("ttl", "2026-01-05T10:00:00Z")), "seconds_as_text ttl -> 1767607200");
  EXPECT_EQ(found(with("ttl", "tomorrow")), "type ttl");
  EXPECT_EQ(found(with("ttl", Number::parse("1767607200.5").value())), "fraction ttl");
}

TEST_F(Drift, finds_numbers_out_of_range) {
  EXPECT_EQ(found(with("version", -1)), "range version");
  EXPECT_EQ(found(with("age", Number::parse("1e30").value())), "range age");
  EXPECT_EQ(found(with("weight", Number::parse("1e30").value())), "");
}

TEST_F(Drift, finds_plain_text_and_bad_envelopes) {
  const KeyPurpose purpose{.model = "User", .attribute = "phone"};
  const AttributeValue envelope = seal("+33", purpose, *keys_).value();
  EXPECT_EQ(found(with("phone", "+33")), "plaintext phone");
  EXPECT_EQ(found(with("phone", "+33"), {.keys = keys_.get()}), "plaintext phone -> envelope");
  EXPECT_EQ(found(with("phone", 33), {.keys = keys_.get()}), "plaintext phone");
  EXPECT_EQ(found(with("phone", envelope), {.keys = keys_.get()}), "");
  Item damaged = envelope.map();
  damaged.erase("nonce");
  EXPECT_EQ(found(with("phone", damaged)), "envelope phone");
  Item changed = envelope.map();
  changed.set("ct", Bytes(std::string(40, 'x')));
  EXPECT_EQ(found(with("phone", changed)), "");
  EXPECT_EQ(found(with("phone", changed), {.keys = keys_.get()}), "undecryptable phone");
  EXPECT_EQ(found(with("phone", seal(5, purpose, *keys_).value()), {.keys = keys_.get()}), "encrypted_type phone");
}

TEST_F(Drift, says_nothing_of_values_that_are_to_be_encrypted) {
  const DriftRules::Verdict verdict = rules().check(with("phone", "+33 2 98")).value();
  EXPECT_EQ(verdict.findings.front().message.find("98"), std::string::npos);
}

TEST_F(Drift, does_not_mend_keys_and_protected_attributes) {
  EXPECT_EQ(found(with("sk", "2026-01-05 10:00:00Z")), "time sk");
  EXPECT_EQ(found(with("kept", "5")), "number_as_text kept");
}

TEST_F(Drift, is_strict_about_forms_when_it_is_asked) {
  const DriftOptions strict{.strict = true};
  EXPECT_EQ(found(with("created", "2026-01-05T12:00:00.5+02:00"), strict),
            "time_form created -> 2026-01-05T10:00:00.500000000Z; time_form sk");
  EXPECT_EQ(found(with("sk", "2026-01-05T10:00:00.000000000Z"), strict), "");
  Item empty = with("sk", "2026-01-05T10:00:00.000000000Z");
  empty.set("nick", "");
  empty.set("ttl", 0);
  EXPECT_EQ(found(empty, strict), "empty nick -> nothing; empty ttl -> nothing");
}

TEST_F(Drift, knows_items_of_several_models_by_their_keys) {
  const contract::Definition definition{
      .models = {{.name = "user.yml", .text = std::string(kModels)}},
      .kinds = {{.model = "User", .schema = {}, .partition_prefix = "USER#", .sort_prefix = {}, .value = {}}}};
  const Model model = parse_models(kModels, "user.yml").value().models.front();
  const DriftRules rules = DriftRules::make(definition, table_definition(model), {}).value();
  EXPECT_TRUE(rules.check(good()).value().findings.empty());
  const DriftRules::Verdict verdict = rules.check(with("pk", "ORDER#1")).value();
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings.front().rule, "kind");
  EXPECT_EQ(verdict.model, nullptr);
}

TEST_F(Drift, a_mended_item_has_nothing_that_can_be_mended) {
  RandomItems items(test_seed("drift mending"));
  const Model model = parse_models(kModels, "user.yml").value().models.front();
  const DriftRules strict = rules({.strict = true});
  for (int i = 0; i < 2'000; ++i) {
    Item item = good();
    const Item random = items.item();
    // Values of any kind under the names of the model.
    std::size_t at = static_cast<std::size_t>(i);
    for (const auto& [name, value] : random) item.set(model.attributes[at++ % model.attributes.size()].name, value);
    item.set("pk", "USER#1");
    item.set("sk", "2026-01-05T10:00:00Z");
    const DriftRules::Verdict verdict = strict.check(item).value();
    // Whatever the contract refuses is found.
    for (const ErrorDetail& violation : contract::model_violations(model, item))
      ASSERT_TRUE(
          std::ranges::any_of(verdict.findings, [&](const Finding& finding) { return finding.path == violation.path; }))
          << violation.path << " " << violation.message;
    for (const Finding& finding : verdict.findings) {
      if (finding.mend == Mend::kSet) item.set(finding.path, *finding.mended);
      if (finding.mend == Mend::kRemove) item.erase(finding.path);
    }
    const DriftRules::Verdict again = strict.check(item).value();
    for (const Finding& finding : again.findings)
      ASSERT_EQ(finding.mend, Mend::kNothing) << finding.rule << " " << finding.path;
  }
}

}  // namespace
}  // namespace dolmen::upkeep
