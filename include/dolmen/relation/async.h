#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/relation/relations.h"
#include "dolmen/store.h"

namespace dolmen {

namespace relation {
class Callers;
}

struct AsyncRelationsOptions {
  /// At most so many calls are under way at a time, each on a thread of its own; the others wait.
  std::size_t threads = 8;
  /// At most so many wait; beyond that a call fails with kThrottled.
  std::size_t waiting = 4096;
  /// Runs the callbacks. Without it they run on the thread of their call, and must not wait for another one.
  Executor executor = {};
};

/// Relations without waiting: every operation as an `async_` call, with what it takes and a callback for its result.
///
///     AsyncRelations graph(Relations::open(*store, "system", types).value());
///     graph.async_create({.type = "System.Account"}, [](Result<Resource> made) { ... });
///     Result<Resource> account = co_await awaitable<Resource>([&](Callback<Resource> done) {
///       graph.async_get(urn, {}, std::move(done));
///     });
///
/// Thread-safe. The store must outlive it.
class AsyncRelations {
 public:
  explicit AsyncRelations(Relations graph, AsyncRelationsOptions options = {});
  /// Waits for all calls that have been accepted, and their callbacks or, with an executor, until it has all of them.
  /// Jobs are interrupted.
  ~AsyncRelations();
  AsyncRelations(const AsyncRelations&) = delete;
  AsyncRelations& operator=(const AsyncRelations&) = delete;

  /// The same, waiting.
  [[nodiscard]] Relations& relations() noexcept { return graph_; }

  void async_create(CreateResource request, Callback<Resource> done) {
    start(std::move(done), &Relations::create, std::move(request));
  }
  void async_get(std::string urn, GetResource options, Callback<Resource> done) {
    start(std::move(done), &Relations::get, std::move(urn), options);
  }
  void async_get_many(std::vector<std::string> urns, Callback<std::vector<std::optional<Resource>>> done) {
    start(std::move(done), &Relations::get_many, std::move(urns));
  }
  void async_update(UpdateResource request, Callback<Resource> done) {
    start(std::move(done), &Relations::update, std::move(request));
  }
  void async_list(ResourceQuery query, ListOptions page, Callback<ListPage<Resource>> done) {
    start(std::move(done), &Relations::list, std::move(query), std::move(page));
  }

  void async_reserve_unique(UniqueValue value, Callback<void> done) {
    start(std::move(done), &Relations::reserve_unique, std::move(value));
  }
  void async_release_unique(UniqueValue value, Callback<bool> done) {
    start(std::move(done), &Relations::release_unique, std::move(value));
  }
  void async_transfer_unique(TransferUnique request, Callback<void> done) {
    start(std::move(done), &Relations::transfer_unique, std::move(request));
  }
  void async_find_unique(UniqueValue value, Callback<std::optional<UniqueHolder>> done) {
    start(std::move(done), &Relations::find_unique, std::move(value));
  }
  void async_get_by_unique(UniqueValue value, Callback<Resource> done) {
    start(std::move(done), &Relations::get_by_unique, std::move(value));
  }
  void async_unique_values(UniqueValue of, ListOptions page, Callback<ListPage<UniqueHolder>> done) {
    start(std::move(done), &Relations::unique_values, std::move(of), std::move(page));
  }

  void async_attach(std::string child, std::string parent, Callback<bool> done) {
    start(std::move(done), &Relations::attach, std::move(child), std::move(parent));
  }
  void async_detach(std::string child, Callback<bool> done) {
    start(std::move(done), &Relations::detach, std::move(child));
  }
  void async_children(std::string parent, ListOptions page, Callback<ListPage<ChildLink>> done) {
    start(std::move(done), &Relations::children, std::move(parent), std::move(page));
  }
  void async_child_resources(LinkQuery query, ListOptions page, Callback<ListPage<Resource>> done) {
    start(std::move(done), &Relations::child_resources, std::move(query), std::move(page));
  }
  void async_parent(std::string child, Callback<std::optional<std::string>> done) {
    start(std::move(done), &Relations::parent, std::move(child));
  }
  void async_ancestors(std::string urn, Callback<std::vector<std::string>> done) {
    start(std::move(done), &Relations::ancestors, std::move(urn));
  }
  void async_descendants(std::string urn, unsigned depth_max, ListOptions page, Callback<ListPage<Descendant>> done) {
    start(std::move(done), &Relations::descendants, std::move(urn), depth_max, std::move(page));
  }

