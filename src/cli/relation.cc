#include "cli/relation.h"

#include <fmt/format.h>
#include <memory>

#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/relation_flags.h"
#include "config/read.h"

namespace dolmen::cli {
namespace {

using Flags = std::shared_ptr<RelationFlags>;

/// An interrupted delete of a store in a directory is completed by whoever opens it next.
void tell_resumed(Relations& graph) {
  const Result<std::vector<DeleteProgress>> resumed = graph.wait_for_resumed();
  if (!resumed) fmt::print(stderr, "an interrupted delete cannot be completed: {}\n", resumed.error().message());
  if (resumed)
    for (const DeleteProgress& each : *resumed) fmt::print(stderr, "completed {}", progress_text(each));
}

/// Those that are bound to the table; else every type is taken.
Result<ResourceTypes> types_of_table(Store& store, const RelationFlags& flags) {
  Result<std::optional<ResourceTypes>> bound = Relations::bound_types(store, flags.table);
  const bool no_table = !bound && bound.error().code() == Code::kTableNotFound;
  if (!bound && !(no_table && flags.makes_table)) return std::unexpected(bound.error());
  return bound && *bound ? **std::move(bound) : ResourceTypes::undeclared();
}

int bind(const RelationFlags& flags) {
  const auto bound = [&]() -> Result<void> {
    DOLMEN_TRY(const std::string text, config::read_file(flags.types));
    DOLMEN_TRY(const std::unique_ptr<Store> store, open_or_create_store(flags.store));
    return Relations::bind_types(*store, flags.table, text, flags.types);
  }();
  if (!bound) return report(bound.error(), flags.json);
  if (flags.json) return print_json(LogicalItem{{"table", flags.table}}) ? 0 : 1;
  fmt::print("bound {} to {}\n", flags.types, flags.table);
  return 0;
}

Result<RelationAnswer> carry_out(const RelationFlags& flags, const RelationAction& action) {
  std::optional<ResourceTypes> types;
  if (!flags.types.empty()) {
    DOLMEN_TRY(types, ResourceTypes::load(flags.types));
  }
  DOLMEN_TRY(const std::unique_ptr<Store> store,
             flags.makes_table ? open_or_create_store(flags.store) : open_store(flags.store));
  if (!types) {
    DOLMEN_TRY(types, types_of_table(*store, flags));
  }
  DOLMEN_TRY(Relations graph, Relations::open(*store, flags.table, *std::move(types),
                                              {.create_table = flags.makes_table, .resume_deletes = !flags.no_resume}));
  Result<RelationAnswer> answer = action(graph, flags);
  tell_resumed(graph);
  return answer;
}

int run(const RelationFlags& flags, const RelationAction& action) {
  const Result<RelationAnswer> answer = carry_out(flags, action);
  if (!answer) return report(answer.error(), flags.json);
  if (answer->is_printed) return 0;
  if (flags.json) {
    if (!print_json(answer->json)) return 1;
  } else {
    fmt::print("{}", answer->text);
  }
  return answer->good ? 0 : 1;
}

/// One action of the verb, with the flags that all have.
class Action {
 public:
  Action(const Verb& parent, const char* name, const char* help) : verb_(parent.verb(name, help)) {
    verb_.text("--table", flags_->table, "Name of the table").shown_as("NAME");
    verb_
        .text("--types", flags_->types, "File of resource types; without it, those that are bound to the table, or any")
        .shown_as("FILE");
    verb_.flag("--json", flags_->json, "Print JSON");
    verb_.flag("--no-resume", flags_->no_resume, "With --data: do not complete interrupted deletes");
    add_store_flags(verb_, flags_->store);
  }

