// How the items of several models are told apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "bound_table.h"

namespace dolmen::contract {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using ContractKinds = BoundTable;

TEST_F(ContractKinds, tells_models_apart_by_the_prefix_of_a_key) {
  Definition both = notes();
  both.kinds = {Kind{.model = "Note", .partition_prefix = "NOTE#"}, Kind{.model = "Tag", .partition_prefix = "TAG#"}};
  ASSERT_TRUE(bind(Mode::kEnforce, both));
  EXPECT_EQ(put({{"pk", "NOTE#1"}, {"text", "x"}}), "");
  EXPECT_EQ(put({{"pk", "TAG#1"}, {"colour", "red"}}), "");
  EXPECT_THAT(put({{"pk", "TAG#2"}, {"text", "x"}}), HasSubstr("model Tag: colour (required)"));
  EXPECT_THAT(put({{"pk", "USER#1"}}),
              AllOf(HasSubstr("pk (kind): expected pk beginning with \"NOTE#\" for model Note, or "),
                    HasSubstr("found pk \"USER#1\"")));
}

TEST_F(ContractKinds, tells_models_and_schemas_apart_by_a_discriminator) {
  const Definition all{.models = {{"notes.yml", kNotes}}, .schemas = {kUsers}, .discriminator = "kind", .kinds = {}};
  ASSERT_TRUE(bind(Mode::kEnforce, all));
  EXPECT_EQ(put({{"pk", "a"}, {"kind", "Tag"}, {"colour", "red"}}), "");
  EXPECT_EQ(put({{"pk", "b"}, {"kind", "users"}, {"_id", "u1"}, {"age", 7}}), "");
  EXPECT_THAT(put({{"pk", "b"}, {"kind", "users"}, {"_id", "u1"}, {"age", "7"}}),
              HasSubstr("schema users v1: age (type)"));
  EXPECT_THAT(put({{"pk", "c"}, {"kind", "Tags"}, {"colour", "red"}}), HasSubstr("kind (kind): expected"));
}

TEST_F(ContractKinds, a_definition_that_cannot_be_checked_is_refused) {
  Definition unclear = notes();
  unclear.kinds.clear();
  EXPECT_THAT(bind(Mode::kEnforce, unclear).error().message(),
              HasSubstr("nothing distinguishes the items of model Note from those of the other"));
  unclear.kinds = {Kind{.model = "Nobody"}};
  EXPECT_FALSE(bind(Mode::kEnforce, unclear));
  ASSERT_TRUE(create_table(store_->service(), {.name = "numbers", .partition_key = {"pk", KeyType::kNumber}}));
  const auto refused = contracts_->bind({.table = "numbers", .version = "v1", .definition = notes()});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kInvalidModel));
}

TEST_F(ContractKinds, several_that_are_named_are_told_apart_by_a_discriminator_that_holds_their_names) {
  Definition both = notes();
  both.discriminator = "kind";
  both.kinds = {Kind{.model = "Note"}, Kind{.model = "Tag", .value = "T"}};
  ASSERT_TRUE(bind(Mode::kEnforce, both));
  EXPECT_EQ(put({{"pk", "a"}, {"kind", "Note"}, {"text", "x"}}), "");
  EXPECT_EQ(put({{"pk", "a"}, {"kind", "T"}, {"colour", "red"}}), "");
  EXPECT_THAT(put({{"pk", "a"}, {"kind", "Tag"}, {"colour", "red"}}), HasSubstr("kind (kind): expected"));
  EXPECT_THAT(put({{"pk", "a"}, {"text", "x"}}), HasSubstr("found pk \"a\", kind nothing"));
}

TEST_F(ContractKinds, several_that_nothing_tells_apart_are_refused) {
  Definition both = notes();
  both.kinds = {Kind{.model = "Note", .partition_prefix = "NOTE#"}, Kind{.model = "Tag"}};
  EXPECT_THAT(bind(Mode::kEnforce, both).error().message(), HasSubstr("nothing distinguishes the items of model Tag"));
}

TEST_F(ContractKinds, the_longer_prefix_comes_first_or_is_refused) {
  Definition both = notes();
  both.kinds = {Kind{.model = "Note", .partition_prefix = "N#"}, Kind{.model = "Tag", .partition_prefix = "N#TAG#"}};
  EXPECT_THAT(bind(Mode::kEnforce, both).error().message(), HasSubstr("no item would ever match model Tag"));
  std::swap(both.kinds[0], both.kinds[1]);
  ASSERT_TRUE(bind(Mode::kEnforce, both));
  EXPECT_EQ(put({{"pk", "N#TAG#1"}, {"colour", "red"}}), "");
  EXPECT_EQ(put({{"pk", "N#1"}, {"text", "x"}}), "");
}

TEST_F(ContractKinds, items_of_a_schema_have_paths_and_are_told_what_was_expected_and_found) {
  const Definition users{.models = {}, .schemas = {kUsers}, .discriminator = {}, .kinds = {}};
  ASSERT_TRUE(bind(Mode::kEnforce, users));
  EXPECT_EQ(put({{"pk", "a"}, {"_id", "u1"}, {"age", 7}}), "");
  EXPECT_THAT(put({{"pk", "a"}, {"age", Number::parse("7.5").value()}, {"more", true}}),
              AllOf(HasSubstr("schema users v1: _id (required): expected string, found nothing"),
                    HasSubstr("age (int_range): expected an int of 64 bits, found 7.5"),
                    HasSubstr("more (undeclared): expected only what users v1 declares, found BOOL")));
}

}  // namespace
}  // namespace dolmen::contract
