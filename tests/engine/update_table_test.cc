// UpdateTable: what it changes, what it answers and what it refuses.
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kInvalidText = "One or more parameter values were invalid: ";

std::string invalid(std::string_view text) { return std::string(kInvalidText).append(text); }

const IndexDefinition kByColour{.name = "by-colour", .partition_keys = {{"colour"}}};

TableDefinition provisioned(std::string name) {
  IndexDefinition index = kByColour;
  index.throughput = {3, 4};
  return {.name = std::move(name),
          .partition_key = {"p"},
          .global_indexes = {index},
          .billing_mode = BillingMode::kProvisioned,
          .throughput = {5, 6}};
}

class UpdatedTable : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, {.name = "requests", .partition_key = {"p"}}), succeeds());
    ASSERT_THAT(create_table(*service_, provisioned("units")), succeeds());
  }

  Result<TableDescription> update(TableUpdate update) { return call<UpdateTable>(*service_, std::move(update)); }
  TableDescription described(const std::string& name) { return describe_table(*service_, name).value(); }

  FixedClock clock_;
  std::unique_ptr<Service> service_ = open_engine_with({.clock = &clock_});
};

TEST_F(UpdatedTable, shows_its_old_throughput_in_the_answer_and_the_new_one_afterwards) {
  const TableDescription answer = update({.table = "units", .throughput = Throughput{5, 10}}).value();
  EXPECT_EQ(answer.status, TableStatus::kUpdating);
  EXPECT_EQ(answer.definition.throughput, (Throughput{5, 6}));
  const TableDescription table = described("units");
  EXPECT_EQ(table.status, TableStatus::kActive);
  EXPECT_EQ(table.definition.throughput, (Throughput{5, 10}));
  EXPECT_EQ(table.throughput_changes.last_increase, clock_.table_time());
  EXPECT_EQ(table.throughput_changes.last_decrease, std::nullopt);
  EXPECT_EQ(table.warm, (WarmThroughput{5, 10}));
}

TEST_F(UpdatedTable, counts_its_decreases_until_midnight) {
  ASSERT_THAT(update({.table = "units", .throughput = Throughput{4, 5}}), succeeds());
  ASSERT_THAT(update({.table = "units", .throughput = Throughput{9, 4}}), succeeds());
  EXPECT_EQ(described("units").throughput_changes.decreases_today, 2);
  EXPECT_EQ(described("units").throughput_changes.last_increase, clock_.table_time());
  // What was once there stays warm.
  EXPECT_EQ(described("units").warm, (WarmThroughput{9, 6}));
  clock_.advance(std::chrono::hours(24));
  EXPECT_EQ(described("units").throughput_changes.decreases_today, 0);
  ASSERT_THAT(update({.table = "units", .throughput = Throughput{8, 4}}), succeeds());
  EXPECT_EQ(described("units").throughput_changes.decreases_today, 1);
}

TEST_F(UpdatedTable, refuses_the_throughput_that_it_has) {
  EXPECT_THAT(
      update({.table = "units", .throughput = Throughput{5, 6}}),
      fails_with(Code::kValidation,
                 "The provisioned throughput for the table will not change. The requested value equals the current "
                 "value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. "
                 "Current WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. Refer to "
                 "the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."));
  EXPECT_THAT(update({.table = "units", .indexes = {UpdateIndex{.name = "by-colour", .throughput = Throughput{3, 4}}}}),
              fails_with(Code::kValidation, testing::StartsWith("The provisioned throughput for the index by-colour "
                                                                "will not change.")));
}