  Action& required(const char* name, std::string RelationFlags::* member, const char* help) {
    verb_.text(name, (*flags_).*member, help).required();
    return *this;
  }
  Action& text(const char* name, std::string RelationFlags::* member, const char* help) {
    verb_.text(name, (*flags_).*member, help);
    return *this;
  }
  /// Takes one value each time it is given.
  Action& texts(const char* name, std::vector<std::string> RelationFlags::* member, const char* form,
                const char* help) {
    verb_.texts(name, (*flags_).*member, help).shown_as(form);
    return *this;
  }
  Action& flag(const char* name, bool RelationFlags::* member, const char* help) {
    verb_.flag(name, (*flags_).*member, help);
    return *this;
  }
  /// For actions that make sense without a table.
  Action& makes_table() {
    flags_->makes_table = true;
    return *this;
  }
  /// For actions that see to deletes themselves.
  Action& leaves_deletes() {
    flags_->no_resume = true;
    return *this;
  }
  Action& urns() {
    verb_.arguments("URN", flags_->urns, "URNs of resources").required();
    return *this;
  }
  Action& urn() { return required("URN", &RelationFlags::urn, "URN of a resource"); }
  Action& unique() {
    required("TYPE", &RelationFlags::type, "Resource type").required("KEY", &RelationFlags::key, "Unique key");
    return text("--account", &RelationFlags::account, "Account, for keys that are unique per account");
  }
  Action& value() { return unique().required("VALUE", &RelationFlags::value, "Value"); }
  Action& depth() {
    verb_.number("--depth", flags_->depth, "Largest number of levels; 0 for all");
    return *this;
  }
  /// A page of a list that has one direction.
  Action& window() {
    verb_.number("--limit", flags_->limit, "Largest number of results, 1 to 1000", {1, 1000});
    return text("--token", &RelationFlags::token, "Continue after the previous page, which printed the token");
  }
  Action& page() {
    window();
    return flag("--descending", &RelationFlags::descending, "List in descending order");
  }
  /// Links as what they lead to.
  Action& linked() {
    return text("--type", &RelationFlags::type, "Only resources of this type")
        .flag("--resources", &RelationFlags::resources, "List the resources, which --json prints whole");
  }
  Action& interval() {
    verb_.number("--interval", flags_->interval_s, "Seconds between two looks, with --watch", {1, 86'400});
    return *this;
  }
  Action& scope() {
    return text("--below", &RelationFlags::below, "This resource and all below it")
        .text("--account", &RelationFlags::account, "All resources of this account")
        .text("--type", &RelationFlags::type, "Only resources of this type; with --account");
  }
  Action& attributes() {
    return texts("--set", &RelationFlags::set, "NAME=TEXT", "Set an attribute")
        .texts("--set-json", &RelationFlags::set_json, "NAME=JSON", "Set an attribute that is not text");
  }
  void does(RelationAction what) {
    verb_.runs([flags = flags_, what = std::move(what)] { return run(*flags, what); });
  }

 private:
  Verb verb_;
  Flags flags_ = std::make_shared<RelationFlags>();
};

void add_bind(const Verb& verb) {
  const auto flags = std::make_shared<RelationFlags>();
  const Verb made = verb.verb(
      "bind", "Keep a file of resource types in the table, for every program; also creates the store and the table");
  made.text("FILE", flags->types, "File of resource types").required();
  made.text("--table", flags->table, "Name of the table").shown_as("NAME");
  made.flag("--json", flags->json, "Print JSON");
  add_store_flags(made, flags->store);
  made.runs([flags] { return bind(*flags); });
}

void add_resource_actions(const Verb& verb) {
  using F = RelationFlags;
  Action(verb, "create",
         "Create a resource and print its URN; also creates the store and the table if they do not exist")
      .makes_table()
      .required("TYPE", &F::type, "Resource type")
      .text("--id", &F::id, "Id of the resource; without it, a new UUID of version 7")
      .text("--parent", &F::parent, "URN of its parent")
      .text("--account", &F::account, "URN of its account; without it, the account of its parent")
      .attributes()
      .texts("--unique", &F::unique, "KEY=VALUE", "Value that no other resource of the type may have")
      .texts("--join", &F::join, "URN", "Collection to join")
      .flag("--conveys", &F::conveys, "Let grants on these collections reach the resource")
      .flag("--cross-account", &F::cross_account, "Allow collections of other accounts")
      .does(create_resource);
  Action(verb, "get", "Print resources")
      .urns()
      .flag("--strict", &F::strict, "Treat a resource whose ancestor is being deleted as missing; for one resource")
      .does(get_resources);
  Action(verb, "list", "List resources by type, or those without a parent")
      .text("--type", &F::type, "Only resources of this type")
      .flag("--roots", &F::roots, "Only resources without a parent")
      .text("--account", &F::account,
            "Only resources of this account; without it, the whole table is read, page by page")
      .page()
      .does(list_resources);
  Action(verb, "update", "Change attributes of a resource")
      .urn()
      .attributes()
      .texts("--remove", &F::unset, "NAME", "Remove an attribute")
      .text("--if-updated-at", &F::if_updated_at, "Only if it has not been changed since this time")
      .does(update_resource);
  Action(verb, "reserve", "Reserve a unique value; also creates the store and the table if they do not exist")
      .makes_table()
      .value()
      .does(reserve_value);
  Action(verb, "release", "Give a reserved value back").value().does(release_value);
  Action(verb, "transfer", "Give a unique value to another resource")
      .value()
      .text("--from", &F::from, "Resource that has the value; without it, the value is reserved")
      .required("--to", &F::to, "Resource that gets the value")
      .does(transfer_value);
  Action(verb, "find", "Print the resource that has a unique value").value().does(find_value);
  Action(verb, "values", "List the values of a unique key").unique().page().does(list_values);
}

void add_link_actions(const Verb& verb) {
  using F = RelationFlags;
  Action(verb, "attach", "Give a resource a parent, or a new parent")
      .required("CHILD", &F::urn, "The child")
      .required("PARENT", &F::other, "The parent")
      .does(attach_child);
  Action(verb, "detach", "Take a resource from its parent").urn().does(detach_child);
  Action(verb, "parent", "Print the parent").urn().does(show_parent);
  Action(verb, "children", "List children").urn().linked().page().does(list_children);
  Action(verb, "ancestors", "List ancestors, root first").urn().does(list_ancestors);
  Action(verb, "descendants", "List all descendants").urn().depth().page().does(list_descendants);
  Action(verb, "join", "Add a member to a collection")
      .required("MEMBER", &F::urn, "The member")
      .required("COLLECTION", &F::other, "The collection")
      .flag("--conveys", &F::conveys, "Let grants on the collection reach the member")
      .flag("--cross-account", &F::cross_account, "Allow a member and a collection of different accounts")
      .does(join_collection);
  Action(verb, "leave", "Remove a member from a collection")
      .required("MEMBER", &F::urn, "The member")
      .required("COLLECTION", &F::other, "The collection")
      .does(leave_collection);
  Action(verb, "members", "List the members of a collection").urn().linked().page().does(list_members);
  Action(verb, "collections", "List the collections of a member").urn().linked().page().does(list_collections);
  Action(verb, "account", "List the resources of an account")
      .urn()
      .text("--type", &F::type, "Only resources of this type")
      .text("--from", &F::created_from, "Created at this time or later; with --type")
      .text("--before", &F::created_before, "Created before this time; with --type")
      .page()
      .does(list_account);
  Action(verb, "authorization", "List the resources whose grants reach a resource").urn().does(authorization_path);
  Action(verb, "reach", "List the resources that a grant on a resource reaches")
      .urn()
      .window()
      .does(authorization_reach);
  Action(verb, "tree", "Draw a family as text").urn().depth().does(draw_tree);
  Action(verb, "graph", "Draw a family and its memberships as a picture")
      .urn()
      .depth()
      .flag("--svg", &F::svg, "Draw SVG")
      .text("--output", &F::output, "Write the picture to this file")
      .does(draw_graph);
}

void add_upkeep_actions(const Verb& verb) {
  using F = RelationFlags;
  Action(verb, "delete",
         "Delete a resource and all that refers to it: what is below it or belongs to it as its account")
      .urn()
      .flag("--restrict", &F::restricted, "Only if nothing refers to it")
      .text("--reassign-to", &F::reassign_to, "Delete it alone; what refers to it gets this parent and account")
      .flag("--dry-run", &F::dry_run, "Only count what would be deleted")
      .flag("--yes", &F::yes, "Do not ask, in a terminal, whether to go on")
      .does(delete_resource);
  Action(verb, "purge", "Delete an account and everything that belongs to it")
      .urn()
      .flag("--dry-run", &F::dry_run, "Only count what would be deleted")
      .flag("--yes", &F::yes, "Do not ask, in a terminal, whether to go on")
      .does(purge_account);
  Action(verb, "reassign", "Give a resource and all below it another account")
      .urn()
      .required("--account", &F::account, "URN of the new account")
      .text("--parent", &F::parent, "URN of a new parent; needed when its parent belongs to the old account")
      .flag("--cross-account", &F::cross_account, "Allow memberships between accounts that come of it")
      .flag("--dry-run", &F::dry_run, "Only look whether it can be done, and count")
      .does(reassign_account);
  Action(verb, "deletes", "List deletes that have not been completed").leaves_deletes().does(pending_deletes);
  Action(verb, "resume", "Complete interrupted deletes")
      .leaves_deletes()
      .flag("--watch", &F::watch, "Keep on, and complete every delete that makes no progress between two looks")
      .interval()
      .does(resume_deletes);
  Action(verb, "rewrite", "Store resources in the current schema version").scope().does(rewrite_resources);
  Action(verb, "verify", "Check that the table is consistent")
      .scope()
      .flag("--all", &F::all, "Read the whole table, including items that nothing refers to")
      .does(verify_table);
  Action(verb, "repair", "Find and repair inconsistencies; only while nobody writes")
      .scope()
      .flag("--all", &F::all, "Read the whole table, including items that nothing refers to")
      .does(repair_table);
}

}  // namespace

void add_relation(const Verb& program) {
  const Verb verb = program.verb("relation", "Resources with families, collections and unique values in one table");
  add_bind(verb);
  add_resource_actions(verb);
  add_link_actions(verb);
  add_upkeep_actions(verb);
}

}  // namespace dolmen::cli
