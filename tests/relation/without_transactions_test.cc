#include "company.h"
#include "tests/support/lacking.h"

namespace dolmen {
namespace {

TEST_F(CompanyTest, a_store_without_transactions_is_refused_when_it_is_opened) {
  const std::unique_ptr<Store> lacking = WithoutTransactions::make(*store_);
  const Result<Relations> opened = Relations::open(*lacking, "system", types());
  ASSERT_THAT(opened, fails_with(Code::kUnsupported));
  EXPECT_EQ(opened.error().message(),
            "this store has no transactions (TransactWriteItems), which are needed to keep unique values unique and "
            "families whole");
}

}  // namespace
}  // namespace dolmen
