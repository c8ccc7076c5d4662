#include "cli/examples.h"

namespace dolmen::cli {
namespace {

using Examples = std::map<std::string, std::vector<std::string>>;

const Examples& of_upkeep() {
  static const Examples kExamples{
      {"serve", {"dolmen serve --data ./data", "dolmen serve --memory --port 0", "dolmen serve --config dolmen.yaml"}},
      {"config show", {"dolmen config show --config dolmen.yaml"}},
      {"access create",
       {"dolmen access create --file access.yaml --role admin",
        "dolmen access create --file access.yaml --role read-write --tables 'orders*'"}},
      {"access list", {"dolmen access list --file access.yaml"}},
      {"access revoke", {"dolmen access revoke DLMNEXAMPLE --file access.yaml"}},
      {"tls self-signed", {"dolmen tls self-signed --name localhost --name 127.0.0.1"}},
      {"backup create", {"dolmen backup create ./backups", "dolmen backup create --endpoint http://127.0.0.1:8000"}},
      {"backup list", {"dolmen backup list ./backups"}},
      {"backup verify", {"dolmen backup verify ./backups"}},
      {"backup restore", {"dolmen backup restore ./backups --data ./restored"}},
      {"fork", {"dolmen fork ./data ./trial"}},
      {"verify", {"dolmen verify --data ./data", "dolmen verify --endpoint http://127.0.0.1:8000 --json"}},
      {"repair", {"dolmen repair ./data ./repaired"}},
      {"backup prune", {"dolmen backup prune ./backups --keep 7"}},
      {"explain get", {R"(dolmen explain get notes --key '{"topic": "a", "written": 1}')"}},
      {"explain query", {R"(dolmen explain query notes --key-condition 'topic = :t' --values '{":t": "a"}')"}},
      {"explain scan", {"dolmen explain scan notes"}},
      {"explain statement", {R"(dolmen explain statement 'SELECT * FROM notes WHERE topic = ?' --parameters '["a"]')"}},
      {"shell", {"dolmen shell", R"(dolmen shell --endpoint http://127.0.0.1:8000 --command "SELECT * FROM notes")"}},
      {"doctor", {"dolmen doctor", "dolmen doctor notes --endpoint http://127.0.0.1:8000 --json"}},
      {"bench",
       {"dolmen bench --memory", "dolmen bench --endpoint http://127.0.0.1:8000 --connections 32 --seconds 10"}},
      {"demo", {"dolmen demo", "dolmen demo --to ./tour"}},
      {"completion", {"source <(dolmen completion bash)"}},
      {"help", {"dolmen help table create"}},
  };
  return kExamples;
}

const Examples& of_tables() {
  static const Examples kExamples{
      {"table list", {"dolmen table list --endpoint http://127.0.0.1:8000"}},
      {"table create",
       {"dolmen table create notes --key topic:S,written:N",
        "dolmen table create notes --key id --index by-author:author,written:N --project by-author=keys --ttl "
        "expires",
        "dolmen table create docs --key id --vector by_meaning:meaning:384:cosine,hash=tenant,filter=year:N"}},
      {"table describe", {"dolmen table describe notes --json"}},
      {"table update",
       {"dolmen table update notes --stream new-and-old-images", "dolmen table update notes --index by-day:day:N"}},
      {"table delete", {"dolmen table delete notes --yes"}},
      {"table copy", {"dolmen table copy notes notes-before"}},
      {"table diff", {"dolmen table diff notes notes --in http://127.0.0.1:8000"}},
      {"item get", {R"(dolmen item get notes '{"topic": "a", "written": 1}')"}},
      {"item put",
       {R"(dolmen item put notes '{"topic": "a", "written": 1}' --new)",
        R"(dolmen item put notes '{"topic": {"S": "a"}, "written": {"N": "1"}, "tags": {"SS": ["x"]}}' --typed)"}},
      {"item update",
       {R"(dolmen item update notes '{"topic": "a", "written": 1}' --set 'text="new"' --add views=1 --if 'views < 10')"}},
      {"item delete", {R"(dolmen item delete notes '{"topic": "a", "written": 1}')"}},
      {"query",
       {R"(dolmen query notes --where 'topic = "a" AND written >= 1')",
        R"(dolmen query notes --index by-author --where 'author = "ada" AND begins_with(text, "st")' --descending --limit 10)"}},
      {"scan", {"dolmen scan notes --where 'size(tags) > 2' --select topic,tags", "dolmen scan notes --count"}},
      {"vector search",
       {R"(dolmen vector search docs by_meaning --vector '[1, 0, 0]' --where 'tenant = "t1"' --select id --top 5)",
        R"(dolmen vector search docs by_meaning --near '{"id": "a"}' --where 'tenant = "t1"' --explain)"}},
      {"vector stats", {"dolmen vector stats docs by_meaning --sample 100"}},
      {"sql",
       {R"(dolmen sql "SELECT * FROM notes WHERE topic = 'a'")",
        R"(dolmen sql 'SELECT * FROM notes WHERE topic = ? AND written > ?' --value '"a"' --value 0)",
        R"(dolmen sql "INSERT INTO notes VALUE {'topic': 'a', 'written': 3}")"}},
      {"import",
       {"dolmen import notes --from notes.jsonl --dry-run",
        "dolmen import notes --from notes.jsonl --resume notes.position --rejected rejected.jsonl",
        "dolmen import notes --from notes.csv", "dolmen import notes --from AWSDynamoDB/01693685827463-2d8752fd"}},
      {"export",
       {"dolmen export notes --to notes.jsonl --typed", "dolmen export notes --to - | head",
        "dolmen export notes --to notes-export --format aws"}},
      {"copy",
       {"dolmen copy notes --from ./data --to http://127.0.0.1:8000",
        "dolmen copy notes --from ./data --to aws:eu-west-1 --follow"}},
      {"stream tail", {"dolmen stream tail notes", "dolmen stream tail notes --oldest --idle 1"}},
  };
  return kExamples;
}

const Examples& of_models() {
  static const Examples kExamples{
      {"model check", {"dolmen model check models"}},
      {"model show", {"dolmen model show models/user.yml"}},
      {"model diff", {"dolmen model diff models --endpoint http://127.0.0.1:8000"}},
      {"model apply",
       {"dolmen model apply models --dry-run", "dolmen model apply models --endpoint http://127.0.0.1:8000"}},
      {"model compat", {"dolmen model compat old.yml new.yml"}},
      {"model generate", {"dolmen model generate --lang cpp models/user.yml --output models/user.h"}},
      {"scenario run", {"dolmen scenario run --models scenarios/models --scenarios scenarios"}},
      {"contract bind", {"dolmen contract bind --table notes --version v1 --models notes.yml --dry-run"}},
      {"contract status", {"dolmen contract status"}},
      {"contract unbind", {"dolmen contract unbind --table notes"}},
      {"drift",
       {"dolmen drift --table users --model models/user.yml",
        "dolmen drift --table users --model models/user.yml --endpoint aws:eu-west-1 --rate 50 --resume users.position "
        "--html drift.html",
        "dolmen drift --table users --model models/user.yml --fix --dry-run"}},
      {"keys create", {"dolmen keys create users.keys"}},
      {"keys list", {"dolmen keys list users.keys"}},
      {"keys rotate", {"dolmen keys rotate users.keys"}},
      {"keys rewrap",
       {"dolmen keys rewrap --table users --model models/user.yml --keys users.keys --dry-run",
        "dolmen keys rewrap --table users --model models/user.yml --keys users.keys --to-keys kms:alias/users --resume "
        "rewrap.position"}},
      {"lease acquire", {"dolmen lease acquire nightly --create-table"}},
      {"lease refresh", {"dolmen lease refresh nightly --token TOKEN"}},
      {"lease release", {"dolmen lease release nightly --token TOKEN"}},
      {"lease status", {"dolmen lease status nightly"}},
      {"lease run",
       {"dolmen lease run nightly --create-table -- ./report.sh", "dolmen lease run nightly --wait 60 -- ./report.sh"}},
      {"isr status", {"dolmen isr status '/news?page=2'"}},
      {"isr list", {"dolmen isr list --state stale"}},
      {"isr mark-stale", {"dolmen isr mark-stale '/news?page=2'", "dolmen isr mark-stale --tag news"}},
      {"isr versions", {"dolmen isr versions '/news?page=2'"}},
      {"isr restore", {"dolmen isr restore '/news?page=2' v1"}},
      {"isr purge", {"dolmen isr purge '/news?page=2' --bodies ./bodies"}},
      {"isr sweep", {"dolmen isr sweep --bodies ./bodies --dry-run"}},
      {"entity check", {"dolmen entity check entities.yml"}},
      {"entity plan", {"dolmen entity plan entities.yml"}},
      {"entity generate", {"dolmen entity generate entities.yml"}},
      {"entity migrate", {"dolmen entity migrate --config entities.yml --table app"}},
      {"entity get", {"dolmen entity get user ada --config entities.yml --table app"}},
      {"entity put",
       {R"(dolmen entity put user '{"userId": "ada", "created": 1700000000000}' --config entities.yml --table app)"}},
      {"entity update",
       {"dolmen entity update user ada --set lastNameCanonical=king --config entities.yml --table app"}},
      {"entity remove", {"dolmen entity remove user ada --config entities.yml --table app"}},
      {"entity query",
       {"dolmen entity query user --index lastName --range 'lastNameCanonical begins_with lo' --config entities.yml "
        "--table app"}},
  };
  return kExamples;
}

const Examples& of_relations() {
  static const Examples kExamples{
      {"relation bind", {"dolmen relation bind company.yml"}},
      {"relation create",
       {"dolmen relation create System.Account --types company.yml --id acme --parent urn:pp:System::main --unique "
        "name=Acme"}},
      {"relation get", {"dolmen relation get urn:pp:System.Account::acme"}},
      {"relation list", {"dolmen relation list --type System.Account"}},
      {"relation update", {"dolmen relation update urn:pp:System.Account::acme --set state=closed"}},
      {"relation reassign",
       {"dolmen relation reassign urn:pp:System.Account.Job::j1 --account urn:pp:System.Account::acme"}},
      {"relation reserve", {"dolmen relation reserve System.Account name Acme --types company.yml"}},
      {"relation release", {"dolmen relation release System.Account name Acme"}},
      {"relation transfer", {"dolmen relation transfer System.Account name Acme --to urn:pp:System.Account::acme"}},
      {"relation find", {"dolmen relation find System.Account name Acme"}},
      {"relation values", {"dolmen relation values System.Account name"}},
      {"relation attach", {"dolmen relation attach urn:pp:System.Account.Team::paint urn:pp:System.Account::acme"}},
      {"relation detach", {"dolmen relation detach urn:pp:System.Account.Team::paint"}},
      {"relation parent", {"dolmen relation parent urn:pp:System.Account.Team::paint"}},
      {"relation children", {"dolmen relation children urn:pp:System.Account::acme --limit 100"}},
      {"relation ancestors", {"dolmen relation ancestors urn:pp:System.Account.Job::j1"}},
      {"relation descendants", {"dolmen relation descendants urn:pp:System.Account::acme"}},
      {"relation join", {"dolmen relation join urn:pp:System.User::ada urn:pp:System.Account.Team::paint --conveys"}},
      {"relation leave", {"dolmen relation leave urn:pp:System.User::ada urn:pp:System.Account.Team::paint"}},
      {"relation members", {"dolmen relation members urn:pp:System.Account.Team::paint"}},
      {"relation collections", {"dolmen relation collections urn:pp:System.User::ada"}},
      {"relation account", {"dolmen relation account urn:pp:System.Account::acme"}},
      {"relation authorization", {"dolmen relation authorization urn:pp:System.User::ada"}},
      {"relation reach", {"dolmen relation reach urn:pp:System.User::ada"}},
      {"relation tree", {"dolmen relation tree urn:pp:System::main"}},
      {"relation graph", {"dolmen relation graph urn:pp:System::main --svg --output company.svg"}},
      {"relation delete", {"dolmen relation delete urn:pp:System.Account::acme --dry-run"}},
      {"relation purge", {"dolmen relation purge urn:pp:System.Account::acme"}},
      {"relation deletes", {"dolmen relation deletes"}},
      {"relation resume", {"dolmen relation resume"}},
      {"relation rewrite", {"dolmen relation rewrite --below urn:pp:System::main"}},
      {"relation verify", {"dolmen relation verify --all"}},
      {"relation repair", {"dolmen relation repair --all"}},
  };
  return kExamples;
}

const Examples& of_documents() {
  static const Examples kExamples{
      {"schema publish", {"dolmen schema publish users.json"}},
      {"schema validate", {"dolmen schema validate users.json"}},
      {"schema generate", {"dolmen schema generate users.json --lang ts --output generated"}},
      {"schema list", {"dolmen schema list"}},
      {"schema show", {"dolmen schema show users v1"}},
      {"document insert",
       {R"(dolmen document insert --schema users --version v1 '{"_id": "u1", "email": "ada@example.org"}')"}},
      {"document update",
       {R"(dolmen document update --schema users --version v1 '{"_id": "u1", "email": "ada@example.com"}')"}},
      {"document move",
       {R"(dolmen document move --schema users --version v1 --to v2 '{"_id": "u1", "email": "ada@example.com"}')"}},
      {"document delete", {"dolmen document delete u1 --schema users --version v1"}},
      {"document validate", {R"(dolmen document validate --schema users --version v1 '{"_id": "u1"}')"}},
      {"document get", {"dolmen document get u1 --schema users --version v1"}},
      {"document list", {"dolmen document list --schema users --version v1"}},
      {"document query",
       {R"(dolmen document query --schema users --version v1 --filter '{"age": {"$gte": 18}}' --limit 10)"}},
      {"document explain", {R"(dolmen document explain --schema users --version v1 --filter '{"age": {"$gte": 18}}')"}},
      {"document create-index", {"dolmen document create-index age --schema users --version v1"}},
      {"document rebuild-index", {"dolmen document rebuild-index age --schema users --version v1"}},
      {"document drop-index", {"dolmen document drop-index age --schema users --version v1"}},
      {"document indexes", {"dolmen document indexes --schema users --version v1"}},
      {"document import", {"dolmen document import users.jsonl --schema users --version v1"}},
      {"document export",
       {"dolmen document export --schema users --version v1 --to users.jsonl",
        "dolmen document export --all --to backup"}},
      {"document migrate",
       {"dolmen document migrate --schema users --version v1 --to v2 --mapping to_v2.yml --dry-run"}},
  };
  return kExamples;
}

}  // namespace

const std::map<std::string, std::vector<std::string>>& verb_examples() {
  static const Examples kAll = [] {
    Examples all;
    for (const auto& family : {of_tables, of_upkeep, of_models, of_relations, of_documents})
      all.insert(family().begin(), family().end());
    return all;
  }();
  return kAll;
}

}  // namespace dolmen::cli
