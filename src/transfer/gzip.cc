#include "transfer/gzip.h"

#include <zlib.h>

#include "base/check.h"

namespace dolmen::transfer {

std::string gzip_member(std::string_view text) {
  constexpr int kFastest = 1;
  constexpr int kGzipWindow = MAX_WBITS + 16;
  constexpr int kMemory = 8;
  z_stream stream{};
  DOLMEN_CHECK(::deflateInit2(&stream, kFastest, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) == Z_OK,
               "zlib needs memory");
  std::string member(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // It is not written to.
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(member.data());
  stream.avail_out = static_cast<uInt>(member.size());
  DOLMEN_CHECK(::deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflateBound is an upper bound");
  member.resize(stream.total_out);
  ::deflateEnd(&stream);
  return member;
}

}  // namespace dolmen::transfer
