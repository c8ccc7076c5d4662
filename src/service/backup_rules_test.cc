#include "service/backup_rules.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

TableDefinition source_of(BillingMode mode) {
  TableDefinition table{.name = "source", .partition_key = {"p"}, .billing_mode = mode};
  if (mode == BillingMode::kProvisioned) table.throughput = {.read_units = 5, .write_units = 6};
  return table;
}

Result<TableDefinition> restored(BillingMode mode, const RestoreOverrides& overrides) {
  return restored_definition(source_of(mode), "target", overrides);
}

TEST(BackupRules, a_restored_table_is_billed_as_its_source_unless_it_is_told) {
  const TableDefinition same = restored(BillingMode::kProvisioned, {}).value();
  EXPECT_EQ(same.name, "target");
  EXPECT_EQ(same.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(same.throughput, (Throughput{.read_units = 5, .write_units = 6}));
  const TableDefinition more =
      restored(BillingMode::kProvisioned, {.throughput = Throughput{.read_units = 7, .write_units = 8}}).value();
  EXPECT_EQ(more.throughput, (Throughput{.read_units = 7, .write_units = 8}));
  const TableDefinition by_request =
      restored(BillingMode::kProvisioned, {.billing_mode = BillingMode::kPayPerRequest}).value();
  EXPECT_EQ(by_request.billing_mode, BillingMode::kPayPerRequest);
  EXPECT_EQ(by_request.throughput, Throughput{});
  EXPECT_THAT(restored(BillingMode::kPayPerRequest, {.billing_mode = BillingMode::kPayPerRequest}), succeeds());
}

TEST(BackupRules, a_restored_table_has_the_throughput_of_its_billing_mode) {
  const Throughput some{.read_units = 7, .write_units = 8};
  EXPECT_THAT(
      restored(BillingMode::kProvisioned, {.billing_mode = BillingMode::kPayPerRequest, .throughput = some}),
      fails_with(
          Code::kValidation,
          "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST"));
  EXPECT_THAT(restored(BillingMode::kPayPerRequest, {.throughput = some}),
              fails_with(Code::kValidation,
                         "Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED"));
  EXPECT_THAT(
      restored(BillingMode::kPayPerRequest, {.billing_mode = BillingMode::kProvisioned}),
      fails_with(Code::kValidation,
                 "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED"));
}

TEST(BackupRules, a_backup_has_a_name_of_3_to_255_characters) {
  for (const std::string& name : {std::string("abc"), std::string("A.b-c_9"), std::string(255, 'x')})
    EXPECT_THAT(check_backup_name(name), succeeds()) << name;
  for (const std::string& name : {std::string("ab"), std::string("a b c"), std::string(256, 'x')})
    EXPECT_THAT(check_backup_name(name), fails_with(Code::kValidation)) << name;
}

}  // namespace
}  // namespace dolmen
