#include "store/require_transactions.h"

#include "base/fail.h"

namespace dolmen {

Result<void> require_transactions(Store& store, const CheckAction& check, std::string_view what_for) {
  const Result<TransactWriteResult> answer = store.transact_write({check});
  if (answer) return {};
  if (answer.error().code() == Code::kUnknownOperation || answer.error().code() == Code::kUnsupported)
    return fail(Code::kUnsupported, "this store has no transactions (TransactWriteItems), which are needed to {}",
                what_for);
  return std::unexpected(answer.error());
}

}  // namespace dolmen
