// Schema versions, and finding and mending what is wrong with a table.
#include "base/test_result.h"
#include "company.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RelationUpkeep : public CompanyTest {
 protected:
  static ResourceTypes versioned(int version) {
    ResourceTypes types;
    ResourceType note{.name = "Note", .unique = {{.key = "slug"}}, .schema_version = version};
    note.unique = {{.key = version == 1 ? "title" : "slug"}};
    if (version > 1)
      note.upcasters.emplace(1, [](Item attributes) -> Result<Item> {
        attributes.set("slug", AttributeValue(attributes.at("title")));
        attributes.erase("title");
        return attributes;
      });
    types.add(note).value();
    return types;
  }

  std::vector<std::string> kinds(const Scope& scope, bool repair = false) {
    const auto page = repair ? graph_->repair(scope, {.limit = 1000}) : graph_->verify(scope, {.limit = 1000});
    std::vector<std::string> made;
    for (const Finding& finding : page.value().findings) made.push_back(finding.kind);
    return made;
  }

  void put(const Item& item) { ASSERT_THAT(store_->put_item("system", item), succeeds()); }
  /// A resource as another program writes it.
  std::string foreign(const std::string& type, const std::string& id, const Item& attributes = {}) {
    std::string urn = "urn:pp:" + type + "::" + id;
    Item item{{"PK", "Resource#" + urn},
              {"SK", "Resource#" + urn},
              {"_recordType", "Resource"},
              {"_resourceType", type},
              {"_id", id},
              {"urn", urn},
              {"_schemaVersion", 1},
              {"_createdAt", "2025-01-01T00:00:00.000Z"},
              {"_updatedAt", "2025-01-01T00:00:00.000Z"}};
    for (const auto& [name, value] : attributes) item.set(name, value);
    put(item);
    return urn;
  }
  void foreign_edge(const std::string& parent, const std::string& child) {
    put({{"PK", "Parent#" + parent},
         {"SK", "Child#" + child},
         {"_recordType", "ParentChildRelationship"},
         {"parentUrn", parent},
         {"childUrn", child},
         {"_createdAt", "2025-01-01T00:00:00.000Z"}});
  }
  void erase(const std::string& partition, const std::string& sort) {
    ASSERT_THAT(store_->delete_item("system", {{"PK", partition}, {"SK", sort}}), succeeds());
  }
};

TEST_F(RelationUpkeep, older_versions_are_read_in_the_current_one_and_stored_as_they_were) {
  Relations first = Relations::open(*store_, "system", versioned(1), options()).value();
  Relations second = Relations::open(*store_, "system", versioned(2), options()).value();
  Relations third = Relations::open(*store_, "system", versioned(3), options()).value();
  const Resource note = first.create({.type = "Note", .unique = {{"title", "a"}}}).value();
  EXPECT_EQ(second.get(note.urn)->attributes, (Item{{"slug", "a"}}));
  EXPECT_EQ(second.get(note.urn)->schema_version, 2);
  EXPECT_EQ(row(note.urn).at("_schemaVersion").number(), Number(1));
  EXPECT_THAT(third.get(note.urn), fails_with(Code::kSchemaVersion)) << "there is no step from 2 to 3";
  ASSERT_TRUE(second.update({.urn = note.urn}));
  EXPECT_EQ(row(note.urn).at("_schemaVersion").number(), Number(2));
  EXPECT_THAT(first.get(note.urn), fails_with(Code::kSchemaVersion)) << "it is newer than this program";
}

TEST_F(RelationUpkeep, a_transfer_to_a_resource_of_an_older_version_keeps_its_other_values_unique) {
  const auto with_code = [](int version) {
    ResourceTypes types;
    ResourceType note = *versioned(version).find("Note");
    note.unique.push_back({.key = "code"});
    types.add(note).value();
    return types;
  };
  Relations first = Relations::open(*store_, "system", with_code(1), options()).value();
  graph_ = std::make_unique<Relations>(Relations::open(*store_, "system", with_code(2), options()).value());
  const Resource a = first.create({.type = "Note", .unique = {{"title", "a"}, {"code", "7"}}}).value();
  const Resource b = first.create({.type = "Note", .unique = {{"title", "b"}, {"code", "8"}}}).value();
  ASSERT_THAT(
      graph_->transfer_unique({.value = {.type = "Note", .key = "code", .value = "7"}, .from = a.urn, .to = b.urn}),
      succeeds());
  EXPECT_THAT(kinds({.whole_table = true}), IsEmpty());
  EXPECT_EQ(graph_->get_by_unique({.type = "Note", .key = "code", .value = "7"})->urn, b.urn);
  EXPECT_EQ(graph_->find_unique({.type = "Note", .key = "code", .value = "8"}).value(), std::nullopt);
  for (const auto& [slug, urn] : {std::pair("a", a.urn), std::pair("b", b.urn)})
    EXPECT_EQ(graph_->get_by_unique({.type = "Note", .key = "slug", .value = slug})->urn, urn);
}

