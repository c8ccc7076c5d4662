#include "cli/relation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

#include "cli/print_json.h"
#include "cli/relation_flags.h"

namespace dolmen::cli {
namespace {

using Flags = std::shared_ptr<RelationFlags>;

Result<RelationAnswer> carry_out(const RelationFlags& flags, const RelationAction& action) {
  ResourceTypes types = ResourceTypes::undeclared();
  if (!flags.types.empty()) {
    DOLMEN_TRY(types, ResourceTypes::load(flags.types));
  }
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store, "file:./data"));
  DOLMEN_TRY(Relations graph,
             Relations::open(*store, flags.table, std::move(types), {.create_table = flags.makes_table}));
  return action(graph, flags);
}

int run(const RelationFlags& flags, const RelationAction& action) {
  const Result<RelationAnswer> answer = carry_out(flags, action);
  if (!answer) {
    fmt::print(stderr, "dolmen: {}: {}\n", code_name(answer.error().code()), answer.error().message());
    for (const ErrorDetail& detail : answer.error().details()) fmt::print(stderr, "{}\n", detail.message);
    return 1;
  }
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
  Action(CLI::App& verb, int& exit_code, const char* name, const char* help)
      : action_(verb.add_subcommand(name, help)), exit_code_(exit_code) {
    action_->add_option("--table", flags_->table, "Name of the table")->capture_default_str();
    action_->add_option("--types", flags_->types, "File of resource types; without it, any type is taken");
    action_->add_flag("--json", flags_->json, "Print JSON");
    add_store_flags(*action_, flags_->store);
  }

  Action& position(const char* name, std::string RelationFlags::* member, const char* help) {
    action_->add_option(name, (*flags_).*member, help)->required();
    return *this;
  }
  Action& text(const char* name, std::string RelationFlags::* member, const char* help) {
    action_->add_option(name, (*flags_).*member, help);
    return *this;
  }
  /// Takes one value each time it is given.
  Action& texts(const char* name, std::vector<std::string> RelationFlags::* member, const char* help) {
    action_->add_option(name, (*flags_).*member, help)->allow_extra_args(false);
    return *this;
  }
  Action& flag(const char* name, bool RelationFlags::* member, const char* help) {
    action_->add_flag(name, (*flags_).*member, help);
    return *this;
  }
  /// For actions that make sense without a table.
  Action& makes_table() {
    flags_->makes_table = true;
    return *this;
  }
  Action& urns() {
    action_->add_option("URN", flags_->urns, "Resources")->required()->expected(1, 10'000);
    return *this;
  }
  Action& urn() { return position("URN", &RelationFlags::urn, "A resource"); }
  Action& unique() {
    position("TYPE", &RelationFlags::type, "Resource type").position("KEY", &RelationFlags::key, "Unique key");
    return text("--account", &RelationFlags::account, "Account, for keys that are unique per account");
  }
  Action& value() { return unique().position("VALUE", &RelationFlags::value, "Value"); }
  Action& depth() {
    action_->add_option("--depth", flags_->depth, "Only so many levels; 0 for all")->capture_default_str();
    return *this;
  }
  Action& page() {
    action_->add_option("--limit", flags_->limit, "At most so many, 1 to 1000")->capture_default_str();
    text("--token", &RelationFlags::token, "Where to go on, from the page before");
    return flag("--descending", &RelationFlags::descending, "The other way round");
  }
  Action& scope() {
    return text("--below", &RelationFlags::below, "This resource and all below it")
        .text("--account", &RelationFlags::account, "All of this account")
        .text("--type", &RelationFlags::type, "Of this type, with --account");
  }
  Action& attributes() {
    return texts("--set", &RelationFlags::set, "NAME=TEXT, an attribute")
        .texts("--set-json", &RelationFlags::set_json, "NAME=JSON, an attribute that is not text");
  }
  void does(RelationAction what) {
    action_->callback(
        [flags = flags_, what = std::move(what), &exit_code = exit_code_] { exit_code = run(*flags, what); });
  }

 private:
  CLI::App* action_;
  int& exit_code_;
  Flags flags_ = std::make_shared<RelationFlags>();
};

void add_resource_actions(CLI::App& verb, int& exit_code) {
  using F = RelationFlags;
  Action(verb, exit_code, "create", "Make a resource, and the table when there is none, and print its URN")
      .makes_table()
      .position("TYPE", &F::type, "Resource type")
      .text("--id", &F::id, "Its id; without one, a UUID of version 7 is made")
      .text("--parent", &F::parent, "Its parent")
      .text("--account", &F::account, "Its account; without one, the parent's")
      .attributes()
      .texts("--unique", &F::unique, "KEY=VALUE, an attribute that nobody else of the type may have")
      .texts("--join", &F::join, "A collection to be a member of")
      .flag("--conveys", &F::conveys, "Grants on these collections reach it")
      .flag("--cross-account", &F::cross_account, "Also collections of other accounts")
      .does(create_resource);
  Action(verb, exit_code, "get", "Print resources")
      .urns()
      .flag("--strict", &F::strict, "Not when an ancestor is being deleted; for one resource")
      .does(get_resources);
  Action(verb, exit_code, "update", "Change attributes of a resource")
      .urn()
      .attributes()
      .texts("--remove", &F::unset, "An attribute to remove")
      .text("--if-updated-at", &F::if_updated_at, "Only when nobody changed it since")
      .does(update_resource);
  Action(verb, exit_code, "reserve", "Keep a unique value for later").makes_table().value().does(reserve_value);
  Action(verb, exit_code, "release", "Give a reserved value back").value().does(release_value);
  Action(verb, exit_code, "transfer", "Give a unique value to another resource")
      .value()
      .text("--from", &F::from, "Who has it; without it, it is reserved")
      .position("--to", &F::to, "Who gets it")
      .does(transfer_value);
  Action(verb, exit_code, "find", "Print who has a unique value").value().does(find_value);
  Action(verb, exit_code, "values", "List the values of a unique key").unique().page().does(list_values);
}

void add_link_actions(CLI::App& verb, int& exit_code) {
  using F = RelationFlags;
  Action(verb, exit_code, "attach", "Give a resource a parent, or another one")
      .position("CHILD", &F::urn, "The child")
      .position("PARENT", &F::other, "The parent")
      .does(attach_child);
  Action(verb, exit_code, "detach", "Take a resource from its parent").urn().does(detach_child);
  Action(verb, exit_code, "parent", "Print the parent").urn().does(show_parent);
  Action(verb, exit_code, "children", "List children").urn().page().does(list_children);
  Action(verb, exit_code, "ancestors", "List ancestors, root first").urn().does(list_ancestors);
  Action(verb, exit_code, "descendants", "List all that is below").urn().depth().page().does(list_descendants);
  Action(verb, exit_code, "join", "Add a member to a collection")
      .position("MEMBER", &F::urn, "The member")
      .position("COLLECTION", &F::other, "The collection")
      .flag("--conveys", &F::conveys, "Grants on the collection reach the member")
      .flag("--cross-account", &F::cross_account, "Also between accounts")
      .does(join_collection);
  Action(verb, exit_code, "leave", "Remove a member from a collection")
      .position("MEMBER", &F::urn, "The member")
      .position("COLLECTION", &F::other, "The collection")
      .does(leave_collection);
  Action(verb, exit_code, "members", "List the members of a collection").urn().page().does(list_members);
  Action(verb, exit_code, "collections", "List the collections of a member").urn().page().does(list_collections);
  Action(verb, exit_code, "account", "List the resources of an account")
      .urn()
      .text("--type", &F::type, "Of this type")
      .text("--from", &F::created_from, "Created at this time or later; with --type")
      .text("--before", &F::created_before, "Created before this time; with --type")
      .page()
      .does(list_account);
  Action(verb, exit_code, "authorization", "List from where grants reach a resource").urn().does(authorization_path);
  Action(verb, exit_code, "reach", "List what a grant on a resource reaches").urn().does(authorization_reach);
  Action(verb, exit_code, "tree", "Draw a family as text").urn().depth().does(draw_tree);
  Action(verb, exit_code, "graph", "Draw a family and its memberships as a picture")
      .urn()
      .depth()
      .flag("--svg", &F::svg, "Draw SVG")
      .text("--output", &F::output, "Write the picture to this file")
      .does(draw_graph);
}

void add_upkeep_actions(CLI::App& verb, int& exit_code) {
  using F = RelationFlags;
  Action(verb, exit_code, "delete", "Delete a resource and all below it")
      .urn()
      .flag("--restrict", &F::restricted, "Only when it has no children")
      .flag("--dry-run", &F::dry_run, "Only count what would go")
      .does(delete_resource);
  Action(verb, exit_code, "purge", "Delete an account and everything that belongs to it")
      .urn()
      .flag("--dry-run", &F::dry_run, "Only count what would go")
      .does(purge_account);
  Action(verb, exit_code, "deletes", "List deletes that were begun and not ended").does(pending_deletes);
  Action(verb, exit_code, "resume", "Carry interrupted deletes to their end").does(resume_deletes);
  Action(verb, exit_code, "rewrite", "Store resources in the current schema version").scope().does(rewrite_resources);
  Action(verb, exit_code, "verify", "Look for what is not as it should be")
      .scope()
      .flag("--all", &F::all, "Read the whole table, also what nothing leads to")
      .does(verify_table);
  Action(verb, exit_code, "repair", "Look for what is wrong and mend it; not while others write")
      .scope()
      .flag("--all", &F::all, "Read the whole table, also what nothing leads to")
      .does(repair_table);
}

}  // namespace

void add_relation(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("relation", "Resources with families, collections and unique values in one table");
  verb->require_subcommand(1);
  add_resource_actions(*verb, exit_code);
  add_link_actions(*verb, exit_code);
  add_upkeep_actions(*verb, exit_code);
}

}  // namespace dolmen::cli
