#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/error.h"

/// Bytes of files on their way, in memory that does not depend on their length, and the forms in which items stand in
/// them.
namespace dolmen::formats {

/// Bytes, a piece at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Appends the next piece to `out`; false at the end. A piece is at most a few megabytes.
  virtual Result<bool> read(std::string& out) = 0;
};

enum class Compression : std::uint8_t { kNone, kGzip, kZstd };

/// What the bytes of another source are without their compression. A gzip file may have several members, and a zstd
/// file several frames. Reading fails with kMalformedEncoding when the bytes are not so compressed, are damaged, or end
/// too early.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, Compression compression);

/// Compresses what is added to one gzip file in memory.
class GzipWriter {
 public:
  GzipWriter();
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void add(std::string_view bytes);
  /// The compressed bytes so far; the compressor holds some back.
  [[nodiscard]] std::size_t size() const { return out_.size(); }
  /// The whole file. Nothing may be added afterwards.
  std::string finish();

 private:
  struct Stream;
  void compress(std::string_view bytes, bool last);

  std::unique_ptr<Stream> stream_;
  std::string out_;
};

}  // namespace dolmen::formats
