#include "value/json.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <simdjson.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/base64.h"
#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/text_buffer.h"
#include "value/json_reader.h"
#include "value/json_types.h"
#include "value/number_parts.h"

namespace dolmen::json {
namespace {

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

/// A fixed number of bytes without an early exit, so that the compiler generates vector instructions.
constexpr std::size_t kBlock = 32;
bool block_needs_escape(const char* bytes) {
  unsigned char any = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    any = static_cast<unsigned char>(any | (c < 0x20) | (c == '"') | (c == '\\'));
  }
  return any != 0;
}

/// The same for the eight bytes of a word: subtracting borrows from the highest bit of a byte that is too small.
constexpr std::size_t kWord = sizeof(std::uint64_t);
bool word_needs_escape(std::uint64_t word) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  const auto below = [](std::uint64_t value, std::uint64_t limit) { return (value - kEach * limit) & ~value; };
  return ((below(word, 0x20) | below(word ^ kEach * '"', 1) | below(word ^ kEach * '\\', 1)) & kEach * 0x80) != 0;
}

template <class Word>
std::uint64_t word_at(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(Word));
  return word;
}

/// The same for a text of less than eight bytes, which two overlapping halves cover.
bool short_needs_escape(std::string_view text) {
  constexpr std::uint64_t kPlain = 0x6161616161616161;  // where there is no byte
  const char* const end = text.data() + text.size();
  if (text.size() >= 4)
    return word_needs_escape(word_at<std::uint32_t>(text.data()) | word_at<std::uint32_t>(end - 4) << 32);
  if (text.size() >= 2)
    return word_needs_escape((kPlain << 32) | word_at<std::uint16_t>(text.data()) |
                             word_at<std::uint16_t>(end - 2) << 16);
  return !text.empty() && needs_escape(static_cast<unsigned char>(text.front()));
}

#if defined(__x86_64__)
/// The index of the first byte at or after `at` that must be escaped, as far as whole blocks go.
[[gnu::target("avx2")]] std::size_t find_in_blocks_avx2(std::string_view text, std::size_t at) {
  const __m256i last_control = _mm256_set1_epi8(0x1F);
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i backslash = _mm256_set1_epi8('\\');
  for (; text.size() - at >= kBlock; at += kBlock) {
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + at));
    const __m256i control = _mm256_cmpeq_epi8(_mm256_max_epu8(block, last_control), last_control);
    const __m256i quotes = _mm256_or_si256(_mm256_cmpeq_epi8(block, quote), _mm256_cmpeq_epi8(block, backslash));
    const auto found = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_or_si256(control, quotes)));
    if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found));
  }
  return at;
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

/// The index of the first byte at or after `at` that must be escaped.
std::size_t find_escape(std::string_view text, std::size_t at) {
#if defined(__x86_64__)
  if (text.size() - at >= kBlock && has_avx2()) at = find_in_blocks_avx2(text, at);
#endif
  while (text.size() - at >= kBlock && !block_needs_escape(text.data() + at)) at += kBlock;
  while (text.size() - at >= kWord && !word_needs_escape(word_at<std::uint64_t>(text.data() + at))) at += kWord;
  if (text.size() - at < kWord) {
    // The last word of a longer text begins with bytes that were looked at.
    const bool needed = text.size() < kWord
                            ? short_needs_escape(text)
                            : word_needs_escape(word_at<std::uint64_t>(text.data() + text.size() - kWord));
    if (!needed) return text.size();
  }
  while (at < text.size() && !needs_escape(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

void append_escaped(TextBuffer& out, char c) {
  switch (c) {
    case '"': out.append("\\\""); return;
    case '\\': out.append("\\\\"); return;
    case '\n': out.append("\\n"); return;
    case '\r': out.append("\\r"); return;
    case '\t': out.append("\\t"); return;
    case '\b': out.append("\\b"); return;
    case '\f': out.append("\\f"); return;
    default: {
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      out.append("\\u00");
      out.append(kHex[byte >> 4]);
      out.append(kHex[byte & 15]);
    }
  }
}

/// Appends the escaped text without its quotes.
void append_content(TextBuffer& out, std::string_view text) {
  for (std::size_t at = 0;;) {
    const std::size_t escape = find_escape(text, at);
    out.append(text.substr(at, escape - at));
    if (escape == text.size()) return;
    append_escaped(out, text[escape]);
    at = escape + 1;
  }
}

/// Copies a piece of constant length, which takes one or two instructions. Returns its end.
template <std::size_t kSize>
char* put(char* at, const char (&piece)[kSize]) {
  std::memcpy(at, piece, kSize - 1);
  return at + kSize - 1;
}

#if defined(__x86_64__)
/// Copies `kBytes` bytes, of which the first `used` count, and says which of those must be escaped.
template <std::size_t kBytes>
std::uint32_t copy_and_find_escapes(const char* from, char* to, std::size_t used) {
  std::uint32_t found = 0;
  for (std::size_t at = 0; at < kBytes; at += sizeof(__m128i)) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + at), block);
    const __m128i last_control = _mm_set1_epi8(0x1F);
    const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(block, last_control), last_control);
    const __m128i quotes =
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
    found |= static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(control, quotes))) << at;
  }
  return found & static_cast<std::uint32_t>((std::uint64_t{1} << used) - 1);
}
#endif

/// Appends `before`, the text in quotes, and `after`.
template <std::size_t kBefore, std::size_t kAfter>
void append_quoted(TextBuffer& out, const char (&before)[kBefore], std::string_view text, const char (&after)[kAfter]) {
  const std::size_t plain = find_escape(text, 0);
  char* at = put(put(out.room(kBefore + text.size() + kAfter), before), "\"");
  at += text.copy(at, plain);
  if (plain < text.size()) {
    out.written(at);
    append_content(out, text.substr(plain));
    at = out.room(kAfter);
  }
  out.written(put(put(at, "\""), after));
}

