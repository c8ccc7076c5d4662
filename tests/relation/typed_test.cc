// Resources as structs, and relations without waiting.
#include <future>

#include "base/test_result.h"
#include "company.h"
#include "dolmen/coroutine.h"
#include "dolmen/relation/async.h"
#include "dolmen/relation/typed.h"

namespace dolmen::relation_test {

struct Person {
  std::string email;
  std::optional<std::string> name;
  std::int64_t visits = 0;
};
DOLMEN_RECORD(Person, email, name, visits);

}  // namespace dolmen::relation_test

namespace dolmen {
namespace {

using relation_test::Person;

class TypedRelations : public CompanyTest {};

TEST_F(TypedRelations, resources_are_written_and_read_as_structs) {
  ResourcesOf<Person> people(*graph_, "System.User");
  const std::string group = make("System.Group").urn;
  const auto ada = people.create({.email = "ada@example.org", .name = "Ada"}, {.parent = group}).value();
  EXPECT_EQ(ada.resource.parent, group);
  EXPECT_EQ(people.get(ada.resource.urn)->value.name, "Ada");
  EXPECT_EQ(people.get_by_unique("email", "ada@example.org")->resource.urn, ada.resource.urn);
  EXPECT_THAT(people.create({.email = "ada@example.org"}), fails_with(Code::kUniqueViolation));
  auto changed = ada;
  changed.value.name.reset();
  changed.value.visits = 7;
  const auto stored = people.update(changed).value();
  EXPECT_EQ(stored.value.visits, 7);
  EXPECT_EQ(graph_->get(ada.resource.urn)->attributes, (Item{{"email", "ada@example.org"}, {"visits", 7}}));
  EXPECT_THAT(people.update(changed), fails_with(Code::kConditionFailed)) << "it was read before the other update";
}

TEST_F(TypedRelations, lists_are_of_structs_of_the_type) {
  ResourcesOf<Person> people(*graph_, "System.User");
  const std::string group = make("System.Group").urn;
  make("System.Group", group);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(people.create({.email = std::to_string(i)}, {.parent = group, .collections = {{.collection = group}}}));
  EXPECT_EQ(people.children_of(group)->items.size(), 3U);
  EXPECT_EQ(people.members_of(group)->items.front().value.email, "0");
  EXPECT_EQ(people.list()->items.size(), 3U);
  const auto page = people.children_of(group, {.limit = 2}).value();
  EXPECT_EQ(people.children_of(group, {.token = page.token})->items.front().value.email, "2");
  ASSERT_TRUE(graph_->create({.type = "System.User", .parent = group, .attributes = {{"visits", "no number"}}}));
  EXPECT_FALSE(people.children_of(group)) << "that is no Person";
}

TEST_F(TypedRelations, calls_do_not_wait_for_each_other) {
  AsyncRelations graph(std::move(*graph_), {.threads = 4});
  std::vector<std::promise<Result<Resource>>> made(20);
  for (std::promise<Result<Resource>>& promise : made)
    graph.async_create({.type = "System.Group"}, [&](Result<Resource> one) { promise.set_value(std::move(one)); });
  for (std::promise<Result<Resource>>& promise : made) {
    const Result<Resource> one = promise.get_future().get();
    ASSERT_THAT(one, succeeds());
    EXPECT_TRUE(graph.relations().get(one->urn));
  }
}

Task<Result<std::vector<std::string>>> path_of_child(AsyncRelations& graph) {
  auto parent = co_await awaitable<Resource>(
      [&](Callback<Resource> done) { graph.async_create({.type = "System.Group"}, std::move(done)); });
  if (!parent) co_return std::unexpected(parent.error());
  auto child = co_await awaitable<Resource>([&](Callback<Resource> done) {
    graph.async_create({.type = "System.Group", .parent = parent->urn}, std::move(done));
  });
  if (!child) co_return std::unexpected(child.error());
  co_return co_await awaitable<std::vector<std::string>>(
      [&](Callback<std::vector<std::string>> done) { graph.async_authorization_path(child->urn, std::move(done)); });
}

TEST_F(TypedRelations, coroutines_await_them) {
  AsyncRelations graph(std::move(*graph_));
  const auto path = sync_wait(path_of_child(graph));
  ASSERT_THAT(path, succeeds());
  EXPECT_EQ(path->size(), 2U);
}

TEST_F(TypedRelations, too_many_calls_are_refused_and_an_executor_runs_the_callbacks) {
  std::vector<std::move_only_function<void()>> callbacks;
  std::mutex callbacks_mutex;
  std::vector<Code> codes;
  {
    AsyncRelations graph(std::move(*graph_), {.threads = 1, .waiting = 1, .executor = [&](auto callback) {
                                                const std::scoped_lock lock(callbacks_mutex);
                                                callbacks.push_back(std::move(callback));
                                              }});
    for (int i = 0; i < 100; ++i)
      graph.async_get("urn:pp:System.Group::none", {},
                      [&](Result<Resource> got) { codes.push_back(got.error().code()); });
  }
  EXPECT_TRUE(codes.empty()) << "the executor has not run anything yet";
  for (auto& callback : callbacks) callback();
  EXPECT_EQ(codes.size(), 100U);
  EXPECT_THAT(codes, testing::Contains(Code::kResourceNotFound));
  EXPECT_THAT(codes, testing::Contains(Code::kThrottled));
}

TEST_F(TypedRelations, structs_come_without_waiting_too) {
  AsyncRelations graph(std::move(*graph_));
  AsyncResourcesOf<Person> people(graph, "System.User");
  std::promise<Result<ResourceOf<Person>>> made;
  people.async_create({.email = "a", .visits = 3}, {},
                      [&](Result<ResourceOf<Person>> one) { made.set_value(std::move(one)); });
  const auto one = made.get_future().get();
  ASSERT_THAT(one, succeeds());
  std::promise<Result<ListPage<ResourceOf<Person>>>> listed;
  people.async_list({}, [&](Result<ListPage<ResourceOf<Person>>> page) { listed.set_value(std::move(page)); });
  EXPECT_EQ(listed.get_future().get()->items.front().value.visits, 3);
}

}  // namespace
}  // namespace dolmen
