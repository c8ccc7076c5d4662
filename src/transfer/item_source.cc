#include "transfer/item_source.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/fail.h"
#include "base/unicode.h"
#include "transfer/item_check.h"
#include "transfer/plain_json.h"
#include "value/json.h"

namespace dolmen::transfer {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;
/// An item of 400 KB is shorter than this in every format.
constexpr std::size_t kRecordBytes = std::size_t{8} << 20;

std::unexpected<Error> reading_failed(const std::string& path) {
  return fail(Code::kIo, "cannot read {}: {}", path, std::generic_category().message(errno));
}

}  // namespace

Result<std::unique_ptr<ItemSource>> ItemSource::open(const std::string& path, Format format,
                                                     const TableDefinition& table, SourcePosition from) {
  std::unique_ptr<ItemSource> source(new ItemSource(path, format, table));
  DOLMEN_TRY_VOID(source->start(from));
  return source;
}

Result<void> ItemSource::start(SourcePosition from) {
  if (path_ == "-") {
    path_ = "the standard input";
    file_ = STDIN_FILENO;
  } else {
    owned_ = FileDescriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    file_ = owned_.get();
    struct stat status{};
    if (file_ < 0 || ::fstat(file_, &status) != 0) return reading_failed(path_);
    if (S_ISDIR(status.st_mode)) return fail(Code::kIo, "cannot read {}: it is a directory", path_);
    size_ = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
  if (format_ == Format::kCsv) {
    std::string header;
    DOLMEN_TRY(const bool there, next_record(header));
    if (!there)
      return fail(Code::kValidation, "{} is empty; a CSV file begins with the names of the attributes", path_);
    Result<std::vector<CsvColumn>> columns = parse_header(header, table_);
    if (!columns) return fail(Code::kValidation, "{}:1: {}", path_, columns.error().message());
    columns_ = *std::move(columns);
  }
  if (from.offset <= position_.offset) return {};
  if (::lseek(file_, static_cast<off_t>(from.offset), SEEK_SET) < 0) return reading_failed(path_);
  buffer_.clear();
  at_ = 0;
  position_ = from;
  return {};
}

Result<bool> ItemSource::next_line(std::string& line) {
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = buffer_.find('\n', at_ + searched);
    if (end != std::string::npos) {
      line.assign(buffer_, at_, end - at_);
      position_.offset += end + 1 - at_;
      at_ = end + 1;
      break;
    }
    searched = buffer_.size() - at_;
    if (searched > kRecordBytes)
      return fail(Code::kIo, "{}:{}: the line is longer than {} bytes", path_, position_.lines + 1, kRecordBytes);
    buffer_.erase(0, at_);
    at_ = 0;
    buffer_.resize(searched + kReadBytes);
    ssize_t got = -1;
    do got = ::read(file_, buffer_.data() + searched, kReadBytes);
    while (got < 0 && errno == EINTR);
    buffer_.resize(searched + static_cast<std::size_t>(got < 0 ? 0 : got));
    if (got < 0) return reading_failed(path_);
    if (got > 0) continue;
    if (buffer_.empty()) return false;
    line.swap(buffer_);
    position_.offset += line.size();
    buffer_.clear();
    break;
  }
  ++position_.lines;
  return true;
}

Result<bool> ItemSource::next_record(std::string& record) {
  DOLMEN_TRY(bool there, next_line(record));
  if (format_ == Format::kCsv) {
    std::string more;
    while (there && is_open_record(record)) {
      DOLMEN_TRY(const bool goes_on, next_line(more));
      if (!goes_on) break;
      record.append("\n").append(more);
      if (record.size() > kRecordBytes)
        return fail(Code::kIo, "{}:{}: a record is longer than {} bytes; a quote may be missing", path_,
                    position_.lines, kRecordBytes);
    }
  }
  if (record.ends_with('\r')) record.pop_back();
  return there;
}

Result<Item> ItemSource::parse(const std::string& record) const {
  if (!is_utf8(record)) return fail(Code::kValidation, "the line is not UTF-8");
  if (format_ == Format::kCsv) return parse_csv_item(record, columns_);
  if (format_ == Format::kTyped) {
    DOLMEN_TRY(const EncodedItem encoded, json::parse_item(record));
    return decode_item(encoded.bytes);
  }
  DOLMEN_TRY(Item item, parse_plain_item(record));
  DOLMEN_TRY_VOID(restore_binary_keys(item, table_));
  return item;
}

Result<bool> ItemSource::next(Incoming& incoming) {
  do {
    incoming.line = position_.lines + 1;
    DOLMEN_TRY(const bool there, next_record(incoming.text));
    if (!there) return false;
  } while (incoming.text.find_first_not_of(" \t") == std::string::npos);
  incoming.problem.reset();
  Result<Item> item = parse(incoming.text);
  const Result<void> checked = item ? check_item(*item, table_) : std::unexpected(item.error());
  if (checked)
    incoming.item = *std::move(item);
  else
    incoming.problem = checked.error();
  return true;
}

}  // namespace dolmen::transfer
