#include "engine/object_records.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kFetchBytes = std::size_t{4} << 20;

formats::Compression compression_of(ObjectCompression compression) {
  return compression == ObjectCompression::kGzip   ? formats::Compression::kGzip
         : compression == ObjectCompression::kZstd ? formats::Compression::kZstd
                                                   : formats::Compression::kNone;
}

/// The object itself is bad, and trying again does not help.
bool is_bad_content(const Error& error) {
  return error.code() == Code::kMalformedEncoding || error.code() == Code::kRequestTooLarge;
}

}  // namespace

/// The bytes of one object, fetched piece by piece.
class ObjectRecords::ObjectBytes final : public formats::ByteSource {
 public:
  ObjectBytes(std::shared_ptr<ObjectStore> bucket, ObjectInfo object)
      : bucket_(std::move(bucket)), object_(std::move(object)) {}

  Result<bool> read(std::string& out) override {
    if (offset_ >= object_.bytes) return false;
    DOLMEN_TRY(const std::string piece, bucket_->read(object_.key, offset_, kFetchBytes));
    if (piece.empty()) return fail(Code::kMalformedEncoding, "the object became shorter while it was read");
    offset_ += piece.size();
    out += piece;
    return true;
  }

 private:
  std::shared_ptr<ObjectStore> bucket_;
  ObjectInfo object_;
  std::uint64_t offset_ = 0;
};

Result<std::unique_ptr<ObjectRecords>> ObjectRecords::open(std::shared_ptr<ObjectStore> bucket,
                                                           const std::string& prefix, Form form,
                                                           const transfers::RecordPosition& from) {
  std::unique_ptr<ObjectRecords> records(new ObjectRecords(std::move(bucket), form));
  DOLMEN_TRY(records->objects_, records->bucket_->list(prefix));
  // A folder that somebody made at a console is an empty object whose name ends with a slash.
  std::erase_if(records->objects_,
                [](const ObjectInfo& object) { return object.bytes == 0 && object.key.ends_with('/'); });
  records->position_ = {.bytes_before = from.bytes_before, .done = from.done || records->objects_.empty()};
  if (from.done) records->at_ = records->objects_.size();
  if (from.object.empty()) return records;
  const auto begin = std::ranges::lower_bound(records->objects_, from.object, {}, &ObjectInfo::key);
  records->at_ = static_cast<std::size_t>(begin - records->objects_.begin());
  if (begin == records->objects_.end() || begin->key != from.object)
    return fail(Code::kObjectNotFound, "the object {}, of which a part was read, is gone", from.object);
  DOLMEN_TRY_VOID(records->open_next_object());
  DOLMEN_TRY_VOID(records->skip_to_position(from.records));
  return records;
}

Result<void> ObjectRecords::skip_to_position(std::uint64_t records) {
  std::string line;
  while (position_.records < records) {
    const Result<bool> there = read_line(line);
    if (!there && is_bad_content(there.error())) {
      // The end of the object had been reported before.
      leave_object();
      return {};
    }
    if (!there) return std::unexpected(there.error());
    if (!*there) return fail(Code::kObjectNotFound, "the object {} is shorter than it was", position_.object);
    ++position_.records;
  }
  return {};
}

/// False when there are no more objects.
Result<bool> ObjectRecords::open_next_object() {
  if (at_ == objects_.size()) return false;
  const ObjectInfo& object = objects_[at_];
  lines_ = std::make_unique<formats::LineReader>(
      formats::decompressed(std::make_unique<ObjectBytes>(bucket_, object), compression_of(form_.compression)));
  position_.object = object.key;
  position_.records = 0;
  header_.clear();
  return true;
}

void ObjectRecords::leave_object() {
  position_ = {.object = {}, .records = 0, .bytes_before = bytes_read()};
  lines_.reset();
  ++at_;
  // Where the next one begins, so that a restart does not read this one again.
  if (at_ < objects_.size()) position_.object = objects_[at_].key;
  position_.done = at_ == objects_.size();
}

Result<bool> ObjectRecords::read_line(std::string& line) {
  const auto next = [&] { return form_.format == ItemFormat::kCsv ? lines_->next_csv(line) : lines_->next(line); };
  while (true) {
    DOLMEN_TRY(const bool there, next());
    if (!there) return false;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!form_.has_header || !header_.empty()) return true;
    header_ = line;
  }
}

Result<bool> ObjectRecords::next(ObjectRecord& record) {
  record.problem.reset();
  while (true) {
    if (lines_ == nullptr) {
      DOLMEN_TRY(const bool opened, open_next_object());
      if (!opened) return false;
    }
    const Result<bool> there = read_line(record.text);
    if (!there && !is_bad_content(there.error())) return std::unexpected(there.error());
    if (there && !*there) {
      leave_object();
      continue;
    }
    record.object = position_.object;
    record.index = position_.records;
    if (!there) {
      record.text.clear();
      record.problem = there.error();
      leave_object();
      return true;
    }
    ++position_.records;
    return true;
  }
}

void ObjectRecords::skip_object() {
  if (lines_ != nullptr) leave_object();
}

std::uint64_t ObjectRecords::bytes_read() const {
  return position_.bytes_before + (lines_ == nullptr ? 0 : lines_->bytes_read());
}

}  // namespace dolmen::engine
