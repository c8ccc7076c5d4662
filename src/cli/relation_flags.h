#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/store_flags.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/relation/relations.h"

namespace dolmen::cli {

/// What the actions of `relation` can be told. Each has those that it needs.
struct RelationFlags {
  StoreFlags store;
  std::string table = "system";
  std::string types;
  bool json = false;
  /// Create the table, and its store, if it does not exist.
  bool makes_table = false;
  /// Leave interrupted deletes alone.
  bool no_resume = false;

  /// Arguments by position.
  std::string urn;
  std::string other;
  std::string type;
  std::string key;
  std::string value;
  std::vector<std::string> urns;

  std::string id;
  std::string parent;
  std::string account;
  std::vector<std::string> set;
  std::vector<std::string> set_json;
  std::vector<std::string> unset;
  std::vector<std::string> unique;
  std::vector<std::string> join;
  std::string if_updated_at;
  std::string from;
  std::string to;
  std::string created_from;
  std::string created_before;
  std::string below;
  bool conveys = false;
  bool cross_account = false;
  bool strict = false;
  bool restricted = false;
  std::string reassign_to;
  bool yes = false;
  bool roots = false;
  bool resources = false;
  bool watch = false;
  std::uint32_t interval_s = 10;
  bool dry_run = false;
  bool all = false;
  std::uint32_t depth = 0;
  std::uint32_t limit = 100;
  std::string token;
  bool descending = false;
  bool svg = false;
  std::string output;
};

/// What an action has to say, for people and for programs.
struct RelationAnswer {
  std::string text;
  LogicalValue json = nullptr;
  /// False when it found something wrong.
  bool good = true;
  /// It has printed all there is to say.
  bool is_printed = false;
};

using RelationAction = std::function<Result<RelationAnswer>(Relations& graph, const RelationFlags& flags)>;

// relation_resources.cc
Result<RelationAnswer> create_resource(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> get_resources(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_resources(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> update_resource(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> reserve_value(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> release_value(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> transfer_value(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> find_value(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_values(Relations& graph, const RelationFlags& flags);

// relation_links.cc
Result<RelationAnswer> attach_child(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> detach_child(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> show_parent(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_children(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_ancestors(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_descendants(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> join_collection(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> leave_collection(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_members(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_collections(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> list_account(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> authorization_path(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> authorization_reach(Relations& graph, const RelationFlags& flags);

// relation_upkeep.cc
Result<RelationAnswer> delete_resource(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> purge_account(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> reassign_account(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> pending_deletes(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> resume_deletes(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> rewrite_resources(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> verify_table(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> repair_table(Relations& graph, const RelationFlags& flags);

// relation_watch.cc
/// Resumes deletes that make no progress, until it is asked to end.
Result<RelationAnswer> watch_deletes(Relations& graph, const RelationFlags& flags);

// relation_tree.cc, relation_graph.cc
Result<RelationAnswer> draw_tree(Relations& graph, const RelationFlags& flags);
Result<RelationAnswer> draw_graph(Relations& graph, const RelationFlags& flags);

// ---- What they share ----

LogicalItem describe_resource(const Resource& resource);
LogicalValue text_or_null(const std::optional<std::string>& text);
/// What a person calls the resource: its name or title, or else a short form of its id.
std::string label_of(const Resource& resource);
/// A list of URNs, one to a line.
RelationAnswer urn_list(const std::vector<std::string>& urns, const std::string& token = {});
/// The same of resources, which JSON shows whole.
RelationAnswer resource_list(const ListPage<Resource>& page);
ListOptions page_of(const RelationFlags& flags);
LogicalItem describe_progress(const DeleteProgress& progress);
std::string progress_text(const DeleteProgress& progress);

}  // namespace dolmen::cli
