#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "engine/transfer_rows.h"
#include "formats/line_reader.h"
#include "objects/object_store.h"
#include "service/transfer_requests.h"

namespace dolmen::engine {

/// A record of an object, as it stands there.
struct ObjectRecord {
  std::string text;
  std::string object;
  /// Counted from 0 in its object.
  std::uint64_t index = 0;
  /// The object cannot be read any further; there is no text then.
  std::optional<Error> problem = std::nullopt;
};

/// The records of all objects below a prefix, in the order of their keys, from a position on. Memory does not depend on
/// the length of the objects.
class ObjectRecords {
 public:
  struct Form {
    ItemFormat format = ItemFormat::kDynamoJson;
    ObjectCompression compression = ObjectCompression::kNone;
    /// The first record of each object is a header (only of CSV).
    bool has_header = false;
  };

  /// Objects that were listed when the reading began; those that come later are not read, unless it goes on after a
  /// restart. Fails as ObjectStore does.
  static Result<std::unique_ptr<ObjectRecords>> open(std::shared_ptr<ObjectStore> bucket, const std::string& prefix,
                                                     Form form, const transfers::RecordPosition& from);

  /// False at the end. Empty lines are passed over. Fails as ObjectStore does; then the same record comes again.
  Result<bool> next(ObjectRecord& record);

  /// Passes over the rest of the object of the last record.
  void skip_object();

  /// After the last record.
  [[nodiscard]] const transfers::RecordPosition& position() const { return position_; }
  /// The size of what has been read, after decompression.
  [[nodiscard]] std::uint64_t bytes_read() const;
  /// The header of the object of the last record; empty without one.
  [[nodiscard]] const std::string& header() const { return header_; }

 private:
  class ObjectBytes;

  ObjectRecords(std::shared_ptr<ObjectStore> bucket, Form form) : bucket_(std::move(bucket)), form_(form) {}

  Result<bool> open_next_object();
  Result<void> skip_to_position(std::uint64_t records);
  Result<bool> read_line(std::string& line);
  void leave_object();

  std::shared_ptr<ObjectStore> bucket_;
  Form form_;
  std::vector<ObjectInfo> objects_;
  /// The object that is being read, or comes next.
  std::size_t at_ = 0;
  std::unique_ptr<formats::LineReader> lines_;
  std::string header_;
  transfers::RecordPosition position_;
};

}  // namespace dolmen::engine
