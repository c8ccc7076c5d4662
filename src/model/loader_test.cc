#include "model/loader.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tuple>

#include "base/test_result.h"
#include "config/read.h"

// Section 1: reading and checking DMS files. The files of tests/models/broken stand beside what is said of them.
namespace dolmen {
namespace {

constexpr const char* kHead = R"(dms_version: "0.1"
models:
  - name: "M"
    table: { name: "tab" }
    keys:
      partition: { attribute: "pk", type: "S" }
    attributes:
      - { attribute: "pk", type: "S" }
)";

/// The rules that a file breaks, in its order.
std::string rules(const std::string& text, std::string_view file_name = "m.yml") {
  std::string out;
  for (const config::Problem& problem : read_models(text, file_name).problems)
    out += (out.empty() ? "" : " ") + problem.rule;
  return out;
}

/// The rules broken by a good model with one more line.
std::string with(const std::string& line) { return rules(kHead + line); }

std::string report(const std::string& file) {
  const Result<std::string> text = config::read_file(file);
  std::string out;
  for (const config::Problem& problem : read_models(text.value(), file).problems)
    out += fmt::format("{}:{}: {}\n", problem.position.line, problem.position.column, problem.message);
  return out;
}

TEST(ModelFiles, broken_ones_are_reported_as_written_beside_them) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/models/broken")) {
    std::filesystem::path file = entry.path();
    if (file.extension() == ".txt") continue;
    const std::string found = report(file.string());
    EXPECT_EQ(found, config::read_file(file.replace_extension(".txt")).value_or("")) << entry.path();
    EXPECT_FALSE(found.empty()) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(ModelFiles, good_ones_say_what_they_say) {
  const ModelSet set = load_models("tests/models/user.yml").value();
  EXPECT_EQ(set.namespace_name, "acme.accounts");
  ASSERT_EQ(set.models.size(), 2U);
  const Model& user = *set.find("User");
  EXPECT_EQ(user.table, "users");
  EXPECT_EQ(user.naming, NamingConvention::kCamelCase);
  EXPECT_EQ(user.partition_key, (KeyAttribute{"PK", KeyType::kString}));
  EXPECT_EQ(user.sort_key, (KeyAttribute{"SK", KeyType::kString}));
  EXPECT_EQ(user.with_role(Role::kVersion)->name, "version");
  EXPECT_EQ(user.with_role(Role::kTtl)->format, AttributeFormat::kUnixSeconds);
  EXPECT_TRUE(user.has_encrypted_attributes());
  EXPECT_TRUE(user.find("phone")->encrypted);
  EXPECT_TRUE(user.find("settings")->json);
  EXPECT_EQ(user.find("tags")->type, Type::kStringSet);
  EXPECT_EQ(role_text(user.find("emailHash")->roles.at(0)), "index_pk:gsi-email");
  EXPECT_EQ(user.find_index("lsi-created")->projection, ProjectionType::kInclude);
  EXPECT_EQ(user.find_index("lsi-created")->included_attributes, std::vector<std::string>{"nickname"});
  EXPECT_EQ(set.find("nobody"), nullptr);
  for (const Model& model : set.models) EXPECT_THAT(check_model(model), succeeds());

  const TableDefinition table = table_definition(user);
  EXPECT_EQ(table.local_indexes.at(0).sort_keys.at(0).name, "createdAt");
  EXPECT_EQ(table.global_indexes.at(0).partition_keys.at(0).name, "emailHash");
}

TEST(ModelFiles, are_the_same_in_json_and_in_yaml) {
  const std::string json = R"({"dms_version": "0.1", "models": [{"name": "M", "table": {"name": "tab"},
    "keys": {"partition": {"attribute": "pk", "type": "S"}}, "attributes": [{"attribute": "pk", "type": "S"}]}]})";
  const ModelSet set = parse_models(kHead, "m.yml").value();
  EXPECT_EQ(parse_models(json, "m.json"), set);
  EXPECT_EQ(parse_models(json, "m.yml"), set);
}

