// The contract gate: what may be written to a bound table, by every way of writing.
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/failures.h"
#include "api/test_calls.h"
#include "contract/contracts.h"
#include "store/embedded/embedded.h"
#include "value/encoded_item.h"

namespace dolmen::contract {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kNotes = R"(dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "text", type: "S", required: true }
      - { attribute: "stars", type: "N", format: "int" }
      - { attribute: "secret", type: "S", encryption: {} }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
  - name: "Tag"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "colour", type: "S", required: true }
)";

constexpr const char* kUsers = R"({"schema_id":"users","schema_version":"v1","fields":{
  "_id":{"type":"string","required":true},"age":{"type":"int","required":false}}})";

Definition notes() {
  return {.models = {{"notes.yml", kNotes}}, .schemas = {}, .discriminator = {}, .kinds = {Kind{.model = "Note"}}};
}

class ContractGate : public ::testing::Test {
 protected:
  ContractGate() {
    open();
    EXPECT_TRUE(create_table(*service_, {.name = "notes", .partition_key = {"pk", KeyType::kString}}));
  }
  ~ContractGate() override {
    service_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void open() {
    service_.reset();
    service_ = open_embedded_service({.directory = folder_ / "data"}).value();
    contracts_ = std::make_unique<Contracts>(*service_);
  }

  Result<StoredItems> bind(Mode mode = Mode::kEnforce, Definition definition = notes(), std::string version = "v1") {
    return contracts_->bind({.table = "notes",
                             .version = std::move(version),
                             .mode = mode,
                             .definition = std::move(definition),
                             .accept_violations = accept_});
  }

  static WriteRequest put_of(const Item& item) {
    return {.kind = WriteKind::kPut, .table = "notes", .item = encode_item(item)};
  }
  static WriteRequest update_of(std::string text, Item values) {
    return {.kind = WriteKind::kUpdate,
            .table = "notes",
            .item = encode_item({{"pk", "a"}}),
            .update = Expression{std::move(text)},
            .placeholders = {.values = std::move(values)}};
  }

  /// Empty when the item is written, else the message; the code must be kValidation.
  std::string put(const Item& item) { return message(call(*service_, put_of(item))); }
  std::string update(std::string text, Item values) {
    return message(call(*service_, update_of(std::move(text), std::move(values))));
  }
  template <class Response>
  static std::string message(const Result<Response>& result) {
    if (result) return "";
    EXPECT_EQ(result.error().code(), Code::kValidation);
    return result.error().message();
  }
  bool exists(const std::string& key) {
    return call(*service_, GetItemRequest{.table = "notes", .key = encode_item({{"pk", key}})})
        .value()
        .item.has_value();
  }

  static std::filesystem::path make_folder() {
    std::string name = std::filesystem::temp_directory_path() / "dolmen-contracts-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    return name;
  }

  const std::filesystem::path folder_ = make_folder();
  std::unique_ptr<Service> service_;
  std::unique_ptr<Contracts> contracts_;
  bool accept_ = false;
};

TEST_F(ContractGate, lets_through_what_fits_and_refuses_what_does_not_with_model_path_rule_expected_and_found) {
  ASSERT_TRUE(bind());
  EXPECT_EQ(put({{"pk", "a"}, {"text", "hello"}, {"stars", 3}}), "");
  EXPECT_EQ(put({{"pk", "b"}, {"text", "hello"}, {"stars", "three"}}),
            "One or more parameter values were invalid: the item breaks the contract v1 of table notes, model Note: "
            "stars (type): expected N, found S");
  EXPECT_THAT(put({{"pk", "b"}}), HasSubstr("model Note: text (required): expected S, found nothing"));
  EXPECT_THAT(put({{"pk", "b"}, {"text", "x"}, {"more", true}}), HasSubstr("more (undeclared)"));
  EXPECT_THAT(put({{"pk", "b"}, {"text", nullptr}}), HasSubstr("text (null): expected S, found NULL"));
  EXPECT_THAT(put({{"pk", "b"}, {"text", "x"}, {"stars", Number::parse("1.5").value()}}),
              HasSubstr("stars (format): expected a whole number, found 1.5"));
  EXPECT_FALSE(exists("b"));
}

TEST_F(ContractGate, refuses_a_plaintext_secret_and_does_not_repeat_it) {
  ASSERT_TRUE(bind());
  const std::string refusal = put({{"pk", "a"}, {"text", "x"}, {"secret", "hunter2"}});
  EXPECT_THAT(refusal, AllOf(HasSubstr("secret (encrypted): expected an encrypted envelope"), HasSubstr("found S")));
  EXPECT_EQ(refusal.find("hunter2"), std::string::npos);
  const Item envelope{
      {"v", 1}, {"edk", Bytes("key")}, {"nonce", Bytes(std::string(12, 'n'))}, {"ct", Bytes(std::string(20, 'c'))}};
  EXPECT_EQ(put({{"pk", "a"}, {"text", "x"}, {"secret", envelope}}), "");
}

TEST_F(ContractGate, refuses_a_stale_version) {
  ASSERT_TRUE(bind());
  EXPECT_EQ(put({{"pk", "a"}, {"text", "x"}, {"version", 5}}), "");
  EXPECT_THAT(put({{"pk", "a"}, {"text", "y"}, {"version", 5}}),
              HasSubstr("version (version): expected more than 5, which is stored, found 5"));
  EXPECT_THAT(put({{"pk", "a"}, {"text", "y"}}), HasSubstr("found nothing"));
  EXPECT_EQ(put({{"pk", "a"}, {"text", "y"}, {"version", 6}}), "");
  EXPECT_THAT(update("SET version = :v", {{":v", 4}}), HasSubstr("expected at least 6, which is stored, found 4"));
  EXPECT_EQ(update("ADD version :one SET stars = :s", {{":one", 1}, {":s", 2}}), "");
}

TEST_F(ContractGate, stands_before_updates_batches_and_transactions_and_a_refusal_leaves_no_trace) {
  ASSERT_TRUE(bind());
  ASSERT_EQ(put({{"pk", "a"}, {"text", "x"}}), "");
  EXPECT_THAT(update("SET stars = :s", {{":s", "many"}}), HasSubstr("stars (type): expected N, found S"));

  BatchWriteRequest batch;
  batch.writes = {put_of({{"pk", "good"}, {"text", "x"}}), put_of({{"pk", "bad"}})};
  EXPECT_THAT(message(call(*service_, std::move(batch))), HasSubstr("text (required)"));

  TransactWriteRequest transaction;
  transaction.writes = {put_of({{"pk", "good"}, {"text", "x"}}), put_of({{"pk", "bad"}, {"text", 1}})};
  const auto canceled = call(*service_, std::move(transaction));
  ASSERT_FALSE(canceled);
  EXPECT_EQ(canceled.error().code(), Code::kTransactionCanceled);
  const auto& reasons = canceled.error().payload<Cancellation>()->reasons;
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[1].code, "ValidationError");
  EXPECT_THAT(reasons[1].message, HasSubstr("text (type): expected S, found N"));
  EXPECT_FALSE(exists("good"));
  EXPECT_FALSE(exists("bad"));
  EXPECT_EQ(contracts_->status("notes")->findings.refused, 3U);
}

