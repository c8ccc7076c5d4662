#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/error.h"
#include "formats/byte_source.h"

namespace dolmen::formats {

/// The lines of a source. A line of CSV whose quotes are open goes on in the next one.
class LineReader {
 public:
  /// An item of 400 KB is shorter than this in every format.
  static constexpr std::size_t kRecordBytesMax = std::size_t{8} << 20;

  explicit LineReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// False at the end. The line comes without its end. Fails with kRequestTooLarge for a line that is too long, and as
  /// the source does.
  Result<bool> next(std::string& line);
  /// The same for a record of CSV.
  Result<bool> next_csv(std::string& record);

  /// After the last line.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace dolmen::formats
