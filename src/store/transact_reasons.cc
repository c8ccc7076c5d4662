#include "store/transact_reasons.h"

#include <algorithm>
#include <array>

namespace dolmen {
namespace {

constexpr auto kPassing = std::to_array<std::string_view>(
    {"TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError", "InternalServerError"});

}  // namespace

bool is_passing(const TransactFailure& failure) {
  return std::ranges::find(kPassing, failure.reason) != kPassing.end();
}

bool may_try_again(const std::vector<TransactFailure>& failures) {
  return std::ranges::any_of(failures, is_passing) &&
         std::ranges::all_of(failures, [](const TransactFailure& f) { return f.reason == "None" || is_passing(f); });
}

}  // namespace dolmen
