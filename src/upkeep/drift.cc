#include "upkeep/drift.h"

#include <utility>

#include "base/fail.h"
#include "upkeep/mending.h"

namespace dolmen::upkeep {
namespace {

/// How long one look for changes takes when there are none.
constexpr std::chrono::milliseconds kDriftLook{500};

class DriftVisitor final : public transfer::ItemVisitor {
 public:
  DriftVisitor(Store& store, const TableDefinition& table, const DriftScan& scan)
      : table_(table), scan_(scan), mender_(store, table, scan.rules, scan.keys) {}

  Result<Settle> visit(std::vector<Item> items) override {
    DriftReport found;
    for (Item& item : items) DOLMEN_TRY_VOID(look_at(std::move(item), found, {}));
    return Settle([this, found = std::move(found)] { report_.add(found); });
  }

  [[nodiscard]] std::string saved() const override { return report_.to_json(); }
  Result<void> restore(std::string_view saved) override {
    DOLMEN_TRY(report_, DriftReport::from_json(saved));
    return {};
  }

  DriftReport take() { return std::move(report_); }

  Result<void> look_at(Item item, DriftReport& found, const ChangeSeen& seen) {
    const std::string key = key_text(item, table_);
    DOLMEN_TRY(DriftRules::Verdict verdict, scan_.rules.check(item));
    bool mended = false;
    if (scan_.fix == Fix::kYes && is_mendable(verdict)) {
      DOLMEN_TRY(MendOutcome outcome, mender_.mend(std::move(item), std::move(verdict)));
      if (!outcome.refusal.empty()) found.add_refusal(key, outcome.refusal);
      verdict = std::move(outcome.verdict);
      mended = outcome.mended;
    }
    found.add(verdict, key, mended);
    if (seen && !verdict.findings.empty()) seen(key, verdict, mended);
    return {};
  }

 private:
  const TableDefinition& table_;
  const DriftScan& scan_;
  Mender mender_;
  DriftReport report_;
};

}  // namespace

Result<DriftResult> scan_for_drift(Store& store, const TableDescription& table, const DriftScan& scan) {
  DriftVisitor visitor(store, table.definition, scan);
  DOLMEN_TRY(const transfer::WalkResult walk, transfer::walk_table(store, table, visitor, scan.walk));
  return DriftResult{.report = visitor.take(), .walk = walk};
}

Result<DriftReport> watch_for_drift(Store& store, const TableDescription& table, StreamRange& changes,
                                    const DriftScan& scan, const DriftWatch& watch) {
  DriftVisitor visitor(store, table.definition, scan);
  DriftReport found;
  const auto stopped = [&] { return watch.stopped && watch.stopped(); };
  std::chrono::milliseconds quiet{0};
  while (!stopped()) {
    bool any = false;
    for (const Result<StreamRecord>& record : changes) {
      if (!record) return std::unexpected(record.error());
      any = true;
      if (record->event != StreamEvent::kRemove) {
        if (!record->new_item) return fail(Code::kStreamNotFound, "the stream of the table has no new images");
        DOLMEN_TRY_VOID(visitor.look_at(*record->new_item, found, watch.seen));
      }
      if (stopped()) return found;
    }
    quiet = any ? std::chrono::milliseconds(0) : quiet + kDriftLook;
    if (watch.idle.count() > 0 && quiet >= watch.idle) break;
  }
  return found;
}

}  // namespace dolmen::upkeep