TEST_F(ContractGate, deletes_and_other_tables_are_left_alone) {
  ASSERT_TRUE(create_table(*service_, {.name = "other", .partition_key = {"pk", KeyType::kString}}));
  ASSERT_EQ(put({{"pk", "a"}, {"text", "x"}}), "");
  ASSERT_TRUE(bind());
  EXPECT_TRUE(
      call(*service_, WriteRequest{.kind = WriteKind::kDelete, .table = "notes", .item = encode_item({{"pk", "a"}})}));
  EXPECT_TRUE(call(
      *service_,
      WriteRequest{.kind = WriteKind::kPut, .table = "other", .item = encode_item({{"pk", "a"}, {"anything", true}})}));
}

TEST_F(ContractGate, in_mode_warn_counts_and_writes) {
  ASSERT_TRUE(bind(Mode::kWarn));
  EXPECT_EQ(put({{"pk", "a"}, {"text", 1}}), "");
  EXPECT_EQ(put({{"pk", "b"}}), "");
  EXPECT_EQ(put({{"pk", "c"}, {"text", "x"}}), "");
  EXPECT_TRUE(exists("b"));
  const ContractStatus status = contracts_->status("notes").value();
  EXPECT_EQ(status.findings.warned, 2U);
  EXPECT_EQ(status.findings.refused, 0U);
  EXPECT_THAT(status.findings.last, HasSubstr("text (required)"));
}