TEST(ModelFiles, tell_all_mistakes_at_once_with_their_places) {
  const Result<ModelSet> set = load_models("tests/models/broken/naming.yml");
  EXPECT_THAT(set, fails_with(Code::kInvalidModel));
  ASSERT_EQ(set.error().details().size(), 5U);
  EXPECT_EQ(set.error().details()[0].path, "models[0].attributes[1].attribute");
  EXPECT_EQ(set.error().details()[0].rule, "naming.convention");
  EXPECT_EQ(set.error().details()[0].message,
            "tests/models/broken/naming.yml:11:20: attribute \"email_hash\" breaks naming.convention camelCase (try "
            "\"emailHash\")");
}

TEST(ModelFiles, that_cannot_be_read_say_why) {
  EXPECT_EQ(load_models("tests/models/none.yml").error().message(),
            "cannot read tests/models/none.yml: No such file or directory");
  EXPECT_THAT(load_models("tests/models"), fails_with(Code::kIo));
}

TEST(DmsVersion, section_1_2_is_exactly_the_string) {
  for (const char* version : {"0.1", "0.2", "\"0.1.0\"", "\"0.3\"", "0", "null", "[]"})
    EXPECT_NE(rules(fmt::format("dms_version: {}\nmodels: [1]", version)), "shape") << version;
  EXPECT_EQ(rules("dms_version: '0.1'\nmodels: [1]"), "shape");
  EXPECT_EQ(rules("dms_version: '0.2'\nmodels: [1]"), "shape");
  EXPECT_EQ(rules("DMS_VERSION: '0.1'\nmodels: [1]"), "required known_names shape");
}

TEST(DmsFile, section_1_2_has_a_map_at_its_root_and_models) {
  EXPECT_EQ(rules(""), "yaml");
  EXPECT_EQ(rules("text"), "shape");
  EXPECT_EQ(rules("[]"), "shape");
  EXPECT_EQ(rules("dms_version: '0.1'"), "required");
  EXPECT_EQ(rules("dms_version: '0.1'\nmodels: []"), "required");
  EXPECT_EQ(rules("dms_version: '0.1'\nmodels:\n"), "required");
  EXPECT_EQ(rules("dms_version: '0.1'\nmodels: {}"), "shape");
}

TEST(DmsFile, section_1_2_refuses_wrong_types) {
  EXPECT_EQ(with("      - { attribute: 'a', type: 'S', optional: 'true' }\n"), "shape");
  EXPECT_EQ(with("      - { attribute: 'a', type: 'S', optional: yes }\n"), "scalar");
  EXPECT_EQ(with("      - { attribute: 'a', type: NULL }\n"), "scalar");
  EXPECT_EQ(with("      - { attribute: 'a', type: 'S', tags: [] }\n"), "shape");
  EXPECT_EQ(with("      - { attribute: 'a', type: 's' }\n"), "choice");
  EXPECT_EQ(with("    naming: { convention: 'PascalCase' }\n"), "choice");
  EXPECT_EQ(with("    naming: {}\n"), "required");
}

TEST(DmsFile, section_1_2_names_the_field_that_was_probably_meant) {
  const auto attribute = [](const std::string& more) {
    const auto problems =
        read_models(kHead + ("      - { attribute: 'a', type: 'S', " + more + " }\n"), "m.yml").problems;
    return problems.empty() ? "" : problems.front().message;
  };
  EXPECT_EQ(attribute("omitempty: true"), "\"omitempty\" means nothing in an attribute; write omit_empty");
  EXPECT_EQ(attribute("Required: true"), "\"Required\" means nothing in an attribute; write required");
  EXPECT_EQ(attribute("encrypted: {}"), "\"encrypted\" means nothing in an attribute; write encryption");
  EXPECT_EQ(attribute("note: 1"), "\"note\" means nothing in an attribute; remove it, or put it into tags");
  EXPECT_EQ(attribute("tags: { any: [1] }"), "");
  // Elsewhere other names may stand, as long as they are not mistaken for those of DMS.
  EXPECT_EQ(with("    owner: { team: 'x' }\n    title: 'M'\n"), "");
  EXPECT_EQ(with("    indexs: []\n"), "known_names");
  EXPECT_EQ(with("    KEYS: 1\n    Name: 2\n"), "known_names known_names");
}

