// The contract gate: what may be written to a bound table, by every way of writing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "bound_table.h"
#include "service/failures.h"

namespace dolmen::contract {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using ContractGate = BoundTable;

TEST_F(ContractGate, lets_through_what_fits_and_refuses_what_does_not_with_model_path_rule_expected_and_found) {
  ASSERT_TRUE(bind());
  EXPECT_EQ(put({{"pk", "a"}, {"text", "hello"}, {"stars", 3}}), "");
  EXPECT_EQ(put({{"pk", "b"}, {"text", "hello"}, {"stars", "three"}}),
            "One or more parameter values were invalid: the item with pk \"b\" breaks the contract v1 of table notes, "
            "model Note: stars (type): expected N, found S");
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

TEST_F(ContractGate, stands_before_updates_batches_and_transactions_and_a_refusal_leaves_no_trace) {
  ASSERT_TRUE(bind());
  ASSERT_EQ(put({{"pk", "a"}, {"text", "x"}}), "");
  EXPECT_THAT(update("SET stars = :s", {{":s", "many"}}), HasSubstr("stars (type): expected N, found S"));

  BatchWriteRequest batch;
  batch.writes = {put_of({{"pk", "good"}, {"text", "x"}}), put_of({{"pk", "bad"}})};
  EXPECT_THAT(message(call(store_->service(), std::move(batch))), HasSubstr("text (required)"));

  TransactWriteRequest transaction;
  transaction.writes = {put_of({{"pk", "good"}, {"text", "x"}}), put_of({{"pk", "bad"}, {"text", 1}})};
  const auto canceled = call(store_->service(), std::move(transaction));
  ASSERT_FALSE(canceled);
  EXPECT_THAT(canceled, fails_with(Code::kTransactionCanceled));
  const auto& reasons = canceled.error().payload<Cancellation>()->reasons;
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[1].code, "ValidationError");
  EXPECT_THAT(reasons[1].message, HasSubstr("text (type): expected S, found N"));
  EXPECT_FALSE(exists("good"));
  EXPECT_FALSE(exists("bad"));
  EXPECT_EQ(contracts_->status("notes")->findings.refused, 3U);
}

TEST_F(ContractGate, deletes_and_other_tables_are_left_alone) {
  ASSERT_TRUE(create_table(store_->service(), {.name = "other", .partition_key = {"pk", KeyType::kString}}));
  ASSERT_EQ(put({{"pk", "a"}, {"text", "x"}}), "");
  ASSERT_TRUE(bind());
  EXPECT_TRUE(call(store_->service(),
                   WriteRequest{.kind = WriteKind::kDelete, .table = "notes", .item = encode_item({{"pk", "a"}})}));
  EXPECT_TRUE(call(
      store_->service(),
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

TEST_F(ContractGate, in_mode_warn_tells_the_operator_ever_more_seldom_and_again_after_a_restart) {
  ASSERT_TRUE(bind(Mode::kWarn));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(put({{"pk", "key" + std::to_string(i)}}), "");
  const auto warning = [](int number) {
    return AllOf(StartsWith("warning " + std::to_string(number) + ": an item breaks the contract"),
                 HasSubstr("text (required)"), Not(HasSubstr("key")));
  };
  EXPECT_THAT(warnings_, ElementsAre(warning(1), warning(2), warning(4), warning(8)));
  warnings_.clear();
  open();
  EXPECT_EQ(put({{"pk", "key"}}), "");
  EXPECT_THAT(warnings_, ElementsAre(warning(1)));
}

TEST_F(ContractGate, in_mode_warn_writes_nothing_to_the_standard_error_itself) {
  ASSERT_TRUE(bind(Mode::kWarn));
  testing::internal::CaptureStderr();
  EXPECT_EQ(put({{"pk", "a"}}), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(ContractGate, names_every_violation_on_one_line_that_can_be_read) {
  ASSERT_TRUE(bind());
  EXPECT_THAT(put({{"pk", "b\n"}, {"stars", "x"}, {"a\nb", 1}, {std::string(5000, 'n'), 1}}),
              HasSubstr("the item with pk \"b\\n\" breaks the contract v1 of table notes, model Note: "
                        "\"a\\nb\" (undeclared): expected only what the model declares, found an attribute of type N; "
                        "a text of 5000 bytes (undeclared): expected only what the model declares, found an attribute "
                        "of type N; stars (type): expected N, found S; text (required): expected S, found nothing"));
}

TEST_F(ContractGate, repeats_texts_of_up_to_100_bytes) {
  ASSERT_TRUE(bind());
  const std::string text(100, 'x');
  EXPECT_THAT(put({{"pk", text}}), HasSubstr("the item with pk \"" + text + "\" breaks"));
  EXPECT_THAT(put({{"pk", text + "x"}}), HasSubstr("the item with pk a text of 101 bytes breaks"));
}

TEST_F(ContractGate, a_put_of_a_stale_version_is_refused) {
  ASSERT_TRUE(bind());
  EXPECT_EQ(put({{"pk", "a"}, {"text", "x"}, {"version", 5}}), "") << "any version may come first";
  EXPECT_THAT(put({{"pk", "a"}, {"text", "y"}, {"version", 5}}),
              HasSubstr("version (version): expected more than 5, which is stored, found 5; read the item again"));
  EXPECT_THAT(put({{"pk", "a"}, {"text", "y"}, {"version", 1}}), HasSubstr("found 1"));
  EXPECT_THAT(put({{"pk", "a"}, {"text", "y"}}), HasSubstr("found nothing"));
  EXPECT_THAT(put({{"pk", "a"}, {"text", "y"}}), HasSubstr("found nothing"));
  EXPECT_EQ(put({{"pk", "a"}, {"text", "x"}, {"version", 5}}), "") << "sent twice";
  EXPECT_EQ(put({{"pk", "a"}, {"text", "y"}, {"version", 6}}), "");
}

TEST_F(ContractGate, an_update_of_a_stale_version_is_refused) {
  ASSERT_TRUE(bind());
  ASSERT_EQ(put({{"pk", "a"}, {"text", "x"}, {"version", 6}}), "");
  const auto set_version = [&](int version) {
    return update("SET version = :v, stars = :s", {{":v", version}, {":s", 100 + version}});
  };
  EXPECT_THAT(set_version(4), HasSubstr("expected more than 6, which is stored, found 4"));
  EXPECT_THAT(set_version(6), HasSubstr("found 6")) << "two have read version 5, and one of them was here already";
  EXPECT_THAT(update("REMOVE version", {}), HasSubstr("found nothing"));
  EXPECT_EQ(set_version(7), "");
  EXPECT_EQ(set_version(7), "") << "sent twice";
  EXPECT_EQ(update("ADD version :one SET stars = :s", {{":one", 1}, {":s", 2}}), "");
  EXPECT_EQ(update("SET stars = :s", {{":s", 3}}), "") << "it says nothing about the version";
}

TEST_F(ContractGate, in_mode_off_looks_at_nothing) {
  ASSERT_TRUE(bind(Mode::kOff));
  EXPECT_EQ(put({{"pk", "a"}, {"text", 1}}), "");
  EXPECT_EQ(contracts_->status("notes")->active->mode, Mode::kOff);
}

TEST_F(ContractGate, a_refused_write_leaves_every_file_byte_for_byte_as_it_was) {
  ASSERT_TRUE(bind());
  ASSERT_EQ(put({{"pk", "a"}, {"text", "x"}, {"version", 1}}), "");
  const auto before = picture();
  EXPECT_NE(put({{"pk", "b"}}), "");
  EXPECT_NE(put({{"pk", "a"}, {"text", "y"}, {"version", 1}}), "");
  EXPECT_NE(update("SET stars = :s", {{":s", "many"}}), "");
  BatchWriteRequest batch;
  batch.writes = {put_of({{"pk", "good"}, {"text", "x"}}), put_of({{"pk", "bad"}})};
  EXPECT_FALSE(call(store_->service(), std::move(batch)));
  TransactWriteRequest transaction;
  transaction.writes = {put_of({{"pk", "good"}, {"text", "x"}}), put_of({{"pk", "bad"}, {"text", 1}})};
  transaction.client_token = "once";
  EXPECT_FALSE(call(store_->service(), std::move(transaction)));
  EXPECT_EQ(picture(), before);
}

}  // namespace
}  // namespace dolmen::contract
