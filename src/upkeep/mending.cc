#include "upkeep/mending.h"

#include <algorithm>

#include "base/fail.h"
#include "transfer/item_check.h"

namespace dolmen::upkeep {
namespace {

/// So often an item is read again because somebody else was faster.
constexpr int kMendAttempts = 20;

/// The change that mends an item, and what must still be stored for it.
struct MendingUpdate {
  Update update;
  Condition condition;
};

Result<MendingUpdate> update_for(const Item& item, const DriftRules::Verdict& verdict, KeyProvider* keys) {
  MendingUpdate mending;
  for (const Finding& finding : verdict.findings) {
    if (finding.mend == Mend::kNothing) continue;
    const AttributeValue& stored = item.at(finding.path);
    const Path path = attr(finding.path);
    if (finding.mend == Mend::kRemove) {
      mending.update.remove(path);
    } else if (finding.mend == Mend::kSet) {
      mending.update.set(path, *finding.mended);
    } else {
      if (keys == nullptr) return fail(Code::kEncryptionNotConfigured, "there are no keys to encrypt with");
      DOLMEN_TRY(AttributeValue envelope,
                 seal(stored, {.model = verdict.model->name, .attribute = finding.path}, *keys));
      mending.update.set(path, std::move(envelope));
    }
    mending.condition = std::move(mending.condition) && path == stored;
  }
  return mending;
}

}  // namespace

bool is_mendable(const DriftRules::Verdict& verdict) {
  return std::ranges::any_of(verdict.findings, [](const Finding& finding) { return finding.mend != Mend::kNothing; });
}

Result<MendOutcome> Mender::mend(Item item, DriftRules::Verdict verdict) {
  for (int attempt = 1;; ++attempt) {
    const Item key = transfer::key_item(item, table_);
    DOLMEN_TRY(const MendingUpdate mending, update_for(item, verdict, keys_));
    const Result<WriteResult> done =
        store_.update_item(table_.name, key, mending.update, {.condition = mending.condition});
    if (done) return MendOutcome{.verdict = std::move(verdict), .mended = true};
    if (done.error().code() == Code::kValidation)
      return MendOutcome{.verdict = std::move(verdict), .refusal = done.error().message()};
    if (done.error().code() != Code::kConditionFailed) return std::unexpected(done.error());
    DOLMEN_TRY(GetResult again, store_.get_item(table_.name, key));
    if (!again.item) return MendOutcome{};
    item = std::move(*again.item);
    DOLMEN_TRY(verdict, rules_.check(item));
    if (!is_mendable(verdict)) return MendOutcome{.verdict = std::move(verdict)};
    if (attempt == kMendAttempts)
      return MendOutcome{.verdict = std::move(verdict), .refusal = "it was changed again and again meanwhile"};
  }
}

}  // namespace dolmen::upkeep