TEST(DmsFile, keeps_tags_and_encryption_for_programs) {
  const std::string text =
      std::string(kHead) +
      "      - { attribute: 'a', type: 'S', encryption: { key: 'k1' }, tags: { pii: true, n: [1, null] } }\n"
      "      - { attribute: 'b', type: 'S', encryption: {} }\n";
  const Model model = parse_models(text, "m.yml").value().models.front();
  EXPECT_EQ(model.find("a")->encryption, (LogicalItem{{"key", "k1"}}));
  EXPECT_EQ(model.find("a")->tags, (LogicalItem{{"pii", true}, {"n", LogicalValue::List{1, nullptr}}}));
  EXPECT_TRUE(model.find("b")->encrypted);
}

TEST(DmsDocument, is_a_file_that_says_the_same) {
  for (const char* file : {"tests/models/user.yml", "tests/models/hard_names.yml", "tests/models/release.yml",
                           "contract/models/sample.yml", "contract/models/isr_cache.yml"}) {
    const ModelSet set = load_models(file).value();
    const std::string json = canonical_json(dms_document(set)).value();
    EXPECT_EQ(parse_models(json, "shown.json"), set) << file << "\n" << json;
  }
}

TEST(Dms02, has_write_policies_native_json_and_the_convention_dynamorm) {
  const ModelSet set = load_models("tests/models/release.yml").value();
  EXPECT_EQ(set.dms_version, DmsVersion::k0_2);
  const Model& actual = *set.find("ReleaseActual");
  EXPECT_EQ(actual.dms_version, DmsVersion::k0_2);
  EXPECT_EQ(actual.write_policy, (WritePolicy{.protected_attributes = {"pinnedReleaseId"}}));
  EXPECT_EQ(set.find("ReleaseEvent")->write_policy.mode, WriteMode::kWriteOnce);
  EXPECT_EQ(set.find("ReleaseEvent")->naming, NamingConvention::kDynamorm);
  for (const Model& model : set.models) EXPECT_THAT(check_model(model), succeeds());
}

TEST(Dms02, is_needed_for_what_only_it_has) {
  const auto v2 = [](const std::string& lines) {
    std::string text = kHead + lines;
    text.replace(text.find("0.1"), 3, "0.2");
    return rules(text);
  };
  const std::string once = "    write_policy: { mode: 'write_once' }\n";
  EXPECT_EQ(with(once), "dms_version");
  EXPECT_EQ(v2(once), "");
  EXPECT_EQ(v2("    write_policy: { protected_attributes: ['pk', 'none', 'pk'] }\n"), "write_policy write_policy");
  EXPECT_EQ(v2("    write_policy: { mode: 'immutable' }\n"), "choice");
  EXPECT_EQ(v2("    write_policy: { modus: 'write_once' }\n"), "known_names");
  EXPECT_EQ(with("    naming: { convention: 'dynamorm' }\n"), "dms_version");
  EXPECT_EQ(v2("    naming: { convention: 'dynamorm' }\n"), "");
  for (const char* type : {"S", "N", "BOOL", "NULL", "L", "M"})
    EXPECT_EQ(v2(fmt::format("      - {{ attribute: 'a', type: '{}', json: true }}\n", type)), "") << type;
  for (const char* type : {"B", "SS", "NS", "BS"})
    EXPECT_EQ(v2(fmt::format("      - {{ attribute: 'a', type: '{}', json: true }}\n", type)), "json_type") << type;
}

