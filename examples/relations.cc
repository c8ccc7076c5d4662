// Accounts, users and jobs in one table. Run it with the address of a store, such as ./data; without one it keeps
// everything in memory.
#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/relation/relations.h>
#include <string>

namespace db = dolmen;

namespace {

db::Result<db::ResourceTypes> company_types() {
  db::ResourceTypes types;
  DOLMEN_TRY_VOID(types.add({.name = "System.Account",
                             .account = db::AccountScope::kSelf,
                             .unique = {{.key = "name", .normaliser = db::Normaliser::kCaseFold}}}));
  DOLMEN_TRY_VOID(
      types.add({.name = "System.User", .unique = {{.key = "email", .normaliser = db::Normaliser::kCaseFold}}}));
  DOLMEN_TRY_VOID(types.add({.name = "System.Account.Team", .account = db::AccountScope::kRequired}));
  DOLMEN_TRY_VOID(types.add({.name = "System.Account.Job",
                             .account = db::AccountScope::kRequired,
                             .unique = {{.key = "code", .per_account = true}}}));
  return types;
}

db::Result<void> run_company(db::Relations& graph) {
  DOLMEN_TRY(const db::Resource account, graph.create({.type = "System.Account", .unique = {{"name", "Acme"}}}));
  DOLMEN_TRY(
      const db::Resource team,
      graph.create({.type = "System.Account.Team", .parent = account.urn, .attributes = {{"name", "Painters"}}}));
  DOLMEN_TRY(const db::Resource ada,
             graph.create({.type = "System.User",
                           .unique = {{"email", "ada@example.org"}},
                           .collections = {{.collection = team.urn, .conveys_authorization = true}}}));
  DOLMEN_TRY(const db::Resource job, graph.create({.type = "System.Account.Job",
                                                   .parent = team.urn,
                                                   .attributes = {{"title", "Paint the fence"}},
                                                   .unique = {{"code", "J1"}}}));

  // Nobody else can be Acme, whatever the case.
  const db::Result<db::Resource> copy = graph.create({.type = "System.Account", .unique = {{"name", "ACME"}}});
  if (const auto* conflict = copy ? nullptr : copy.error().payload<db::UniqueConflict>())
    std::printf("taken by %s\n", conflict->owner.value_or("a reservation").c_str());

  // Two people edit the same job; the second one hears about it.
  DOLMEN_TRY_VOID(graph.update({.urn = job.urn, .set = {{"state", "done"}}, .if_updated_at = job.updated_at}));
  const db::Result<db::Resource> late =
      graph.update({.urn = job.urn, .set = {{"state", "open"}}, .if_updated_at = job.updated_at});
  if (!late) std::printf("too late: %s\n", std::string(db::code_name(late.error().code())).c_str());

  // From where grants reach Ada: herself, her team, its account.
  DOLMEN_TRY(const std::vector<std::string> path, graph.authorization_path(ada.urn));
  for (const std::string& urn : path) std::printf("grants on %s\n", urn.c_str());

  DOLMEN_TRY(const db::RemoveResult plan, graph.remove(account.urn, {.dry_run = true}));
  std::printf("%d resources would go\n", static_cast<int>(plan.count.resources));
  DOLMEN_TRY_VOID(graph.remove(account.urn));
  DOLMEN_TRY_VOID(graph.remove(ada.urn));
  return {};
}

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const auto store = db::open(argument_count > 1 ? arguments[1] : "memory:");
  if (!store) return report(store.error());
  const db::Result<db::ResourceTypes> types = company_types();
  if (!types) return report(types.error());
  db::Result<db::Relations> graph = db::Relations::open(**store, "company", *types);
  if (!graph) return report(graph.error());
  if (const db::Result<void> done = run_company(*graph); !done) return report(done.error());
}
