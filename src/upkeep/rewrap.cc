#include "upkeep/rewrap.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "transfer/item_check.h"

namespace dolmen::upkeep {
namespace {

constexpr int kRewrapAttempts = 20;

/// The data key of something that may be an envelope.
const Bytes* encrypted_key_in(const AttributeValue& value) {
  const Item* map = value.get_if<Item>();
  const AttributeValue* key = map == nullptr ? nullptr : map->find("edk");
  return key == nullptr ? nullptr : key->get_if<Bytes>();
}

class RewrapVisitor final : public transfer::ItemVisitor {
 public:
  RewrapVisitor(Store& store, const TableDefinition& table, const Rewrap& rewrap)
      : store_(store), table_(table), rewrap_(rewrap) {}

  Result<Settle> visit(std::vector<Item> items) override {
    RewrapReport done;
    for (Item& item : items) DOLMEN_TRY_VOID(rewrap(std::move(item), done));
    return Settle([this, done = std::move(done)] { report_.add(done); });
  }

  [[nodiscard]] std::string saved() const override { return report_.to_json(); }
  Result<void> restore(std::string_view saved) override {
    DOLMEN_TRY(report_, RewrapReport::from_json(saved));
    return {};
  }

  RewrapReport take() { return std::move(report_); }

 private:
  Result<void> rewrap(Item item, RewrapReport& done) {
    for (int attempt = 1;; ++attempt) {
      RewrapReport report{.items = 1};
      Update update;
      Condition condition;
      DOLMEN_TRY_VOID(plan(item, report, update, condition));
      if (report.rewrapped == 0 || rewrap_.dry_run) {
        done.add(report);
        return {};
      }
      const Item key = transfer::key_item(item, table_);
      const Result<WriteResult> written = store_.update_item(table_.name, key, update, {.condition = condition});
      if (written) {
        done.add(report);
        return {};
      }
      const Code code = written.error().code();
      if (code == Code::kValidation || (code == Code::kConditionFailed && attempt == kRewrapAttempts)) {
        const std::uint64_t failed = std::exchange(report.rewrapped, 0);
        report.add_failure({.key = key_text(item, table_), .message = written.error().message()});
        report.failed += failed - 1;
        done.add(report);
        return {};
      }
      if (code != Code::kConditionFailed) return std::unexpected(written.error());
      DOLMEN_TRY(GetResult again, store_.get_item(table_.name, key));
      if (!again.item) return {};
      item = std::move(*again.item);
    }
  }

  /// What to do with each encrypted attribute of an item.
  Result<void> plan(const Item& item, RewrapReport& report, Update& update, Condition& condition) {
    const Model* model = rewrap_.rules.model_of(item);
    if (model == nullptr) {
      ++report.unknown;
      return {};
    }
    for (const ModelAttribute& attribute : model->attributes) {
      const AttributeValue* stored = attribute.encrypted ? item.find(attribute.name) : nullptr;
      if (stored == nullptr) continue;
      const Bytes* data_key = encrypted_key_in(*stored);
      if (data_key == nullptr) {
        ++report.plain;
      } else if (rewrap_.to.is_current(*data_key)) {
        ++report.current;
      } else {
        DOLMEN_TRY(std::optional<AttributeValue> fresh, encrypted_anew(*model, attribute, *stored, item, report));
        if (!fresh) continue;
        update.set(attr(attribute.name), std::move(*fresh));
        condition = std::move(condition) && attr(attribute.name) == *stored;
      }
    }
    return {};
  }

  /// Nothing when that was not needed or not possible.
  Result<std::optional<AttributeValue>> encrypted_anew(const Model& model, const ModelAttribute& attribute,
                                                       const AttributeValue& stored, const Item& item,
                                                       RewrapReport& report) {
    const KeyPurpose purpose{.model = model.name, .attribute = attribute.name};
    const Result<AttributeValue> plain = unseal(stored, purpose, rewrap_.from);
    if (!plain && plain.error().code() != Code::kInvalidEncryptedEnvelope) return std::unexpected(plain.error());
    if (!plain) {
      DOLMEN_TRY(const bool is_moved, opens_with_new_keys(stored, purpose));
      if (is_moved)
        ++report.current;
      else
        report.add_failure({.key = key_text(item, table_), .message = plain.error().message()});
      return std::nullopt;
    }
    ++report.rewrapped;
    if (rewrap_.dry_run) return std::nullopt;
    DOLMEN_TRY(AttributeValue fresh, seal(*plain, purpose, rewrap_.to));
    return fresh;
  }

  /// Whether an envelope went over to the new keys before, in a walk that was interrupted.
  Result<bool> opens_with_new_keys(const AttributeValue& stored, const KeyPurpose& purpose) {
    if (&rewrap_.from == &rewrap_.to) return false;
    const Result<AttributeValue> plain = unseal(stored, purpose, rewrap_.to);
    if (!plain && plain.error().code() != Code::kInvalidEncryptedEnvelope) return std::unexpected(plain.error());
    return plain.has_value();
  }

  Store& store_;
  const TableDefinition& table_;
  const Rewrap& rewrap_;
  RewrapReport report_;
};

}  // namespace

void RewrapReport::add(const RewrapReport& other) {
  items += other.items;
  rewrapped += other.rewrapped;
  current += other.current;
  plain += other.plain;
  unknown += other.unknown;
  failed += other.failed;
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
  std::ranges::sort(failures);
  if (failures.size() > kDriftSamples) failures.resize(kDriftSamples);
}

void RewrapReport::add_failure(DriftSample failure) {
  ++failed;
  failures.push_back(std::move(failure));
}

void RewrapReport::write(ObjectWriter& object) const {
  object.number("items", items).number("rewrapped", rewrapped).number("current", current).number("plain", plain);
  object.number("unknown", unknown).number("failed", failed);
  object.objects("failures", failures, [](ObjectWriter& failure, const DriftSample& each) {
    failure.text("key", each.key).text("message", each.message);
  });
}

std::string RewrapReport::to_json() const {
  return object_text([this](ObjectWriter& object) { write(object); });
}

Result<RewrapReport> RewrapReport::from_json(std::string_view json) {
  DOLMEN_TRY(const ObjectView object, ObjectView::response(json));
  RewrapReport report;
  for (const auto& [name, count] :
       std::initializer_list<std::pair<std::string_view, std::uint64_t*>>{{"items", &report.items},
                                                                          {"rewrapped", &report.rewrapped},
                                                                          {"current", &report.current},
                                                                          {"plain", &report.plain},
                                                                          {"unknown", &report.unknown},
                                                                          {"failed", &report.failed}}) {
    const std::string text = object.shown(name);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *count);
    if (error != std::errc{} || end != text.data() + text.size())
      return fail(Code::kSerialization, "\"{}\" is not a count: {}", name, text);
  }
  DOLMEN_TRY(const std::vector<std::string_view> failures, object.list("failures"));
  for (const std::string_view each : failures) {
    DOLMEN_TRY(const ObjectView failure, ObjectView::response(each));
    DOLMEN_TRY(std::string key, failure.text("key"));
    DOLMEN_TRY(std::string message, failure.text("message"));
    report.failures.push_back({.key = std::move(key), .message = std::move(message)});
  }
  return report;
}

Result<RewrapResult> rewrap_table(Store& store, const TableDescription& table, const Rewrap& rewrap) {
  RewrapVisitor visitor(store, table.definition, rewrap);
  DOLMEN_TRY(const transfer::WalkResult walk, transfer::walk_table(store, table, visitor, rewrap.walk));
  return RewrapResult{.report = visitor.take(), .walk = walk};
}

}  // namespace dolmen::upkeep
