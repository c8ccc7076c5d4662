#include "base/base64_blocks.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dolmen::base64_blocks {

#if defined(__x86_64__)
namespace {

constexpr std::size_t kLetters = 32;  // of a block
constexpr std::size_t kBytes = 24;    // that they stand for
constexpr std::size_t kHalf = kBytes / 2;

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

/// The same sixteen bytes for both halves of a block.
[[gnu::target("avx2")]] __m256i twice(__m128i half) { return _mm256_broadcastsi128_si256(half); }

[[gnu::target("avx2")]] __m256i load(const char* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

[[gnu::target("avx2")]] __m128i load_half(const char* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

/// The values of six bits of twelve bytes in each half, a byte each.
[[gnu::target("avx2")]] __m256i values_of_bytes(__m256i bytes) {
  // Three bytes become four: b1 b0 b2 b1, as two words of 16 bits that hold two values each.
  const __m256i words =
      _mm256_shuffle_epi8(bytes, twice(_mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10)));
  // Multiplying shifts each word by a number of bits of its own.
  const __m256i first =
      _mm256_mulhi_epu16(_mm256_and_si256(words, _mm256_set1_epi32(0x0FC0FC00)), _mm256_set1_epi32(0x04000040));
  const __m256i second =
      _mm256_mullo_epi16(_mm256_and_si256(words, _mm256_set1_epi32(0x003F03F0)), _mm256_set1_epi32(0x01000010));
  return _mm256_or_si256(first, second);
}

[[gnu::target("avx2")]] __m256i letters_of_values(__m256i values) {
  // What is added to a value to get its letter, by its class: 0 for a to z, 1 to 10 for the digits, 11 for +, 12 for /,
  // 13 for A to Z.
  const __m256i shifts = twice(_mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                                             '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0));
  const __m256i is_upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values);
  const __m256i classes =
      _mm256_or_si256(_mm256_subs_epu8(values, _mm256_set1_epi8(51)), _mm256_and_si256(is_upper, _mm256_set1_epi8(13)));
  return _mm256_add_epi8(values, _mm256_shuffle_epi8(shifts, classes));
}

[[gnu::target("avx2")]] std::size_t encode_avx2(char* out, std::string_view bytes) {
  std::size_t at = 0;
  // The second half is read with four bytes that follow it.
  for (; bytes.size() - at >= kHalf + sizeof(__m128i); at += kBytes, out += kLetters) {
    const __m256i block = _mm256_inserti128_si256(_mm256_castsi128_si256(load_half(bytes.data() + at)),
                                                  load_half(bytes.data() + at + kHalf), 1);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), letters_of_values(values_of_bytes(block)));
  }
  return at;
}

/// The upper four bits of each byte.
[[gnu::target("avx2")]] __m256i high_halves(__m256i letters) {
  return _mm256_and_si256(_mm256_srli_epi32(letters, 4), _mm256_set1_epi8(0x0F));
}

[[gnu::target("avx2")]] bool are_letters(__m256i letters) {
  // A byte is foreign when a bit is set both for its lower and for its upper half: bit 0 for the column 2_, 1 for 3_, 2
  // for 4_ and 6_, 3 for 5_ and 7_, 4 for all others.
  const __m256i by_low = twice(
      _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1A, 0x1B, 0x1B, 0x1B, 0x1A));
  const __m256i by_high = twice(
      _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10));
  const __m256i low = _mm256_shuffle_epi8(by_low, _mm256_and_si256(letters, _mm256_set1_epi8(0x0F)));
  const __m256i high = _mm256_shuffle_epi8(by_high, high_halves(letters));
  return _mm256_testz_si256(low, high) != 0;
}

[[gnu::target("avx2")]] std::size_t check_avx2(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= kLetters && are_letters(load(text.data() + at))) at += kLetters;
  return at;
}

[[gnu::target("avx2")]] __m256i values_of_letters(__m256i letters) {
  // What is added to a letter to get its value, by its upper half; the half of / counts one less, because + has it too.
  const __m256i shifts = twice(_mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i is_slash = _mm256_cmpeq_epi8(letters, _mm256_set1_epi8('/'));
  return _mm256_add_epi8(letters, _mm256_shuffle_epi8(shifts, _mm256_add_epi8(high_halves(letters), is_slash)));
}

[[gnu::target("avx2")]] std::size_t decode_avx2(char* out, std::string_view text) {
  std::size_t at = 0;
  // A block writes eight bytes more than it has, over which the next one writes.
  for (; text.size() - at >= kLetters + 12; at += kLetters, out += kBytes) {
    const __m256i values = values_of_letters(load(text.data() + at));
    const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
    const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
    // Each group of 32 bits has three bytes, the highest first.
    const __m256i packed =
        _mm256_shuffle_epi8(groups, twice(_mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1)));
    const __m256i joined = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), joined);
  }
  return at;
}

}  // namespace

std::size_t encode(char* out, std::string_view bytes) { return has_avx2() ? encode_avx2(out, bytes) : 0; }
std::size_t check(std::string_view text) { return has_avx2() ? check_avx2(text) : 0; }
std::size_t decode(char* out, std::string_view text) { return has_avx2() ? decode_avx2(out, text) : 0; }

#else

std::size_t encode(char* /*out*/, std::string_view /*bytes*/) { return 0; }
std::size_t check(std::string_view /*text*/) { return 0; }
std::size_t decode(char* /*out*/, std::string_view /*text*/) { return 0; }

#endif

}  // namespace dolmen::base64_blocks
