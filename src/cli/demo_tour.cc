#include "cli/demo_tour.h"

#include <array>

#include "cli/demo_samples.h"

namespace dolmen::cli {
namespace {

constexpr std::string_view kDemoModelText = R"file(dms_version: "0.1"
namespace: "acme.accounts"
models:
  - name: "User"
    table: { name: "users" }
    naming: { convention: "camelCase" }
    keys:
      partition: { attribute: "PK", type: "S" }
      sort: { attribute: "SK", type: "S" }
    attributes:
      - { attribute: "PK", type: "S", required: true, roles: ["pk"] }
      - { attribute: "SK", type: "S", required: true, roles: ["sk"] }
      - { attribute: "emailHash", type: "S", optional: true, omit_empty: true, roles: ["index_pk:gsi-email"] }
      - { attribute: "nickname", type: "S", optional: true, omit_empty: true }
      - { attribute: "createdAt", type: "S", format: "rfc3339nano", roles: ["created_at"] }
      - { attribute: "updatedAt", type: "S", format: "rfc3339nano", roles: ["updated_at"] }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
      - { attribute: "ttl", type: "N", format: "unix_seconds", roles: ["ttl"], optional: true, omit_empty: true }
    indexes:
      - name: "gsi-email"
        type: "GSI"
        partition: { attribute: "emailHash", type: "S" }
        projection: { type: "ALL" }
)file";

constexpr std::string_view kDemoEntitiesText =
    R"file(# Users and their e-mails in one table. There is one shard for each kind at first; from 2024 on users have 16, from
# 2025 on 256.
hashKey: pk
rangeKey: sk
entities:
  user:
    timestampProperty: created
    uniqueProperty: userId
    shardBumps:
      - {timestamp: 1704067200000, charBits: 4, chars: 1}
      - {timestamp: 1735689600000, charBits: 4, chars: 2}
  email:
    timestampProperty: created
    uniqueProperty: email
generatedProperties:
  sharded:
    userPK: [userId]
  unsharded:
    lastNameRK: [lastNameCanonical, firstNameCanonical]
indexes:
  created: {hashKey: pk, rangeKey: created}
  lastName: {hashKey: pk, rangeKey: lastNameRK}
  userCreated: {hashKey: userPK, rangeKey: created, projections: []}
propertyTranscodes:
  created: timestamp
  email: string
  firstNameCanonical: string
  lastNameCanonical: string
  userId: string
)file";

constexpr std::string_view kDemoTypesText = R"file(domain: pp
ids: any
types:
  - name: System
    account: none
  - name: System.Account
    account: self
    parents: [System]
    unique: [{ key: name, normalise: casefold }]
  - name: System.User
    unique: [{ key: email, normalise: casefold }]
  - name: System.Account.Team
    account: required
    parents: [System.Account]
  - name: System.Account.Job
    account: required
    unique: [{ key: code, per_account: true }]
    schema_version: 2
    upcasters:
      "1": [{ rename: { name: title } }, { default: { state: open } }]
)file";

constexpr std::string_view kDemoSchemaText = R"file({
  "schema_id": "articles",
  "schema_version": "v1",
  "description": "Articles of a small magazine",
  "fields": {
    "_id": {"type": "string", "required": true},
    "title": {"type": "string", "required": true},
    "words": {"type": "int", "required": false},
    "tags": {"type": "array", "required": false, "element_type": {"type": "string"}}
  }
}
)file";

constexpr std::array kDemoItems{
    DemoCommand{.line = "table create notes --key topic:S,written:N --index by-author:author,written --ttl expires "
                        "--stream new-and-old-images"},
    DemoCommand{.line =
                    R"(item put notes '{"topic": "dolmen", "written": 1, "author": "ada", "text": "stone table"}')"},
    DemoCommand{.line =
                    R"(item put notes '{"topic": "dolmen", "written": 2, "author": "bob", "tags": ["old", "stone"]}')"},
    DemoCommand{.line =
                    R"(item put notes '{"topic": "menhir", "written": 3, "author": "ada", "expires": 1893456000}')"},
    DemoCommand{.line =
                    R"(item put notes '{"topic": "menhir", "written": 4, "author": "eve", "expires": 1893456000000}')"},
    DemoCommand{.line = R"(query notes --where 'topic = "dolmen" AND written >= 1')"},
    DemoCommand{.line = R"(query notes --index by-author --where 'author = "ada"' --select topic,text)"},
};

