#include "formats/line_reader.h"

#include "base/fail.h"
#include "formats/csv_record.h"

namespace dolmen::formats {
namespace {

std::unexpected<Error> line_too_long() {
  return fail(Code::kRequestTooLarge, "a record is longer than {} bytes", LineReader::kRecordBytesMax);
}

}  // namespace

Result<bool> LineReader::next(std::string& line) {
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = buffer_.find('\n', at_ + searched);
    if (end != std::string::npos) {
      line.assign(buffer_, at_, end - at_);
      bytes_ += end + 1 - at_;
      at_ = end + 1;
      break;
    }
    searched = buffer_.size() - at_;
    if (searched > kRecordBytesMax) return line_too_long();
    buffer_.erase(0, at_);
    at_ = 0;
    DOLMEN_TRY(const bool more, source_->read(buffer_));
    if (more) continue;
    if (buffer_.empty()) return false;
    line.swap(buffer_);
    bytes_ += line.size();
    buffer_.clear();
    break;
  }
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

Result<bool> LineReader::next_csv(std::string& record) {
  DOLMEN_TRY(const bool there, next(record));
  std::string more;
  while (there && is_open_record(record)) {
    DOLMEN_TRY(const bool goes_on, next(more));
    if (!goes_on) break;
    record.append("\n").append(more);
    if (record.size() > kRecordBytesMax) return line_too_long();
  }
  return there;
}

}  // namespace dolmen::formats
