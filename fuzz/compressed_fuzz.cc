// Compressed files of imports: any bytes are read as gzip and as zstd or refused with one code, and any bytes that are
// compressed come back as they were.
#include "formats/byte_source.h"
#include "fuzz/fuzz.h"

using namespace dolmen;
using formats::Compression;

namespace {

constexpr std::size_t kBytesMax = std::size_t{16} << 20;

/// All of it at once.
class Whole final : public formats::ByteSource {
 public:
  explicit Whole(std::string_view text) : text_(text) {}
  Result<bool> read(std::string& out) override {
    out += text_;
    return !std::exchange(text_, {}).empty();
  }

 private:
  std::string text_;
};

Result<std::string> read_all(std::string_view bytes, Compression compression) {
  const auto source = formats::decompressed(std::make_unique<Whole>(bytes), compression);
  std::string out;
  while (out.size() < kBytesMax) {
    const Result<bool> more = source->read(out);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const Result<std::string> read = read_all(input, compression);
    DOLMEN_CHECK(read || read.error().code() == Code::kMalformedEncoding, "a refusal has one code");
  }
  formats::GzipWriter writer;
  writer.add(input.substr(0, size / 2));
  writer.add(input.substr(size / 2));
  DOLMEN_CHECK(read_all(writer.finish(), Compression::kGzip) == std::string(input), "gzip reads back");
  DOLMEN_CHECK(read_all(input, Compression::kNone) == std::string(input), "plain bytes stay as they are");
  return 0;
}
