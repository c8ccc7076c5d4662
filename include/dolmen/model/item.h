#pragma once

#include <functional>
#include <map>
#include <string>

#include "dolmen/error.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/model.h"
#include "dolmen/timestamp.h"
#include "dolmen/value.h"

/// From logical items to stored ones and back, by a model. All failures are kInvalidModel unless said otherwise.
namespace dolmen {

/// How a program's values of one attribute become what the model says, and back: before a value is encoded, also one of
/// a key or one that a condition compares with, and after it was decoded. What is looked for inside a value
/// (begins_with, contains) is not converted. Null is null on both sides, and whether a value is empty is asked before
/// it is converted. A failure is reported as kInvalidModel.
struct ValueConverter {
  using Convert = std::function<Result<LogicalValue>(const LogicalValue&)>;
  Convert to_stored;
  Convert from_stored;
};

/// By the names of attributes.
using Converters = std::map<std::string, ValueConverter, std::less<>>;

struct EncodeOptions {
  /// Needed for models with encrypted attributes; without it they fail with kEncryptionNotConfigured.
  KeyProvider* keys = nullptr;
  TimestampForm timestamp_form = TimestampForm::kNineDigits;
  /// None when it is null. Must outlive the call.
  const Converters* converters = nullptr;
};

struct PutEncodeOptions {
  /// What created_at and updated_at become.
  Timestamp now;
  EncodeOptions values = {};
  /// Refuse an item without a required attribute. Other implementations of DMS do not.
  bool check_required = true;
};

/// The item that a put stores. created_at and updated_at are set to `now` whatever the item says, version is 0 unless
/// the item has one, empty attributes are left out where the model says omit_empty. Fails with kMissingPrimaryKey when
/// a key attribute is absent, null or empty, and for attributes that the model does not have.
Result<Item> encode_put(const Model& model, const LogicalItem& item, const PutEncodeOptions& options);

/// The primary key of an item. Attributes that are not part of the key may be missing, and are ignored.
Result<Item> encode_key(const Model& model, const LogicalItem& item, const EncodeOptions& options = {});

/// One value as the model stores it, encrypted where the model says so. `omit_empty` is not applied here.
Result<AttributeValue> encode_attribute(const Model& model, const ModelAttribute& attribute, const LogicalValue& value,
                                        const EncodeOptions& options = {});

struct DecodeOptions {
  KeyProvider* keys = nullptr;
  /// Read also what other implementations are known to write against the specification: lists where the model has a
  /// set or a blob, maps and lists where it has a JSON blob.
  bool lenient = true;
  const Converters* converters = nullptr;
};

struct DecodedItem {
  /// What the model knows. Sets are lists; a stored NULL is null, or an empty list where the model has a set.
  LogicalItem values;
  /// Attributes that the model does not have, as they are stored.
  Item unknown;
};

/// What a stored item means. An item that was read with a projection may lack any attribute. Fails with
/// kEncryptionNotConfigured and kInvalidEncryptedEnvelope, too.
Result<DecodedItem> decode_item(const Model& model, const Item& item, const DecodeOptions& options = {});

/// One stored value.
Result<LogicalValue> decode_attribute(const Model& model, const ModelAttribute& attribute, const AttributeValue& value,
                                      const DecodeOptions& options = {});

}  // namespace dolmen
