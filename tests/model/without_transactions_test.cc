#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/model/transaction.h"
#include "parcels.h"
#include "tests/support/lacking.h"

namespace dolmen {
namespace {

TEST(WithoutTransactions, models_work_and_only_their_transactions_are_refused) {
  Parcels parcels;
  const std::unique_ptr<Store> lacking = WithoutTransactions::make(*parcels.store);
  ModelTable table = ModelTable::open(*lacking, parcel_model()).value();
  LogicalItem lamp{{"pk", "P"}, {"sk", 1}, {"status", "packed"}};
  ASSERT_THAT(table.create(lamp), succeeds());
  lamp = table.get(lamp).value();
  EXPECT_THAT(table.update(lamp, {"status"}), succeeds());
  EXPECT_EQ(table.query().partition("P").all()->size(), 1U);

  const Result<void> committed = ModelTransaction(*lacking).remove(table, lamp).commit();
  ASSERT_THAT(committed, fails_with(Code::kUnsupported));
  EXPECT_EQ(committed.error().message(), "the endpoint does not support TransactWriteItems");
  EXPECT_THAT(table.get(lamp), succeeds());
}

}  // namespace
}  // namespace dolmen