TEST_F(UpdatedTable, changes_its_billing_only_with_the_throughput_of_all_indexes) {
  ASSERT_THAT(update({.table = "units", .billing_mode = BillingMode::kPayPerRequest}), succeeds());
  TableDescription table = described("units");
  EXPECT_EQ(table.definition.billing_mode, BillingMode::kPayPerRequest);
  EXPECT_EQ(table.definition.throughput, Throughput{});
  EXPECT_EQ(table.definition.global_indexes[0].throughput, Throughput{});
  EXPECT_EQ(table.pay_per_request_since, clock_.table_time());
  ASSERT_THAT(update({.table = "units", .on_demand = OnDemandThroughput{.max_read_units = 7}}), succeeds());

  EXPECT_THAT(update({.table = "units", .billing_mode = BillingMode::kProvisioned}),
              fails_with(Code::kValidation,
                         invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")));
  EXPECT_THAT(update({.table = "units", .billing_mode = BillingMode::kProvisioned, .throughput = Throughput{1, 1}}),
              fails_with(Code::kValidation, invalid("ProvisionedThroughput must be specified for index: by-colour")));
  ASSERT_THAT(update({.table = "units",
                      .billing_mode = BillingMode::kProvisioned,
                      .throughput = Throughput{1, 1},
                      .indexes = {UpdateIndex{.name = "by-colour", .throughput = Throughput{2, 2}}}}),
              succeeds());
  table = described("units");
  EXPECT_EQ(table.definition.throughput, (Throughput{1, 1}));
  EXPECT_EQ(table.definition.global_indexes[0].throughput, (Throughput{2, 2}));
  EXPECT_EQ(table.definition.on_demand, OnDemandThroughput{});
  EXPECT_EQ(table.pay_per_request_since, clock_.table_time());
}

TEST_F(UpdatedTable, that_is_billed_by_requests_takes_no_throughput) {
  EXPECT_THAT(update({.table = "requests", .throughput = Throughput{1, 1}}),
              fails_with(Code::kValidation, invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                                                    "when BillingMode is PAY_PER_REQUEST")));
  ASSERT_THAT(update({.table = "requests", .billing_mode = BillingMode::kPayPerRequest}), succeeds());
  EXPECT_EQ(described("requests").definition.billing_mode, BillingMode::kPayPerRequest);
}

TEST_F(UpdatedTable, merges_limits_and_removes_them_by_minus_one) {
  ASSERT_THAT(update({.table = "requests", .on_demand = OnDemandThroughput{.max_read_units = 10}}), succeeds());
  ASSERT_THAT(update({.table = "requests", .on_demand = OnDemandThroughput{.max_write_units = 20}}), succeeds());
  EXPECT_EQ(described("requests").definition.on_demand, (OnDemandThroughput{10, 20}));
  const auto answer = update({.table = "requests", .on_demand = OnDemandThroughput{.max_read_units = -1}});
  EXPECT_EQ(answer.value().definition.on_demand, (OnDemandThroughput{-1, 20}));
  EXPECT_EQ(answer.value().status, TableStatus::kActive);
  EXPECT_EQ(described("requests").definition.on_demand, (OnDemandThroughput{std::nullopt, 20}));
  EXPECT_THAT(update({.table = "requests", .on_demand = OnDemandThroughput{.max_read_units = 0}}),
              fails_with(Code::kValidation, invalid("Requested MaxReadRequestUnits for OnDemandThroughput for table is "
                                                    "outside of valid range")));
  EXPECT_THAT(update({.table = "units", .on_demand = OnDemandThroughput{.max_write_units = 1}}),
              fails_with(Code::kValidation, invalid("MaxWriteRequestUnits for OnDemandThroughput cannot be specified "
                                                    "when the table BillingMode is PROVISIONED")));
}

TEST_F(UpdatedTable, gets_warmer_but_never_colder) {
  const auto answer = update({.table = "requests", .warm = WarmThroughputUpdate{.read_units = 13'000}});
  EXPECT_EQ(answer.value().warm, (WarmThroughput{12'000, 4'000}));
  EXPECT_EQ(answer.value().warm_status, TableStatus::kUpdating);
  EXPECT_EQ(described("requests").warm, (WarmThroughput{13'000, 4'000}));
  EXPECT_THAT(
      update({.table = "requests", .warm = WarmThroughputUpdate{.read_units = 12'999}}),
      fails_with(Code::kValidation, invalid("Requested ReadUnitsPerSecond for WarmThroughput for table is lower "
                                            "than current WarmThroughput, decreasing WarmThroughput is not "
                                            "supported")));
  EXPECT_THAT(update({.table = "units",
                      .indexes = {UpdateIndex{.name = "by-colour", .warm = WarmThroughputUpdate{.write_units = 3}}}}),
              fails_with(Code::kValidation, invalid("Requested WriteUnitsPerSecond for WarmThroughput for index "
                                                    "by-colour is lower than current WarmThroughput, decreasing "
                                                    "WarmThroughput is not supported")));
}

TEST_F(UpdatedTable, starts_and_ends_its_stream) {
  const TableUpdate enable{.table = "requests", .stream = StreamUpdate{true, StreamView::kNewImage}};
  const TableUpdate disable{.table = "requests", .stream = StreamUpdate{false}};
  EXPECT_THAT(update(disable), fails_with(Code::kValidation, "Table has no stream to disable: TableName: requests"));
  const TableDescription answer = update(enable).value();
  EXPECT_EQ(answer.status, TableStatus::kUpdating);
  EXPECT_EQ(answer.definition.stream, StreamView::kNewImage);
  EXPECT_EQ(answer.stream_arn, answer.arn + "/stream/" + answer.stream_label);
  EXPECT_THAT(update(enable),
              fails_with(Code::kValidation, "Table already has an enabled stream: TableName: requests"));
  ASSERT_THAT(update(disable), succeeds());
  EXPECT_EQ(described("requests").definition.stream, std::nullopt);
  EXPECT_EQ(described("requests").stream_label, answer.stream_label);
  clock_.advance(std::chrono::seconds(1));
  EXPECT_NE(update(enable).value().stream_label, answer.stream_label);
  EXPECT_THAT(update({.table = "units", .stream = StreamUpdate{true}}),
              fails_with(Code::kValidation, invalid("If stream is being enabled then UpdateViewType is required")));
}

TEST_F(UpdatedTable, keeps_class_protection_and_key) {
  ASSERT_THAT(update({.table = "requests", .table_class = TableClass::kStandard}), succeeds());
  EXPECT_EQ(described("requests").definition.table_class, std::nullopt);
  const auto classed = update({.table = "requests", .table_class = TableClass::kInfrequentAccess});
  EXPECT_EQ(classed.value().status, TableStatus::kUpdating);
  EXPECT_EQ(classed.value().definition.table_class, std::nullopt);
  EXPECT_EQ(described("requests").definition.table_class, TableClass::kInfrequentAccess);
  EXPECT_EQ(described("requests").table_class_changed, clock_.table_time());

  EXPECT_EQ(update({.table = "requests", .deletion_protection = true}).value().status, TableStatus::kActive);
  EXPECT_THAT(delete_table(*service_, "requests"), fails_with(Code::kValidation));
  ASSERT_THAT(update({.table = "requests", .deletion_protection = false}), succeeds());

  EXPECT_THAT(update({.table = "requests", .encryption = EncryptionUpdate{}}),
              fails_with(Code::kValidation, invalid("Table is already encrypted by default")));
  ASSERT_THAT(update({.table = "requests", .encryption = EncryptionUpdate{"alias/mine"}}), succeeds());
  const std::string key = described("requests").definition.kms_key.value();
  EXPECT_THAT(key, testing::StartsWith("arn:aws:kms:us-east-1:000000000000:key/"));
  EXPECT_THAT(update({.table = "requests", .encryption = EncryptionUpdate{key}}), fails_with(Code::kValidation));
  ASSERT_THAT(update({.table = "requests", .encryption = EncryptionUpdate{}}), succeeds());
  EXPECT_EQ(described("requests").definition.kms_key, std::nullopt);
}

TEST_F(UpdatedTable, changes_settings_together_only_where_dynamodb_does) {
  const auto refused = [&](TableUpdate asked, std::string_view text) {
    asked.table = "units";
    EXPECT_THAT(update(asked), fails_with(Code::kValidation, invalid(text)));
  };
  const StreamUpdate stream{true, StreamView::kKeysOnly};
  refused({.encryption = EncryptionUpdate{"k"}, .table_class = TableClass::kStandard},
          "Server-Side Encryption modification must be the only operation in the request");
  refused({.table_class = TableClass::kStandard, .deletion_protection = true},
          "TableClass modification must be the only operation in the request");
  refused({.deletion_protection = true, .warm = WarmThroughputUpdate{1, 1}},
          "DeletionProtection modification must be the only operation in the request");
  refused({.stream = stream, .warm = WarmThroughputUpdate{1, 1}},
          "WarmThroughput must be the only operation in the request");
  refused({.indexes = {CreateIndex{kByColour}}, .warm = WarmThroughputUpdate{1, 1}},
          "Create global secondary index cannot be specified when updating WarmThroughput");
  refused({.stream = stream, .on_demand = OnDemandThroughput{1, 1}},
          "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  refused({.throughput = Throughput{1, 1}, .stream = stream},
          "You cannot modify stream status while updating table IOPS");
  refused({.throughput = Throughput{1, 1}, .indexes = {DeleteIndex{"by-colour"}}},
          "You cannot create or delete index while updating table IOPS");
  refused({.indexes = {DeleteIndex{"by-colour"}}, .stream = stream},
          "You cannot create or delete index while changing stream status");
  refused({.indexes = {DeleteIndex{"by-colour"}, UpdateIndex{.name = "by-colour", .throughput = Throughput{1, 1}}}},
          "Only one global secondary index update per index is allowed simultaneously. Index: by-colour");
  EXPECT_THAT(update({.table = "units", .indexes = {DeleteIndex{"by-colour"}, CreateIndex{{.name = "other"}}}}),
              fails_with(Code::kLimitExceeded,
                         "Subscriber limit exceeded: Only 1 online index can be created or "
                         "deleted simultaneously per table"));
  EXPECT_EQ(described("units").definition.throughput, (Throughput{5, 6}));
  EXPECT_EQ(described("units").definition.global_indexes.size(), 1U);
}

TEST_F(UpdatedTable, must_exist_and_must_be_asked_for_something) {
  EXPECT_THAT(update({.table = "nothing"}),
              fails_with(Code::kValidation, testing::StartsWith("At least one of ProvisionedThroughput, BillingMode")));
  EXPECT_THAT(update({.table = "nothing", .deletion_protection = true}),
              fails_with(Code::kTableNotFound, "Requested resource not found: Table: nothing not found"));
  EXPECT_THAT(update({.table = "nothing", .warm = WarmThroughputUpdate{}}), fails_with(Code::kTableNotFound));
  EXPECT_THAT(update({.table = "units", .warm = WarmThroughputUpdate{}}), fails_with(Code::kValidation));
  // Beside something else it is nothing.
  ASSERT_THAT(update({.table = "units", .deletion_protection = false, .warm = WarmThroughputUpdate{}}), succeeds());
}

TEST_F(UpdatedTable, knows_its_indexes) {
  EXPECT_THAT(update({.table = "units", .indexes = {DeleteIndex{"missing"}}}),
              fails_with(Code::kTableNotFound, "Requested resource not found: Index missing for table units"));
  IndexDefinition again = kByColour;
  again.throughput = {1, 1};
  EXPECT_THAT(update({.table = "units", .indexes = {CreateIndex{again}}}),
              fails_with(Code::kValidation, "Attempting to create an index which already exists"));
  again.name = "other";
  again.partition_keys[0].type = KeyType::kNumber;
  EXPECT_THAT(
      update({.table = "units", .indexes = {CreateIndex{again}}}),
      fails_with(Code::kValidation,
                 invalid("Attributes cannot be redefined. Please check that your attribute has the same type as "
                         "previously defined. Existing schema: Schema:[SchemaElement: key{colour:S:HASH}] New "
                         "schema: Schema:[SchemaElement: key{colour:N:HASH}]")));
  again.partition_keys[0] = {"shape"};
  again.throughput = {};
  EXPECT_THAT(update({.table = "units", .indexes = {CreateIndex{again}}}),
              fails_with(Code::kValidation,
                         invalid("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: other")));
  again.throughput = {1, 1};
  EXPECT_THAT(update({.table = "requests", .indexes = {CreateIndex{again}}}),
              fails_with(Code::kValidation, invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                                                    "for index: other when BillingMode is PAY_PER_REQUEST")));
}

TEST(ChangesOfATable, outlast_a_restart) {
  const TemporaryDirectory temp;
  TableDescription before;
  {
    const auto service = open_engine(temp / "data");
    ASSERT_THAT(create_table(*service, provisioned("units")), succeeds());
    ASSERT_THAT(call<UpdateTable>(*service, {.table = "units", .throughput = Throughput{2, 9}}), succeeds());
    ASSERT_THAT(call<UpdateTable>(*service, {.table = "units", .table_class = TableClass::kInfrequentAccess}),
                succeeds());
    ASSERT_THAT(
        call<UpdateTable>(*service, {.table = "units", .stream = StreamUpdate{true, StreamView::kNewAndOldImages}}),
        succeeds());
    before = describe_table(*service, "units").value();
  }
  const TableDescription after = describe_table(*open_engine(temp / "data"), "units").value();
  EXPECT_EQ(after.definition, before.definition);
  EXPECT_EQ(after.throughput_changes, before.throughput_changes);
  EXPECT_EQ(after.global_index_states, before.global_index_states);
  EXPECT_EQ(after.stream_arn, before.stream_arn);
  EXPECT_EQ(after.table_class_changed, before.table_class_changed);
  EXPECT_EQ(after.warm, before.warm);
}

}  // namespace
}  // namespace dolmen::engine