TEST_F(RelationUpkeep, rewriting_brings_everything_below_to_the_current_version_with_its_unique_values) {
  Relations first = Relations::open(*store_, "system", versioned(1), options()).value();
  Relations second = Relations::open(*store_, "system", versioned(2), options()).value();
  const Resource root = first.create({.type = "Note", .unique = {{"title", "r"}}}).value();
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(first.create({.type = "Note", .parent = root.urn, .unique = {{"title", std::to_string(i)}}}));
  std::uint64_t rewritten = 0;
  ListOptions page{.limit = 2};
  do {
    const RewritePage part = second.rewrite({.below = root.urn}, page).value();
    rewritten += part.rewritten;
    page.token = part.token;
  } while (!page.token.empty());
  EXPECT_EQ(rewritten, 6U);
  EXPECT_EQ(second.rewrite({.below = root.urn})->rewritten, 0U);
  EXPECT_EQ(second.find_unique({.type = "Note", .key = "slug", .value = "r"}).value()->owner, root.urn);
  EXPECT_FALSE(first.find_unique({.type = "Note", .key = "title", .value = "r"}).value().has_value());
}

TEST_F(RelationUpkeep, a_good_table_has_no_findings) {
  const Resource account = graph_->create({.type = "System.Account", .unique = {{"name", "Acme"}}}).value();
  const Resource job = make("System.Account.Job", account.urn);
  const Resource group = make("System.Group");
  ASSERT_TRUE(graph_->add_member(job.urn, {.collection = group.urn}));
  EXPECT_THAT(kinds({.whole_table = true}), IsEmpty());
  EXPECT_THAT(kinds({.below = account.urn}), IsEmpty());
  EXPECT_THAT(kinds({.account = account.urn}), IsEmpty());
}

TEST_F(RelationUpkeep, what_is_wrong_once_and_not_again_is_no_finding_although_the_like_is) {
  const Resource user = graph_->create({.type = "System.User", .unique = {{"email", "a"}, {"badge", "1"}}}).value();
  const Item email = record("UniqueKeyValue#System.User#email#a", "UniqueKeyValue#System.User#email").value();
  erase("UniqueKeyValue#System.User#email#a", "UniqueKeyValue#System.User#email");
  erase("UniqueKeyValue#System.User#badge#1", "UniqueKeyValue#System.User#badge");
  RelationsOptions mended_between_two_looks = options();
  mended_between_two_looks.sleep = [&](std::chrono::milliseconds) { put(email); };
  Relations graph = Relations::open(*store_, "system", types(), std::move(mended_between_two_looks)).value();
  const FindingPage page = graph.verify({.whole_table = true}, {.limit = 1000}).value();
  ASSERT_EQ(page.findings.size(), 1U);
  EXPECT_EQ(page.findings[0].kind, "missing-unique");
  EXPECT_EQ(page.findings[0].message, "nothing keeps its badge \"1\" unique");
}

TEST_F(RelationUpkeep, missing_and_dangling_records_are_found_and_mended) {
  const Resource a = graph_->create({.type = "System.User", .unique = {{"email", "a"}}}).value();
  const Resource b = make("System.User", a.urn);
  const Resource c = make("System.User", a.urn);
  const Resource group = make("System.Group");
  ASSERT_TRUE(graph_->add_member(c.urn, {.collection = group.urn}));
  erase("Parent#" + a.urn, "Child#" + b.urn);
  erase("Resource#" + c.urn, "Resource#" + c.urn);
  erase("UniqueKeyValue#System.User#email#a", "UniqueKeyValue#System.User#email");
  EXPECT_THAT(kinds({.whole_table = true}),
              testing::UnorderedElementsAre("missing-edge", "dangling-edge", "dangling-membership", "missing-unique"));
  kinds({.whole_table = true}, true);
  EXPECT_THAT(kinds({.whole_table = true}), IsEmpty());
  EXPECT_EQ(graph_->children(a.urn)->items.size(), 1U);
  EXPECT_EQ(graph_->find_unique({.type = "System.User", .key = "email", .value = "a"}).value()->owner, a.urn);
}

TEST_F(RelationUpkeep, a_second_parent_is_removed) {
  const Resource a = make("System.Group");
  const Resource b = make("System.Group");
  const Resource child = make("System.Group", a.urn);
  put({{"PK", "Parent#" + b.urn},
       {"SK", "Child#" + child.urn},
       {"_recordType", "ParentChildRelationship"},
       {"parentUrn", b.urn},
       {"childUrn", child.urn},
       {"_createdAt", "2025-11-02T10:15:30.123Z"}});
  EXPECT_THAT(kinds({.below = a.urn}), ElementsAre("second-parent"));
  kinds({.below = a.urn}, true);
  EXPECT_THAT(kinds({.below = a.urn}), IsEmpty());
  EXPECT_TRUE(graph_->children(b.urn)->items.empty());
}

