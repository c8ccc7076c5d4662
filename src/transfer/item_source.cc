#include "transfer/item_source.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "base/unicode.h"
#include "transfer/aws_folder.h"
#include "transfer/item_check.h"
#include "transfer/plain_json.h"
#include "value/json.h"

namespace dolmen::transfer {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr unsigned kGzipBytes = 1U << 18;
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
    files_ = {"the standard input"};
  } else if (format_ == Format::kAws) {
    DOLMEN_TRY(files_, aws_data_files(path_));
  } else {
    files_ = {path_};
  }
  for (const std::string& file : files_) {
    struct stat status{};
    if (path_ == "-") break;
    if (::stat(file.c_str(), &status) != 0) return reading_failed(file);
    if (S_ISDIR(status.st_mode)) return fail(Code::kIo, "cannot read {}: it is a directory", file);
    if (S_ISREG(status.st_mode)) size_ += static_cast<std::uint64_t>(status.st_size);
  }
  if (files_.empty() || from.file >= files_.size()) return {};
  std::error_code failure;  // The sizes were asked for above.
  for (std::size_t i = 0; i < from.file; ++i) size_before_ += std::filesystem::file_size(files_[i], failure);
  DOLMEN_TRY_VOID(open_file(from.file));
  if (format_ == Format::kCsv) DOLMEN_TRY_VOID(read_header());
  if (from.offset <= position_.offset) return {};
  if (::gzseek(file_.get(), static_cast<z_off_t>(from.offset), SEEK_SET) < 0) return reading_failed(current());
  buffer_.clear();
  at_ = 0;
  position_ = from;
  return {};
}

void CloseGzip::operator()(gzFile_s* file) const { ::gzclose(file); }

Result<void> ItemSource::open_file(std::size_t number) {
  position_ = {.file = number};
  const int descriptor = path_ == "-" ? ::dup(STDIN_FILENO) : ::open(files_[number].c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return reading_failed(current());
  // Reads what is not compressed as it is.
  file_.reset(::gzdopen(descriptor, "rb"));
  if (!file_) {
    ::close(descriptor);
    return reading_failed(current());
  }
  ::gzbuffer(file_.get(), kGzipBytes);
  return {};
}

Result<void> ItemSource::read_header() {
  std::string header;
  DOLMEN_TRY(const bool there, next_record(header));
  if (!there)
    return fail(Code::kValidation, "{} is empty; a CSV file begins with the names of the attributes", current());
  Result<std::vector<CsvColumn>> columns = parse_header(header, table_);
  if (!columns) return fail(Code::kValidation, "{}:1: {}", current(), columns.error().message());
  columns_ = *std::move(columns);
  return {};
}

std::uint64_t ItemSource::consumed() const {
  return size_before_ + (file_ ? static_cast<std::uint64_t>(std::max<z_off_t>(::gzoffset(file_.get()), 0)) : 0);
}

/// Appends to the buffer, of which `kept` bytes stay. 0 at the end.
Result<std::size_t> ItemSource::read_more(std::size_t kept) {
  buffer_.resize(kept + kReadBytes);
  const int got = ::gzread(file_.get(), buffer_.data() + kept, static_cast<unsigned>(kReadBytes));
  buffer_.resize(kept + static_cast<std::size_t>(std::max(got, 0)));
  if (got > 0) return static_cast<std::size_t>(got);
  int problem = Z_OK;
  const char* const text = ::gzerror(file_.get(), &problem);
  if (got < 0 || problem == Z_BUF_ERROR)
    return problem == Z_ERRNO ? Result<std::size_t>(reading_failed(current()))
                              : fail(Code::kIo, "cannot read {}: {}", current(),
                                     problem == Z_BUF_ERROR ? "the compressed file is cut off" : text);
  return std::size_t{0};
}

Result<bool> ItemSource::next_line(std::string& line) {
  if (!file_) return false;
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
      return fail(Code::kIo, "{}:{}: the line is longer than {} bytes", current(), position_.lines + 1, kRecordBytes);
    buffer_.erase(0, at_);
    at_ = 0;
    DOLMEN_TRY(const std::size_t got, read_more(searched));
    if (got > 0) continue;
    if (buffer_.empty() && position_.file + 1 < files_.size()) {
      size_before_ += static_cast<std::uint64_t>(std::max<z_off_t>(::gzoffset(file_.get()), 0));
      DOLMEN_TRY_VOID(open_file(position_.file + 1));
      continue;
    }
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
        return fail(Code::kIo, "{}:{}: a record is longer than {} bytes; a quote may be missing", current(),
                    position_.lines, kRecordBytes);
    }
  }
  if (record.ends_with('\r')) record.pop_back();
  return there;
}

Result<Item> ItemSource::parse(const std::string& record) const {
  if (!is_utf8(record)) return fail(Code::kValidation, "the line is not UTF-8");
  if (format_ == Format::kCsv) return parse_csv_item(record, columns_);
  if (format_ == Format::kAws) {
    DOLMEN_TRY(const EncodedItem encoded, json::parse_item(aws_item(record)));
    return decode_item(encoded.bytes);
  }
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
    DOLMEN_TRY(const bool there, next_record(incoming.text));
    if (!there) return false;
    // A record of CSV may have several lines; the first one is meant.
    incoming.line = position_.lines - static_cast<std::uint64_t>(std::ranges::count(incoming.text, '\n'));
    incoming.file = current();
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
