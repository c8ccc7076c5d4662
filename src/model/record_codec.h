#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dolmen/detail/record_table.h"
#include "model/put_rules.h"

namespace dolmen::detail {

/// Writes members of a record as the model stores them, and notes what does not fit.
class RecordTable::Encoder {
 public:
  Encoder(const RecordTable& table, const void* record)
      : table_(table),
        record_(record),
        context_(table.source()->timestamp_form),
        rules_(table.items_.options_.check_required) {}

  /// The whole item of a put.
  Result<Item> item();
  /// The value of one attribute; nothing when it is left out.
  std::optional<AttributeValue> value(const Slot& slot);
  /// Everything that was noted, as kInvalidModel or kMissingPrimaryKey or what encryption said.
  [[nodiscard]] Result<void> verdict() const;

 private:
  /// What the record has for the attribute, or the library; NULL when there is nothing.
  AttributeValue written(const Slot& slot);
  AttributeValue now();
  /// Makes of a written value what is stored. False when it is left out, or does not fit, which is noted.
  bool store(const Slot& slot, AttributeValue& value);

  const RecordTable& table_;
  const void* record_;
  mapping::Context context_;
  PutRules rules_;
  std::string now_;
  /// Whether the member that was written last could not be.
  bool refused_ = false;
};

/// Reads members of a record from what the model has stored.
class RecordTable::Decoder {
 public:
  Decoder(const RecordTable& table, void* record, bool partial) : table_(table), record_(record), partial_(partial) {}

  Result<void> item(const Item& item);

 private:
  bool read(const Slot& slot, const AttributeValue* stored);
  bool read_nothing(const Slot& slot, bool is_null);

  const RecordTable& table_;
  void* record_;
  bool partial_;
  mapping::Context context_;
  std::optional<Error> error_;
};

}  // namespace dolmen::detail