TEST_F(RelationUpkeep, values_that_nobody_owns_become_free) {
  put({{"PK", "UniqueKeyValue#System.User#email#ghost"},
       {"SK", "UniqueKeyValue#System.User#email"},
       {"_recordType", "UniqueKeyValue"},
       {"_resourceType", "System.User"},
       {"key", "email"},
       {"value", "ghost"},
       {"associatedRecordUrn", "urn:pp:System.User::gone"},
       {"_createdAt", "2025-11-02T10:15:30.123Z"},
       {"_updatedAt", "2025-11-02T10:15:30.123Z"}});
  EXPECT_THAT(kinds({.whole_table = true}), ElementsAre("foreign-unique"));
  kinds({.whole_table = true}, true);
  EXPECT_TRUE(graph_->create({.type = "System.User", .unique = {{"email", "ghost"}}}));
}

TEST_F(RelationUpkeep, a_mark_without_its_job_gets_a_new_one) {
  const Resource a = make("System.Group");
  make("System.Group", a.urn);
  ASSERT_THAT(store_->update_item("system", {{"PK", "Resource#" + a.urn}, {"SK", "Resource#" + a.urn}},
                                  Update{}.set(attr("_deleteJob"), "urn:pp:Dolmen.DeleteJob::lost")),
              succeeds());
  EXPECT_THAT(graph_->get(a.urn), fails_with(Code::kResourceNotFound));
  EXPECT_THAT(kinds({.whole_table = true}), ElementsAre("stale-delete"));
  kinds({.whole_table = true}, true);
  EXPECT_EQ(graph_->pending_deletes()->size(), 1U);
  EXPECT_EQ(graph_->resume_deletes()->front().deleted.resources, 2U);
}

TEST_F(RelationUpkeep, records_of_other_programs_are_read_and_adopted) {
  const std::string parent = foreign("System.Group", "parent");
  const std::string child = foreign("System.Group", "child");
  foreign_edge(parent, child);
  EXPECT_TRUE(graph_->get(child));
  EXPECT_EQ(graph_->parent(child).value(), std::nullopt);
  for (int pass = 0; pass < 2; ++pass) kinds({.whole_table = true}, true);
  EXPECT_THAT(kinds({.whole_table = true}), IsEmpty());
  EXPECT_EQ(graph_->parent(child).value(), parent);
  EXPECT_EQ(graph_->remove(parent)->count.resources, 2U);
  EXPECT_EQ(records(), 0U);
}

TEST_F(RelationUpkeep, a_delete_reaches_a_child_that_was_adopted_from_below) {
  const Resource root = make("System.Group");
  const Resource parent = make("System.Group", root.urn);
  const Resource child = make("System.Group");
  const Resource grandchild = make("System.Group", child.urn);
  foreign_edge(parent.urn, child.urn);
  EXPECT_THAT(kinds({.below = child.urn}, true), ElementsAre("unrecorded-parent"));
  EXPECT_EQ(row(parent.urn).at("_height").number(), Number(2));
  EXPECT_EQ(row(root.urn).at("_height").number(), Number(3));
  EXPECT_THAT(kinds({.whole_table = true}), IsEmpty());
  EXPECT_THAT(graph_->remove(parent.urn, {.mode = DeleteMode::kRestrict}), fails_with(Code::kResourceInUse));
  EXPECT_EQ(graph_->remove(root.urn)->count.resources, 4U);
}

TEST_F(RelationUpkeep, a_delete_reaches_a_child_whose_edge_was_added_again) {
  const std::string parent = foreign("System.Group", "parent");
  const Resource child = make("System.Group", parent);
  erase("Parent#" + parent, "Child#" + child.urn);
  EXPECT_THAT(kinds({.below = parent}, true), ElementsAre("counters"));
  EXPECT_THAT(kinds({.below = child.urn}, true), ElementsAre("missing-edge"));
  EXPECT_EQ(graph_->remove(parent)->count.resources, 2U);
}