constexpr std::array kDemoStatements{
    DemoCommand{.line = "SELECT topic, written FROM notes WHERE topic = 'menhir'"},
    DemoCommand{
        .line = R"(item update notes '{"topic": "dolmen", "written": 1}' --add views=1 --if 'text = "stone table"')"},
    DemoCommand{
        .line = R"(item update notes '{"topic": "dolmen", "written": 1}' --set 'text="lost"' --if 'views > 10')",
        .expected = kFailed},
};

constexpr std::array kDemoModels{
    DemoCommand{.line = "model check models"},
    DemoCommand{.line = "model apply models"},
    DemoCommand{.line = "contract bind --table users --version v1 --models models/user.yml"},
    DemoCommand{.line = R"(item put users '{"PK": "USER#1", "SK": "PROFILE", "nickname": 42}')", .expected = kFailed},
};

constexpr std::array kDemoShop{
    DemoCommand{.line = "import shop --from shop.jsonl"},
    DemoCommand{.line = "contract bind --table shop --version v1 --mode warn --models models/shop.yml --sort-prefix "
                        "Customer=PROFILE --sort-prefix Order=ORDER#"},
    DemoCommand{.line = R"(query shop --where 'pk = "CUSTOMER#3"')"},
};

constexpr std::array kDemoEntities{
    DemoCommand{.line = "entity check entities.yml"},
    DemoCommand{.line = "entity migrate --config entities.yml --table app"},
    DemoCommand{
        .line =
            R"(entity put user '{"userId": "ada", "created": 1700000000000, "lastNameCanonical": "lovelace"}' --config entities.yml --table app)"},
    DemoCommand{
        .line =
            R"(entity put user '{"userId": "grace", "created": 1710000000000, "lastNameCanonical": "hopper"}' --config entities.yml --table app)"},
    DemoCommand{.step = DemoStep::kPutUsers},
    DemoCommand{.line = "entity query user --index lastName --range 'lastNameCanonical begins_with lo' --config "
                        "entities.yml --table app"},
};

constexpr std::array kDemoRelations{
    DemoCommand{.line = "relation bind company.yml"},
    DemoCommand{.line = "relation create System --types company.yml --id main --set name=Company"},
    DemoCommand{.line = "relation create System.Account --types company.yml --id acme --parent urn:pp:System::main "
                        "--unique name=Acme"},
    DemoCommand{.line = "relation create System.Account.Team --types company.yml --id paint --parent "
                        "urn:pp:System.Account::acme --set name=Painters"},
    DemoCommand{.line = "relation create System.Account.Team --types company.yml --id roof --parent "
                        "urn:pp:System.Account::acme --set name=Roofers"},
    DemoCommand{.line = "relation create System.Account.Job --types company.yml --id j1 --parent "
                        "urn:pp:System.Account.Team::paint --unique code=J1 --set 'title=Paint the fence'"},
    DemoCommand{.line = "relation create System.Account.Job --types company.yml --id j2 --parent "
                        "urn:pp:System.Account.Team::paint --unique code=J2 --set 'title=Paint the gate'"},
    DemoCommand{.line = "relation create System.User --types company.yml --id ada --unique email=ada@example.org "
                        "--set name=Ada"},
    DemoCommand{.line = "relation join urn:pp:System.User::ada urn:pp:System.Account.Team::paint --conveys --types "
                        "company.yml"},
    DemoCommand{.line = "relation create System.Account --types company.yml --id copy --unique name=ACME",
                .expected = kFailed},
    DemoCommand{.line = "relation tree urn:pp:System::main --types company.yml"},
    DemoCommand{.line = "relation delete urn:pp:System.Account::acme --types company.yml --dry-run"},
};

constexpr std::array kDemoDocuments{
    DemoCommand{.line = "schema publish schemas/articles.json"},
    DemoCommand{.line = "document create-index words --schema articles --version v1"},
    DemoCommand{
        .line = R"(document insert --schema articles --version v1 '{"_id": "a1", "title": "Stones", "words": 812}')"},
    DemoCommand{
        .line = R"(document insert --schema articles --version v1 '{"_id": "a2", "titel": "Stones", "words": "many"}')",
        .expected = kFailed},
    DemoCommand{.line = "document import articles.jsonl --schema articles --version v1"},
    DemoCommand{.line = "schema publish schemas/articles2.json"},
    DemoCommand{.line = R"(document insert --schema articles --version v2 '{"_id": "a6", "title": "Passage graves", )"
                        R"("words": 960, "author": {"name": "Ada"}}')"},
    DemoCommand{.line =
                    R"(document query --schema articles --version v1 --filter '{"words": {"$gte": 100}}' --limit 10)"},
};

constexpr std::array kDemoPages{
    DemoCommand{.line = "lease acquire nightly --create-table --table cache"},
    DemoCommand{.line = "table update cache --stream new-and-old-images"},
    DemoCommand{.line = "lease acquire report --table cache --seconds 86400"},
    DemoCommand{.line = "lease status nightly --table cache"},
    DemoCommand{.step = DemoStep::kPublishPages},
    DemoCommand{.line = "isr mark-stale /prices"},
    DemoCommand{.line = "isr list"},
    DemoCommand{.line = "isr status /news"},
};

constexpr std::array kDemoChanges{
    DemoCommand{.line = "stream tail notes --oldest --limit 3"},
};

constexpr std::array kDemoVectors{
    DemoCommand{.line = "table create stones --key id --vector by_look:look:6:cosine,filter=kind"},
    DemoCommand{.line = "import stones --from stones.jsonl"},
    DemoCommand{.line = R"(vector search stones by_look --near '{"id": "menhir-01"}' --select id,kind --top 5)"},
};

constexpr std::array kDemoBackups{
    DemoCommand{.step = DemoStep::kKeepHistory},
    DemoCommand{.line = "backup create backups", .own_store = true},
    DemoCommand{.line = "backup list backups", .own_store = true},
};

constexpr std::array kDemoDoctor{
    DemoCommand{.line = "doctor notes", .expected = kFailed},
};

constexpr std::array kDemoChapters{
    DemoChapter{"Tables and items: a sort key, an index, a time to live and a stream", kDemoItems},
    DemoChapter{"Statements and conditions", kDemoStatements},
    DemoChapter{"Models, and a table that only takes items which fit", kDemoModels},
    DemoChapter{"Several kinds in one table, and some items that do not fit", kDemoShop},
    DemoChapter{"Entities, spread over shards", kDemoEntities},
    DemoChapter{"Relations: families, unique values, deletes that resume", kDemoRelations},
    DemoChapter{"Documents that fit their schema, or do not exist", kDemoDocuments},
    DemoChapter{"Leases, and pages that regenerate", kDemoPages},
    DemoChapter{"Vectors: more like this", kDemoVectors},
    DemoChapter{"Changes of the last 24 hours", kDemoChanges},
    DemoChapter{"Points in time, and backups", kDemoBackups},
    DemoChapter{"A check-up: one of the notes expires in milliseconds", kDemoDoctor},
};

}  // namespace

std::span<const DemoFile> demo_files() {
  static const std::array files{DemoFile{"models/user.yml", kDemoModelText},
                                DemoFile{"models/shop.yml", demo_shop_models()},
                                DemoFile{"shop.jsonl", demo_shop_items()},
                                DemoFile{"entities.yml", kDemoEntitiesText},
                                DemoFile{"company.yml", kDemoTypesText},
                                DemoFile{"schemas/articles.json", kDemoSchemaText},
                                DemoFile{"schemas/articles2.json", demo_articles_v2()},
                                DemoFile{"articles.jsonl", demo_articles()},
                                DemoFile{"stones.jsonl", demo_stones()}};
  return files;
}
std::span<const DemoChapter> demo_chapters() { return kDemoChapters; }

}  // namespace dolmen::cli