template <std::size_t kBefore, std::size_t kAfter>
void append_base64_string(TextBuffer& out, const char (&before)[kBefore], std::string_view bytes,
                          const char (&after)[kAfter]) {
  char* at = put(put(out.room(kBefore + base64_size(bytes.size()) + kAfter), before), "\"");
  out.written(put(put(write_base64(at, bytes), "\""), after));
}

/// Converts encoded bytes to JSON in one pass.
class Writer {
 public:
  Writer(std::string& out, std::string_view bytes) : out_(out), reader_(bytes) {}

  bool item() {
    reader_.take_version();
    map_body(0);
    return reader_.ok() && reader_.at_end();
  }

  bool single_value() {
    value(1);
    return reader_.ok() && reader_.at_end();
  }

 private:
  void map_body(unsigned depth) {
    out_.append('{');
    elements([&] {
      quoted("", ":");
      value(depth + 1);
    });
    out_.append('}');
  }

  /// Calls `element` for each element of a body, with commas between them.
  template <class Element>
  void elements(Element element) {
    const std::size_t count = reader_.take_count();
    for (std::size_t i = 0; i < count && reader_.ok(); ++i) {
      if (i > 0) out_.append(',');
      element();
    }
  }

  template <class Element>
  void array(std::string_view prefix, Element element) {
    reader_.enter_container();
    out_.append(prefix);
    out_.append('[');
    elements(element);
    out_.append("]}");
  }

  void value(unsigned depth) {
    if (depth > limits::kNestingLevels) return reader_.mark_bad();
    switch (reader_.take_tag()) {
      case ValueTag::kNull: out_.append(R"({"NULL":true})"); return;
      case ValueTag::kFalse: out_.append(R"({"BOOL":false})"); return;
      case ValueTag::kTrue: out_.append(R"({"BOOL":true})"); return;
      case ValueTag::kString: return quoted(R"({"S":)", "}");
      case ValueTag::kNumber: return number(R"({"N":)", "}");
      case ValueTag::kBinary: return append_base64_string(out_, R"({"B":)", reader_.take_bytes(), "}");
      case ValueTag::kList: return array(R"({"L":)", [&] { value(depth + 1); });
      case ValueTag::kMap:
        reader_.enter_container();
        out_.append(R"({"M":)");
        map_body(depth);
        return out_.append('}');
      case ValueTag::kStringSet: return array(R"({"SS":)", [&] { quoted("", ""); });
      case ValueTag::kNumberSet: return array(R"({"NS":)", [&] { number("", ""); });
      case ValueTag::kBinarySet:
        return array(R"({"BS":)", [&] { append_base64_string(out_, "", reader_.take_bytes(), ""); });
    }
  }

  /// Appends `before`, the next text in quotes, and `after`.
  template <std::size_t kBefore, std::size_t kAfter>
  void quoted(const char (&before)[kBefore], const char (&after)[kAfter]) {
    const std::string_view text = reader_.take_bytes();
#if defined(__x86_64__)
    // Most texts are short, and bytes that can be read follow them: a whole block is copied then, and looked at once.
    constexpr std::size_t kShort = 32;
    if (text.size() <= kShort && text.size() + reader_.rest().size() >= kShort) {
      char* const at = put(put(out_.room(kBefore + kShort + kAfter), before), "\"");
      const std::uint32_t escapes = text.size() <= kShort / 2
                                        ? copy_and_find_escapes<kShort / 2>(text.data(), at, text.size())
                                        : copy_and_find_escapes<kShort>(text.data(), at, text.size());
      if (escapes == 0) return out_.written(put(put(at + text.size(), "\""), after));
    }
#endif
    append_quoted(out_, before, text, after);
  }

  template <std::size_t kBefore, std::size_t kAfter>
  void number(const char (&before)[kBefore], const char (&after)[kAfter]) {
    char* at = put(put(out_.room(kBefore + kNumberTextBytes + kAfter), before), "\"");
    out_.written(put(put(reader_.take_number_text(at), "\""), after));
  }

  TextBuffer out_;
  EncodedReader reader_;
};

std::unexpected<Error> damaged(std::string_view bytes) {
  return fail(Code::kCorruption, "a stored item is damaged ({} bytes)", bytes.size());
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out.push_back('"');
  // Most texts have nothing to escape and need no buffer.
  const std::size_t plain = find_escape(text, 0);
  out.append(text.substr(0, plain));
  if (plain < text.size()) {
    TextBuffer buffer(out);
    append_content(buffer, text.substr(plain));
  }
  out.push_back('"');
}

Result<EncodedItem> parse_item(std::string_view text) {
  simdjson::dom::parser parser;
  Element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS || !root.is_object())
    return fail(Code::kSerialization, "the text is not a JSON object");
  DOLMEN_TRY_VOID(check_attribute_map(root));
  return encode_item(object_of(root));
}

Result<void> append_item(std::string& out, std::string_view encoded_item) {
  if (!Writer(out, encoded_item).item()) return damaged(encoded_item);
  return {};
}

Result<void> append_encoded_value(std::string& out, std::string_view encoded_value) {
  if (!Writer(out, encoded_value).single_value()) return damaged(encoded_value);
  return {};
}

std::string to_text(const Item& item) {
  std::string out;
  const Result<void> written = append_item(out, dolmen::encode_item(item).bytes);
  DOLMEN_CHECK(written.has_value(), "what encode_item writes can be read");
  return out;
}

}  // namespace dolmen::json