TEST_F(RelationUpkeep, a_parent_that_could_not_be_attached_is_not_adopted) {
  const Resource a = make("System.Group");
  const Resource b = make("System.Group", a.urn);
  foreign_edge(b.urn, a.urn);
  const Resource first = make("System.Account");
  const Resource second = make("System.Account");
  const Resource folder = graph_->create({.type = "System.Account.Folder", .account = first.urn}).value();
  foreign_edge(second.urn, folder.urn);
  const Resource user = make("System.User");
  const Resource account = make("System.Account");
  foreign_edge(user.urn, account.urn);
  for (const std::string& urn : {a.urn, folder.urn, account.urn}) {
    EXPECT_THAT(kinds({.below = urn}, true), testing::Contains("unrecorded-parent"));
    EXPECT_EQ(graph_->parent(urn).value(), std::nullopt);
  }
  EXPECT_THAT(graph_->ancestors(b.urn).value(), ElementsAre(a.urn));
  for (int pass = 0; pass < 5; ++pass) kinds({.whole_table = true}, true);
  EXPECT_THAT(kinds({.whole_table = true}), testing::Each("unrecorded-parent"));
  EXPECT_LE(row(a.urn).at("_height").number(), Number(2));
  EXPECT_EQ(graph_->remove(second.urn)->count.resources, 1U);
  EXPECT_TRUE(graph_->get(folder.urn));
  EXPECT_EQ(graph_->remove(a.urn)->count.resources, 2U);
}

TEST_F(RelationUpkeep, a_parent_that_makes_a_family_too_deep_is_not_adopted) {
  RelationsOptions shallow = options();
  shallow.depth_max = 2;
  graph_ = std::make_unique<Relations>(Relations::open(*store_, "system", types(), shallow).value());
  const Resource a = make("System.Group");
  const Resource b = make("System.Group", a.urn);
  const Resource c = make("System.Group");
  foreign_edge(b.urn, c.urn);
  EXPECT_THAT(kinds({.below = c.urn}, true), ElementsAre("unrecorded-parent"));
  EXPECT_EQ(graph_->parent(c.urn).value(), std::nullopt);
}

TEST_F(RelationUpkeep, none_of_two_unrecorded_parents_is_removed) {
  const Resource a = make("System.Group");
  const Resource b = make("System.Group");
  const Resource child = make("System.Group");
  foreign_edge(a.urn, child.urn);
  foreign_edge(b.urn, child.urn);
  for (int pass = 0; pass < 2; ++pass) EXPECT_THAT(kinds({.below = child.urn}, true), ElementsAre("unrecorded-parent"));
  EXPECT_EQ(graph_->children(a.urn)->items.size() + graph_->children(b.urn)->items.size(), 2U);
  erase("Resource#" + a.urn, "Resource#" + a.urn);
  EXPECT_THAT(kinds({.below = child.urn}, true), ElementsAre("dangling-edge", "unrecorded-parent"));
  EXPECT_EQ(graph_->parent(child.urn).value(), b.urn);
}

TEST_F(RelationUpkeep, a_circle_of_records_of_other_programs_can_be_deleted) {
  const std::string first = foreign("System.Group", "first");
  const std::string second = foreign("System.Group", "second");
  const std::string third = foreign("System.Group", "third");
  foreign_edge(first, second);
  foreign_edge(second, third);
  foreign_edge(third, first);
  foreign_edge(third, second);
  foreign_edge(second, second);
  const auto done = graph_->remove(first);
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_EQ(done->count.resources, 3U);
  EXPECT_EQ(records(), 1U) << "nothing but the queue of jobs";
}

TEST_F(RelationUpkeep, a_delete_takes_the_edges_and_values_of_records_of_other_programs_along) {
  for (const int children : {3, 150}) {
    const std::string above = foreign("System.Group", "above");
    const std::string root = foreign("System.Group", "root");
    foreign_edge(above, root);
    for (int i = 0; i < children; ++i) {
      const std::string email = std::to_string(i) + "@example.org";
      const std::string user = foreign("System.User", std::to_string(i), {{"email", email}});
      foreign_edge(root, user);
      put({{"PK", "UniqueKeyValue#System.User#email#" + email},
           {"SK", "UniqueKeyValue#System.User#email"},
           {"_recordType", "UniqueKeyValue"},
           {"_resourceType", "System.User"},
           {"key", "email"},
           {"value", email},
           {"associatedRecordUrn", user},
           {"_createdAt", "2025-01-01T00:00:00.000Z"},
           {"_updatedAt", "2025-01-01T00:00:00.000Z"}});
    }
    const auto count = static_cast<std::uint64_t>(children);
    const DeleteCount expected{.resources = count + 1, .edges = count + 1, .unique_values = count};
    EXPECT_EQ(graph_->remove(root, {.dry_run = true})->count, expected);
    const auto done = graph_->remove(root);
    ASSERT_TRUE(done) << done.error().message();
    EXPECT_EQ(done->count, expected);
    ASSERT_TRUE(graph_->remove(above));
    EXPECT_EQ(records(), done->job.empty() ? 0U : 1U) << "nothing but the queue of jobs";
  }
}

}  // namespace
}  // namespace dolmen
