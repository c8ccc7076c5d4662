// The tags of tables, which are part of their definitions.
#include <utility>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/resource_arn.h"
#include "service/internal_tables.h"
#include "service/tag_rules.h"

namespace dolmen::engine {

void Engine::start(TagResource /*operation*/, TagResourceRequest request, Done<TagsChanged> done) {
  const auto check = [&]() -> Result<void> {
    if (request.tags.empty()) return fail(Code::kValidation, "Atleast one Tag needs to be provided as Input.");
    return check_tags(request.tags);
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  auto add = [added = std::move(request.tags)](TagMap& tags) -> Result<void> {
    for (const Tag& tag : added) tags.insert_or_assign(tag.key, tag.value);
    return check_tag_count(tags.size());
  };
  change_tags(request.arn, std::move(add), std::move(done));
}

void Engine::start(UntagResource /*operation*/, UntagResourceRequest request, Done<TagsChanged> done) {
  const auto check = [&]() -> Result<void> {
    if (request.keys.empty()) return fail(Code::kValidation, "Atleast one Tag Key needs to be provided as Input.");
    return check_tag_keys(request.keys);
  };
  if (Result<void> checked = check(); !checked) return done(std::unexpected(std::move(checked).error()));
  auto remove = [removed = std::move(request.keys)](TagMap& tags) -> Result<void> {
    for (const std::string& key : removed) tags.erase(key);
    return {};
  };
  change_tags(request.arn, std::move(remove), std::move(done));
}

void Engine::change_tags(const std::string& arn, std::move_only_function<Result<void>(TagMap& tags)> change,
                         Done<TagsChanged> done) {
  const Result<std::string> name = table_of_resource(arn, {.region = options_.region, .account = options_.account});
  if (!name) return done(std::unexpected(name.error()));
  if (is_internal_table(*name)) return done(no_resource(arn));
  change_table(
      *name,
      [change = std::move(change)](Table& table, storage::Batch& /*batch*/) mutable {
        return change(table.definition.tags);
      },
      [arn, done = std::move(done)](Result<std::shared_ptr<const Table>> changed) mutable {
        if (changed) return done(TagsChanged{});
        if (changed.error().code() == Code::kTableNotFound) return done(no_resource(arn));
        done(std::unexpected(std::move(changed).error()));
      });
}

void Engine::start(ListTagsOfResource /*operation*/, ListTagsOfResourceRequest request,
                   Done<ListTagsOfResourceResponse> done) {
  const Result<std::string> name =
      table_of_resource(request.arn, {.region = options_.region, .account = options_.account});
  if (!name) return done(std::unexpected(name.error()));
  const std::shared_ptr<const Table> table = is_internal_table(*name) ? nullptr : catalogue_->find(*name);
  if (table == nullptr || table->restore) return done(no_resource(request.arn));
  // All tags fit into one page, so no token is ever given, and one that somebody made up is ignored, as on AWS.
  ListTagsOfResourceResponse response;
  for (const auto& [key, value] : table->definition.tags) response.tags.push_back({.key = key, .value = value});
  done(std::move(response));
}

}  // namespace dolmen::engine