TEST_F(ContractGate, is_there_again_after_a_restart_and_gone_after_unbind) {
  ASSERT_TRUE(bind());
  open();
  EXPECT_NE(put({{"pk", "a"}}), "");
  EXPECT_EQ(contracts_->unbind("notes"), true);
  EXPECT_EQ(contracts_->unbind("notes"), false);
  EXPECT_EQ(put({{"pk", "a"}}), "");
  open();
  EXPECT_EQ(put({{"pk", "b"}}), "");
  EXPECT_THAT(contracts_->status("notes")->versions, ElementsAre("v1"));
}

TEST_F(ContractGate, goes_with_its_table_and_is_not_taken_over_by_another_of_that_name) {
  ASSERT_TRUE(bind());
  ASSERT_TRUE(delete_table(*service_, "notes"));
  ASSERT_TRUE(create_table(*service_, {.name = "notes", .partition_key = {"pk", KeyType::kString}}));
  EXPECT_EQ(put({{"pk", "a"}}), "");
  open();
  EXPECT_EQ(put({{"pk", "b"}}), "");
  EXPECT_FALSE(contracts_->status("notes")->active);
  EXPECT_THAT(contracts_->status().value(), ::testing::IsEmpty());
}

TEST_F(ContractGate, counts_stored_items_that_break_it_before_anything_is_switched) {
  ASSERT_EQ(put({{"pk", "a"}}), "");
  ASSERT_EQ(put({{"pk", "b"}, {"text", "x"}}), "");
  const Result<StoredItems> refused = bind();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kValidation);
  EXPECT_THAT(refused.error().message(), HasSubstr("1 of 2 stored items break the contract"));
  EXPECT_EQ(put({{"pk", "c"}}), "") << "nothing was bound";
  accept_ = true;
  const Result<StoredItems> stored = bind();
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->checked, 3U);
  EXPECT_EQ(stored->violating, 2U);
  EXPECT_NE(put({{"pk", "c"}}), "");
}

TEST_F(ContractGate, a_published_version_never_changes_and_can_be_switched_back_to) {
  ASSERT_TRUE(bind());
  Definition stricter = notes();
  stricter.kinds = {Kind{.model = "Tag"}};
  EXPECT_EQ(bind(Mode::kEnforce, stricter).error().code(), Code::kSchemaImmutable);
  ASSERT_TRUE(bind(Mode::kEnforce, stricter, "v2"));
  EXPECT_EQ(put({{"pk", "a"}, {"colour", "red"}}), "");
  EXPECT_NE(put({{"pk", "b"}, {"text", "x"}}), "");
  accept_ = true;
  ASSERT_TRUE(bind(Mode::kEnforce, {}, "v1"));
  EXPECT_EQ(put({{"pk", "b"}, {"text", "x"}}), "");
  EXPECT_THAT(contracts_->status("notes")->versions, ElementsAre("v1", "v2"));
  EXPECT_EQ(bind(Mode::kEnforce, {}, "v3").error().code(), Code::kUnknownSchemaVersion);
}

TEST_F(ContractGate, tells_models_apart_by_the_prefix_of_a_key) {
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

TEST_F(ContractGate, tells_models_and_schemas_apart_by_a_discriminator) {
  const Definition all{.models = {{"notes.yml", kNotes}}, .schemas = {kUsers}, .discriminator = "kind", .kinds = {}};
  ASSERT_TRUE(bind(Mode::kEnforce, all));
  EXPECT_EQ(put({{"pk", "a"}, {"kind", "Tag"}, {"colour", "red"}}), "");
  EXPECT_EQ(put({{"pk", "b"}, {"kind", "users"}, {"_id", "u1"}, {"age", 7}}), "");
  EXPECT_THAT(put({{"pk", "b"}, {"kind", "users"}, {"_id", "u1"}, {"age", "7"}}),
              HasSubstr("schema users v1: age (type)"));
  EXPECT_THAT(put({{"pk", "c"}, {"kind", "Tags"}, {"colour", "red"}}), HasSubstr("kind (kind): expected"));
}

TEST_F(ContractGate, a_definition_that_cannot_be_checked_is_refused) {
  Definition unclear = notes();
  unclear.kinds.clear();
  EXPECT_THAT(bind(Mode::kEnforce, unclear).error().message(), HasSubstr("how their items are told apart"));
  unclear.kinds = {Kind{.model = "Nobody"}};
  EXPECT_FALSE(bind(Mode::kEnforce, unclear));
  ASSERT_TRUE(create_table(*service_, {.name = "numbers", .partition_key = {"pk", KeyType::kNumber}}));
  const auto refused = contracts_->bind({.table = "numbers", .version = "v1", .definition = notes()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kInvalidModel);
}

}  // namespace
}  // namespace dolmen::contract