  void async_add_member(std::string member, JoinCollection into, Callback<bool> done) {
    start(std::move(done), &Relations::add_member, std::move(member), std::move(into));
  }
  void async_remove_member(std::string member, std::string collection, Callback<bool> done) {
    start(std::move(done), &Relations::remove_member, std::move(member), std::move(collection));
  }
  void async_find_membership(std::string member, std::string collection, Callback<std::optional<Membership>> done) {
    start(std::move(done), &Relations::find_membership, std::move(member), std::move(collection));
  }
  void async_members(std::string collection, ListOptions page, Callback<ListPage<Membership>> done) {
    start(std::move(done), &Relations::members, std::move(collection), std::move(page));
  }
  void async_member_resources(LinkQuery query, ListOptions page, Callback<ListPage<Resource>> done) {
    start(std::move(done), &Relations::member_resources, std::move(query), std::move(page));
  }
  void async_collections(std::string member, ListOptions page, Callback<ListPage<Membership>> done) {
    start(std::move(done), &Relations::collections, std::move(member), std::move(page));
  }
  void async_collection_resources(LinkQuery query, ListOptions page, Callback<ListPage<Resource>> done) {
    start(std::move(done), &Relations::collection_resources, std::move(query), std::move(page));
  }
  void async_by_account(AccountQuery query, ListOptions page, Callback<ListPage<Resource>> done) {
    start(std::move(done), &Relations::by_account, std::move(query), std::move(page));
  }

  void async_authorization_path(std::string urn, Callback<std::vector<std::string>> done) {
    start(std::move(done), &Relations::authorization_path, std::move(urn));
  }
  void async_conveying_collections(std::string urn, Callback<std::vector<Membership>> done) {
    start(std::move(done), &Relations::conveying_collections, std::move(urn));
  }
  void async_authorization_reach(std::string urn, ListOptions page, Callback<ListPage<std::string>> done) {
    start(std::move(done), &Relations::authorization_reach, std::move(urn), std::move(page));
  }

  void async_reassign_account(ReassignAccount request, Callback<ReassignResult> done) {
    start(std::move(done), &Relations::reassign_account, std::move(request));
  }
  void async_remove(std::string urn, RemoveOptions options, Callback<RemoveResult> done) {
    start(std::move(done), &Relations::remove, std::move(urn), std::move(options));
  }
  void async_purge_account(std::string account, RemoveOptions options, Callback<RemoveResult> done) {
    start(std::move(done), &Relations::purge_account, std::move(account), std::move(options));
  }
  void async_references(std::string urn, Callback<References> done) {
    start(std::move(done), &Relations::references, std::move(urn));
  }
  void async_pending_deletes(Callback<std::vector<DeleteProgress>> done) {
    start(std::move(done), &Relations::pending_deletes);
  }
  void async_resume_deletes(OnProgress on_progress, Callback<std::vector<DeleteProgress>> done) {
    start(std::move(done), &Relations::resume_deletes, std::move(on_progress));
  }

  void async_rewrite(Scope scope, ListOptions page, Callback<RewritePage> done) {
    start(std::move(done), &Relations::rewrite, std::move(scope), std::move(page));
  }
  void async_verify(Scope scope, ListOptions page, Callback<FindingPage> done) {
    start(std::move(done), &Relations::verify, std::move(scope), std::move(page));
  }
  void async_repair(Scope scope, ListOptions page, Callback<FindingPage> done) {
    start(std::move(done), &Relations::repair, std::move(scope), std::move(page));
  }

 private:
  /// Gives the call to a thread. What it takes is kept until it has returned.
  template <class T, class... Taken, class... Given>
  void start(Callback<T> done, Result<T> (Relations::*call)(Taken...), Given... given) {
    // Shared, because the refusal below needs it too.
    auto answer = std::make_shared<Callback<T>>(std::move(done));
    const bool accepted =
        run([this, answer, call, ... given = std::move(given)] { deliver(answer, (graph_.*call)(given...)); });
    if (!accepted) deliver(answer, Result<T>(std::unexpected(too_many_calls())));
  }

  template <class T>
  void deliver(const std::shared_ptr<Callback<T>>& answer, Result<T> result) {
    if (!executor_) return (*answer)(std::move(result));
    executor_([answer, result = std::move(result)]() mutable { (*answer)(std::move(result)); });
  }

  bool run(std::move_only_function<void()> call);
  static Error too_many_calls();

  Relations graph_;
  Executor executor_;
  /// Last: its threads use the others.
  std::unique_ptr<relation::Callers> callers_;
};

}  // namespace dolmen