TEST(DmsFile, section_1_2_row_by_row) {
  const auto value = [](const std::string& text) { return with("    owner: " + text + "\n"); };
  EXPECT_EQ(value("{ a: &x 1, b: *x }"), "anchor alias");
  EXPECT_EQ(value("{ <<: { a: 1 } }"), "merge_key");
  for (const char* tagged : {"!foo bar", "!!str 12", "!!binary aGk=", "!!set { a }"}) EXPECT_EQ(value(tagged), "tag");
  for (const char* date : {"2020-01-01", "2020-01-01T00:00:00Z", "2001-12-14 21:59:43.10 -5"})
    EXPECT_EQ(value(date), "scalar") << date;
  for (const char* text : {"null", "\"yes\"", "\"2020-01-01\"", "true", "0.5", "1.0e+3"})
    EXPECT_EQ(value(text), "") << text;
  for (const char* text :
       {"yes", "no", "on", "off", "1:30", "1_000", "~", "NULL", "1e3", "010", "0o10", "0x1F", ".inf", "-.inf", ".nan"})
    EXPECT_EQ(value(text), "scalar") << text;
  EXPECT_EQ(value("{ a: 1, a: 2 }"), "unique_names");
  for (const char* name : {"{ 1: a }", "{ ~: a }", "{ true: a }", "{ [1]: a }"})
    EXPECT_EQ(value(name), "string_names") << name;
  EXPECT_EQ(rules(kHead + std::string("---\nmodels: []\n")), "one_document");
  EXPECT_EQ(rules("%YAML 1.1\n---\n" + std::string(kHead)), "directive");
  EXPECT_EQ(with("\towner: 1\n"), "yaml");
}

TEST(DmsRules, section_1_3_row_by_row) {
  const auto attribute = [](const std::string& more) { return with("      - { attribute: 'a', " + more + " }\n"); };
  const auto index = [](const std::string& more) {
    return with(
        "      - { attribute: 'a', type: 'N' }\n      - { attribute: 's', type: 'S', encryption: {} }\n"
        "    indexes:\n      - { name: 'idx', " +
        more + " }\n");
  };
  EXPECT_EQ(attribute("type: 'S'"), "");
  EXPECT_EQ(attribute("type: 'X'"), "choice");
  EXPECT_EQ(attribute("required: true"), "required");
  EXPECT_EQ(attribute("type: 'S', required: true, optional: true"), "required_or_optional");
  EXPECT_EQ(attribute("type: 'M', json: true"), "json_type");
  EXPECT_EQ(attribute("type: 'S', binary: true"), "binary_type");
  EXPECT_EQ(attribute("type: 'S', format: 'date'"), "choice");
  EXPECT_EQ(attribute("type: 'N', format: 'rfc3339nano'"), "format");
  EXPECT_EQ(attribute("type: 'S', format: 'int'"), "format");
  EXPECT_EQ(attribute("type: 'N', format: 'decimal_string'"), "");
  EXPECT_EQ(attribute("type: 'S', format: 'decimal_string'"), "format");
  EXPECT_EQ(attribute("type: 'S', roles: ['owner']"), "choice");
  EXPECT_EQ(attribute("type: 'S', roles: ['pk']"), "role_key");
  EXPECT_EQ(attribute("type: 'S', roles: ['sk']"), "role_key");
  EXPECT_EQ(attribute("type: 'S', roles: ['index_pk:none']"), "role_index");
  EXPECT_EQ(attribute("type: 'S', roles: ['version']"), "role_type");
  EXPECT_EQ(attribute("type: 'S', roles: ['ttl']"), "role_type");
  EXPECT_EQ(attribute("type: 'N', roles: ['created_at']"), "role_type");
  EXPECT_EQ(attribute("type: 'N', roles: ['updated_at']"), "role_type");
  EXPECT_EQ(attribute("type: 'N', roles: ['ttl', 'ttl']"), "unique_roles");
  EXPECT_EQ(with("      - { attribute: 'pk', type: 'S' }\n"), "unique_attributes");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 'a', type: 'N' }"), "");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 'a', type: 'S' }"), "key_type");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 'b', type: 'S' }"), "keys");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 's', type: 'S' }"), "encrypted_key");
  EXPECT_EQ(index("type: 'ISI', partition: { attribute: 'a', type: 'N' }"), "choice");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 'a', type: 'N' }, projection: { type: 'INCLUDE' }"),
            "projection");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 'a', type: 'N' }, projection: { type: 'SOME' }"), "choice");
  EXPECT_EQ(index("type: 'GSI', partition: { attribute: 'a', type: 'N' }, projection: { type: 'ALL', fields: ['s'] }"),
            "projection");
  // A local index has the table's partition, and both have a sort key.
  EXPECT_EQ(index("type: 'LSI', partition: { attribute: 'a', type: 'N' }"), "local_index local_index local_index");
  std::string twice = kHead;
  twice += twice.substr(twice.find("  - name"));
  EXPECT_EQ(rules(twice), "unique_models");
  for (const auto& [from, to, rule] :
       {std::tuple("name: \"M\"", "name: \"  \"", "required"), std::tuple("name: \"tab\"", "name: \" \"", "required"),
        std::tuple("\"pk\", type: \"S\" }\n    attr", "\"pk\", type: \"N\" }\n    attr", "key_type"),
        std::tuple("\"pk\", type: \"S\" }\n    attr", "\"no\", type: \"S\" }\n    attr", "keys")}) {
    std::string text = kHead;
    text.replace(text.find(from), std::string_view(from).size(), to);
    EXPECT_EQ(rules(text), rule) << to;
  }
}

