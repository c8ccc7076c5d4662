#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/record.h"
#include "dolmen/relation/async.h"
#include "dolmen/relation/relations.h"

/// Resources whose attributes are structs that DOLMEN_RECORD describes. Each of these also fails as `to_item` or
/// `from_item` does.
namespace dolmen {

/// A resource and its attributes as a T.
template <Record T>
struct ResourceOf {
  /// With the attributes as they were read.
  Resource resource;
  T value;
};

/// What a new resource has beside its attributes; see CreateResource.
struct NewResource {
  std::string id = {};
  std::optional<std::string> parent = std::nullopt;
  std::optional<std::string> account = std::nullopt;
  std::vector<JoinCollection> collections = {};
};

namespace detail {

template <Record T>
Result<ResourceOf<T>> typed_resource(Result<Resource> resource) {
  if (!resource) return std::unexpected(std::move(resource).error());
  DOLMEN_TRY(T value, from_item<T>(resource->attributes));
  return ResourceOf<T>{.resource = *std::move(resource), .value = std::move(value)};
}

template <Record T>
Result<ListPage<ResourceOf<T>>> typed_page(Result<ListPage<Resource>> page) {
  if (!page) return std::unexpected(std::move(page).error());
  ListPage<ResourceOf<T>> made{.items = {}, .token = std::move(page->token)};
  for (Resource& resource : page->items) {
    DOLMEN_TRY(ResourceOf<T> typed, typed_resource<T>(std::move(resource)));
    made.items.push_back(std::move(typed));
  }
  return made;
}

template <Record T>
Result<CreateResource> typed_create(const std::string& type, const T& value, NewResource with) {
  DOLMEN_TRY(Item attributes, to_item(value));
  return CreateResource{.type = type,
                        .id = std::move(with.id),
                        .parent = std::move(with.parent),
                        .account = std::move(with.account),
                        .attributes = std::move(attributes),
                        .collections = std::move(with.collections)};
}

/// Attributes that the value has no longer are removed.
template <Record T>
Result<UpdateResource> typed_update(const ResourceOf<T>& changed) {
  UpdateResource update{.urn = changed.resource.urn, .if_updated_at = changed.resource.updated_at};
  DOLMEN_TRY(update.set, to_item(changed.value));
  for (const auto& [name, value] : changed.resource.attributes)
    if (!update.set.contains(name)) update.remove.push_back(name);
  return update;
}

}  // namespace detail

/// The resources of one type, whose attributes are Ts:
///
///     ResourcesOf<Job> jobs(graph, "System.Account.Job");
///     auto job = jobs.create({.title = "Paint the fence"}, {.parent = team}).value();
///     job.value.title = "Paint the wall";
///     jobs.update(job).value();                               // unless somebody else has changed it meanwhile
///     for (const auto& each : jobs.children_of(team)->items) print(each.value.title);
///
/// The Relations must outlive it.
template <Record T>
class ResourcesOf {
 public:
  ResourcesOf(Relations& graph, std::string type) : graph_(&graph), type_(std::move(type)) {}

  Result<ResourceOf<T>> create(const T& value, NewResource with = {}) {
    DOLMEN_TRY(const CreateResource request, detail::typed_create(type_, value, std::move(with)));
    return detail::typed_resource<T>(graph_->create(request));
  }
  Result<ResourceOf<T>> get(const std::string& urn, const GetResource& options = {}) {
    return detail::typed_resource<T>(graph_->get(urn, options));
  }
  Result<ResourceOf<T>> get_by_unique(std::string key, std::string value,
                                      std::optional<std::string> account = std::nullopt) {
    return detail::typed_resource<T>(graph_->get_by_unique(
        {.type = type_, .key = std::move(key), .value = std::move(value), .account = std::move(account)}));
  }
  /// Writes the whole value. Fails with kConditionFailed when the resource was changed after it was read.
  Result<ResourceOf<T>> update(const ResourceOf<T>& changed) {
    DOLMEN_TRY(const UpdateResource request, detail::typed_update(changed));
    return detail::typed_resource<T>(graph_->update(request));
  }
  Result<ListPage<ResourceOf<T>>> list(const ListOptions& page = {}) {
    return detail::typed_page<T>(graph_->list({.type = type_}, page));
  }
  Result<ListPage<ResourceOf<T>>> of_account(const std::string& account, const ListOptions& page = {}) {
    return detail::typed_page<T>(graph_->by_account({.account = account, .type = type_}, page));
  }
  Result<ListPage<ResourceOf<T>>> children_of(const std::string& parent, const ListOptions& page = {}) {
    return detail::typed_page<T>(graph_->child_resources({.of = parent, .type = type_}, page));
  }
  Result<ListPage<ResourceOf<T>>> members_of(const std::string& collection, const ListOptions& page = {}) {
    return detail::typed_page<T>(graph_->member_resources({.of = collection, .type = type_}, page));
  }

 private:
  Relations* graph_;
  std::string type_;
};

/// The same without waiting. The AsyncRelations must outlive it.
template <Record T>
class AsyncResourcesOf {
 public:
  AsyncResourcesOf(AsyncRelations& graph, std::string type) : graph_(&graph), type_(std::move(type)) {}

  void async_create(const T& value, NewResource with, Callback<ResourceOf<T>> done) {
    Result<CreateResource> request = detail::typed_create(type_, value, std::move(with));
    if (!request) return done(std::unexpected(std::move(request).error()));
    graph_->async_create(*std::move(request), one(std::move(done)));
  }
  void async_get(std::string urn, GetResource options, Callback<ResourceOf<T>> done) {
    graph_->async_get(std::move(urn), options, one(std::move(done)));
  }
  void async_update(const ResourceOf<T>& changed, Callback<ResourceOf<T>> done) {
    Result<UpdateResource> request = detail::typed_update(changed);
    if (!request) return done(std::unexpected(std::move(request).error()));
    graph_->async_update(*std::move(request), one(std::move(done)));
  }
  void async_list(ListOptions page, Callback<ListPage<ResourceOf<T>>> done) {
    graph_->async_list({.type = type_}, std::move(page), many(std::move(done)));
  }
  void async_of_account(std::string account, ListOptions page, Callback<ListPage<ResourceOf<T>>> done) {
    graph_->async_by_account({.account = std::move(account), .type = type_}, std::move(page), many(std::move(done)));
  }
  void async_children_of(std::string parent, ListOptions page, Callback<ListPage<ResourceOf<T>>> done) {
    graph_->async_child_resources({.of = std::move(parent), .type = type_}, std::move(page), many(std::move(done)));
  }
  void async_members_of(std::string collection, ListOptions page, Callback<ListPage<ResourceOf<T>>> done) {
    graph_->async_member_resources({.of = std::move(collection), .type = type_}, std::move(page),
                                   many(std::move(done)));
  }

 private:
  static Callback<Resource> one(Callback<ResourceOf<T>> done) {
    return [done = std::move(done)](Result<Resource> result) mutable {
      done(detail::typed_resource<T>(std::move(result)));
    };
  }
  static Callback<ListPage<Resource>> many(Callback<ListPage<ResourceOf<T>>> done) {
    return [done = std::move(done)](Result<ListPage<Resource>> result) mutable {
      done(detail::typed_page<T>(std::move(result)));
    };
  }

  AsyncRelations* graph_;
  std::string type_;
};

}  // namespace dolmen
