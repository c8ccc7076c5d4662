// Users by a model: written once, checked whenever an item is written, and the same in every language.
//
//     example_users [models.yml] [directory | memory: | http://127.0.0.1:8000 | aws:eu-west-1]

#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/model/table.h>
#include <set>
#include <string>

namespace db = dolmen;

namespace {

// The same could stand in a file that other languages read as well; see tests/models/user.yml.
constexpr const char* kModels = R"(
dms_version: "0.1"
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
      - { attribute: "emailHash", type: "S", optional: true }
      - { attribute: "nickname", type: "S", optional: true, omit_empty: true }
      - { attribute: "tags", type: "SS", optional: true, omit_empty: true }
      - { attribute: "createdAt", type: "S", format: "rfc3339nano", roles: ["created_at"] }
      - { attribute: "updatedAt", type: "S", format: "rfc3339nano", roles: ["updated_at"] }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
    indexes:
      - { name: "gsi-email", type: "GSI", partition: { attribute: "emailHash", type: "S" } }
)";

struct User {
  std::string pk;
  std::string sk;
  std::string email_hash;
  std::string nickname;
  std::set<std::string> tags;
  std::string created_at;
  std::string updated_at;
  std::int64_t version = 0;
};
DOLMEN_RECORD(User, (pk, "PK"), (sk, "SK"), (email_hash, "emailHash"), nickname, tags, (created_at, "createdAt"),
              (updated_at, "updatedAt"), version);

int report(const db::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  for (const db::ErrorDetail& detail : error.details()) std::fprintf(stderr, "  %s\n", detail.message.c_str());
  return 1;
}

db::Result<void> run(const db::ModelSet& models, db::Store& store) {
  const db::Model* model = models.find("User");
  if (model == nullptr) return std::unexpected(db::Error(db::Code::kInvalidArgument, "the file has no model User"));
  DOLMEN_TRY(db::Table<User> users, db::Table<User>::open(store, *model));
  DOLMEN_TRY_VOID(users.items().ensure_table());

  // Times and the version are filled in.
  User ada{.pk = "USER#1", .sk = "PROFILE", .email_hash = "hash_abc", .nickname = "Ada"};
  DOLMEN_TRY_VOID(users.put(ada));
  User elsewhere = ada;

  ada.nickname = "Countess";
  DOLMEN_TRY_VOID(users.update(ada, {&User::nickname}));
  std::printf("%s is at version %d\n", ada.nickname.c_str(), static_cast<int>(ada.version));

  // Somebody who still has the old version loses.
  elsewhere.nickname = "Augusta";
  if (const db::Result<void> late = users.update(elsewhere, {&User::nickname}); !late)
    std::printf("%s: %s\n", elsewhere.nickname.c_str(),
                std::string(db::portable_error_name(late.error().code())).c_str());

  DOLMEN_TRY(const auto page, users.query().index("gsi-email").partition("hash_abc").descending().limit(25).page());
  for (const User& user : page.items) std::printf("found %s\n", user.nickname.c_str());
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const db::Result<db::ModelSet> models = argc > 1 ? db::load_models(argv[1]) : db::parse_models(kModels, "users.yml");
  if (!models) return report(models.error());
  const auto store = db::open(argc > 2 ? argv[2] : "memory:");
  if (!store) return report(store.error());
  const db::Result<void> done = run(*models, **store);
  return done ? 0 : report(done.error());
}
