#include "base/test_result.h"
#include "opened.h"
#include "tests/support/lacking.h"

namespace dolmen {
namespace {

TEST(Documents, on_a_store_without_transactions_are_refused_when_they_are_opened) {
  const std::unique_ptr<Store> whole = open("memory:").value();
  const std::unique_ptr<Store> lacking = WithoutTransactions::make(*whole);
  const Result<Documents> opened = Documents::open(*lacking);
  ASSERT_THAT(opened, fails_with(Code::kUnsupported));
  EXPECT_EQ(opened.error().message(),
            "this store has no transactions (TransactWriteItems), which are needed to keep documents, their ids and "
            "their indexes together");
  EXPECT_TRUE(whole->list_tables()->names.empty()) << "nothing is left behind";
}

}  // namespace
}  // namespace dolmen
