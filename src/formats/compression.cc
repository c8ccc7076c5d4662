#include <string_view>
#include <utility>
#include <zlib.h>
#include <zstd.h>

#include "base/check.h"
#include "base/fail.h"
#include "formats/byte_source.h"

namespace dolmen::formats {
namespace {

/// What one call of `read` appends at most.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
/// zlib's code for gzip: the largest window, and 16 for the format.
constexpr int kGzipWindow = 15 + 16;

std::unexpected<Error> malformed(std::string_view format, std::string_view why) {
  return fail(Code::kMalformedEncoding, "the bytes are not a whole {} file: {}", format, why);
}

Bytef* zlib_bytes(std::string& text, std::size_t at) {
  // zlib takes bytes without a sign, and never writes to its input.
  return reinterpret_cast<Bytef*>(text.data() + at);
}

/// What is common to both: compressed bytes are fetched when the last ones are used up.
class Decompressing : public ByteSource {
 protected:
  explicit Decompressing(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// False when there are no more compressed bytes, and the decompressor has given all that it had.
  Result<bool> fetch() {
    while (at_ == in_.size() && !has_more_) {
      in_.clear();
      at_ = 0;
      DOLMEN_TRY(const bool there, source_->read(in_));
      if (!there) return false;
    }
    return true;
  }

  std::unique_ptr<ByteSource> source_;
  std::string in_;
  std::size_t at_ = 0;
  /// The last piece was full, so that the decompressor may hold something back.
  bool has_more_ = false;
};

class Gunzipping final : public Decompressing {
 public:
  explicit Gunzipping(std::unique_ptr<ByteSource> source) : Decompressing(std::move(source)) {
    DOLMEN_CHECK(inflateInit2(&stream_, kGzipWindow) == Z_OK, "zlib has memory");
  }
  ~Gunzipping() override { inflateEnd(&stream_); }
  Gunzipping(const Gunzipping&) = delete;
  Gunzipping& operator=(const Gunzipping&) = delete;

  Result<bool> read(std::string& out) override {
    const std::size_t begin = out.size();
    while (out.size() == begin) {
      DOLMEN_TRY(const bool there, fetch());
      if (!there && inside_) return malformed("gzip", "it ends too early");
      if (!there) return false;
      DOLMEN_TRY_VOID(inflate_some(out));
    }
    return true;
  }

 private:
  Result<void> inflate_some(std::string& out) {
    const std::size_t begin = out.size();
    out.resize(begin + kPieceBytes);
    stream_.next_in = zlib_bytes(in_, at_);
    stream_.avail_in = static_cast<uInt>(in_.size() - at_);
    stream_.next_out = zlib_bytes(out, begin);
    stream_.avail_out = kPieceBytes;
    inside_ = true;
    const int done = inflate(&stream_, Z_NO_FLUSH);
    at_ = in_.size() - stream_.avail_in;
    out.resize(out.size() - stream_.avail_out);
    has_more_ = stream_.avail_out == 0;
    if (done == Z_STREAM_END) {
      // Another member may follow.
      inside_ = false;
      has_more_ = false;
      inflateReset(&stream_);
      return {};
    }
    if (done != Z_OK && done != Z_BUF_ERROR) return malformed("gzip", stream_.msg == nullptr ? "damaged" : stream_.msg);
    return {};
  }

  z_stream stream_{};
  bool inside_ = false;
};

class Unzstding final : public Decompressing {
 public:
  explicit Unzstding(std::unique_ptr<ByteSource> source) : Decompressing(std::move(source)) {
    DOLMEN_CHECK(stream_ != nullptr, "zstd has memory");
  }

  Result<bool> read(std::string& out) override {
    const std::size_t begin = out.size();
    while (out.size() == begin) {
      DOLMEN_TRY(const bool there, fetch());
      if (!there && inside_) return malformed("zstd", "it ends too early");
      if (!there) return false;
      out.resize(begin + kPieceBytes);
      ZSTD_inBuffer in{in_.data(), in_.size(), at_};
      ZSTD_outBuffer piece{out.data() + begin, kPieceBytes, 0};
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &piece, &in);
      at_ = in.pos;
      out.resize(begin + piece.pos);
      has_more_ = piece.pos == kPieceBytes && left != 0;
      if (ZSTD_isError(left) != 0) return malformed("zstd", ZSTD_getErrorName(left));
      inside_ = left != 0;
    }
    return true;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source, Compression compression) {
  switch (compression) {
    case Compression::kNone: return source;
    case Compression::kGzip: return std::make_unique<Gunzipping>(std::move(source));
    case Compression::kZstd: return std::make_unique<Unzstding>(std::move(source));
  }
  DOLMEN_UNREACHABLE("a compression outside the closed list");
}

struct GzipWriter::Stream {
  z_stream zlib{};
};

GzipWriter::GzipWriter() : stream_(std::make_unique<Stream>()) {
  constexpr int kMemoryLevel = 8;
  DOLMEN_CHECK(deflateInit2(&stream_->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                            Z_DEFAULT_STRATEGY) == Z_OK,
               "zlib has memory");
}

GzipWriter::~GzipWriter() { deflateEnd(&stream_->zlib); }

void GzipWriter::add(std::string_view bytes) { compress(bytes, false); }

std::string GzipWriter::finish() {
  compress({}, true);
  return std::move(out_);
}

void GzipWriter::compress(std::string_view bytes, bool last) {
  z_stream& zlib = stream_->zlib;
  std::string input(bytes);
  zlib.next_in = zlib_bytes(input, 0);
  zlib.avail_in = static_cast<uInt>(input.size());
  int done = Z_OK;
  do {
    const std::size_t begin = out_.size();
    out_.resize(begin + kPieceBytes);
    zlib.next_out = zlib_bytes(out_, begin);
    zlib.avail_out = kPieceBytes;
    done = deflate(&zlib, last ? Z_FINISH : Z_NO_FLUSH);
    out_.resize(out_.size() - zlib.avail_out);
  } while (zlib.avail_in > 0 || (last && done != Z_STREAM_END));
}

}  // namespace dolmen::formats