TEST(DmsRules, names_are_such_as_aws_takes) {
  const auto table = [](const std::string& name) {
    std::string text = kHead;
    text.replace(text.find("name: \"tab\""), 11, "name: \"" + name + "\"");
    return rules(text);
  };
  EXPECT_EQ(table("a.b-C_9"), "");
  EXPECT_EQ(table("ab"), "name_length");
  EXPECT_EQ(table(std::string(256, 'a')), "name_length");
  EXPECT_EQ(table("a b"), "name_characters");
  const auto index = [](const std::string& name, const std::string& fields) {
    return with("      - { attribute: 'a', type: 'S' }\n    indexes:\n      - { name: '" + name +
                "', type: 'GSI', partition: { attribute: 'a', type: 'S' }, projection: { type: 'INCLUDE', fields: [" +
                fields + "] } }\n");
  };
  EXPECT_EQ(index("by-a", "x"), "");
  EXPECT_EQ(index("by", "x"), "name_length");
  EXPECT_EQ(index("by a", "x"), "name_characters");
  EXPECT_EQ(index("by-a", "x, z, x"), "projection");
  EXPECT_EQ(index("by-a", "''"), "projection");
  EXPECT_EQ(index("by-a", std::string(256, 'x')), "projection");
  std::string many;
  for (int i = 0; i < 21; ++i) many += fmt::format("{}f{}", i == 0 ? "" : ", ", i);
  EXPECT_EQ(index("by-a", many), "projection");
  Model model = parse_models(kHead, "m.yml").value().models.front();
  const std::string key(256, 'k');
  model.partition_key.name = key;
  model.attributes.front().name = key;
  EXPECT_THAT(check_model(model), fails_with(Code::kInvalidModel));
}

TEST(DmsRules, section_1_3_encryption_that_is_null_is_absent) {
  EXPECT_EQ(with("      - { attribute: 'a', type: 'S', encryption: null }\n"), "");
  EXPECT_EQ(with("      - { attribute: 'a', type: 'S', encryption: false }\n"), "shape");
  EXPECT_EQ(with("      - { attribute: 'a', type: 'NS', encryption: {} }\n"), "");
}

/// A model in C++ that breaks nothing.
Model note() {
  return {.name = "Note",
          .table = "notes",
          .partition_key = {"pk", KeyType::kString},
          .sort_key = KeyAttribute{"sk", KeyType::kNumber},
          .attributes = {{.name = "pk", .type = Type::kString}, {.name = "sk", .type = Type::kNumber}}};
}

std::string broken(const Model& model) {
  const Result<void> checked = check_model(model);
  if (checked) return "";
  EXPECT_THAT(checked, fails_with(Code::kInvalidModel));
  std::string out;
  for (const ErrorDetail& detail : checked.error().details()) out += (out.empty() ? "" : " ") + detail.rule;
  return out;
}

TEST(ModelInCpp, section_1_3_obeys_the_rules_of_files) {
  EXPECT_EQ(broken(note()), "");
  Model model = note();
  model.name = "  ";
  model.table = "";
  EXPECT_EQ(broken(model), "required required");

  model = note();
  model.attributes.clear();
  EXPECT_EQ(broken(model), "required");

  model = note();
  model.sort_key->name = "pk";
  EXPECT_EQ(broken(model), "key_type keys");

  model = note();
  model.attributes.resize(1001, {.name = "x", .type = Type::kString});
  EXPECT_NE(broken(model).find("count"), std::string::npos);

  model = note();
  for (int i = 0; i < 6; ++i)
    model.indexes.push_back({.name = fmt::format("idx{}", i),
                             .type = IndexType::kLocal,
                             .partition_key = {"pk", KeyType::kString},
                             .sort_key = KeyAttribute{"sk", KeyType::kNumber}});
  EXPECT_EQ(broken(model), "count");
  EXPECT_EQ(check_model(model).error().details()[0].message, "a table has at most 5 local indexes");

  model = note();
  model.attributes.push_back({.name = "", .type = Type::kString});
  model.attributes.push_back({.name = std::string(65536, 'a'), .type = Type::kString});
  EXPECT_EQ(broken(model), "required name_length");
}

TEST(Naming, section_1_3_follows_the_expressions_of_the_specification) {
  const auto name = [](NamingConvention naming, std::string attribute) {
    Model model = note();
    model.naming = naming;
    model.attributes.push_back({.name = std::move(attribute), .type = Type::kString});
    const Result<void> checked = check_model(model);
    return checked ? "" : checked.error().details().front().message;
  };
  using enum NamingConvention;
  for (const char* good : {"a", "aB9", "PK", "SK", "emailHASH"}) EXPECT_EQ(name(kCamelCase, good), "") << good;
  for (const char* good : {"a", "a1_b2", "a_1", "a1"}) EXPECT_EQ(name(kSnakeCase, good), "") << good;
  for (const char* good : {"PK", "a_", "9", "-"}) EXPECT_EQ(name(kNone, good), "") << good;
  const auto suggestion = [&](NamingConvention naming, const char* attribute) {
    const std::string message = name(naming, attribute);
    const std::size_t at = message.find("(try \"");
    return at == std::string::npos ? message.substr(message.size() - 9)
                                   : message.substr(at + 6, message.size() - at - 8);
  };
  EXPECT_EQ(suggestion(kCamelCase, "email_hash"), "emailHash");
  EXPECT_EQ(suggestion(kCamelCase, "EmailHash"), "emailHash");
  EXPECT_EQ(suggestion(kCamelCase, "USER-id"), "userId");
  EXPECT_EQ(suggestion(kCamelCase, "9"), "rename it");
  EXPECT_EQ(suggestion(kSnakeCase, "emailHash"), "email_hash");
  EXPECT_EQ(suggestion(kSnakeCase, "PK"), "pk");
  EXPECT_EQ(suggestion(kSnakeCase, "userID"), "user_id");
  EXPECT_EQ(suggestion(kSnakeCase, "HTTPCode"), "http_code");
  EXPECT_EQ(suggestion(kSnakeCase, "a__b"), "a_b");
}

}  // namespace
}  // namespace dolmen
