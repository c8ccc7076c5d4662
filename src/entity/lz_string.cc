#include "entity/lz_string.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/fail.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$";
constexpr unsigned kBitsPerCharacter = 6;
enum Mark : std::uint32_t { kNewByte = 0, kNewUnit = 1, kEnd = 2, kFirstFree = 3 };

constexpr std::array<std::uint8_t, 256> kReversedBytes = [] {
  std::array<std::uint8_t, 256> reversed{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned bit = 0; bit < 8; ++bit)
      reversed[byte] |= static_cast<std::uint8_t>((byte >> bit & 1U) << (7U - bit));
  return reversed;
}();

constexpr std::uint32_t reversed(std::uint32_t value) {
  const auto byte = [value](unsigned i) { return std::uint32_t{kReversedBytes[value >> i * 8 & 255U]}; };
  return byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
}

/// Writes numbers with their lowest bit first into characters that are filled from their highest bit.
class BitWriter {
 public:
  explicit BitWriter(std::size_t characters) : text_(characters + kRoom, '\0') {}

  /// Writes a number of 1 to 32 bits.
  void write(std::uint32_t value, unsigned bits) {
    if (text_.size() - size_ < kRoom) text_.resize(text_.size() * 2);
    const std::uint64_t waiting = waiting_ << bits | reversed(value) >> (32U - bits);
    unsigned count = count_ + bits;
    char* out = text_.data() + size_;
    while (count >= kBitsPerCharacter) {
      count -= kBitsPerCharacter;
      *out++ = kAlphabet[waiting >> count & 63U];
    }
    size_ = static_cast<std::size_t>(out - text_.data());
    waiting_ = waiting;
    count_ = count;
  }

  /// Fills the last character; an aligned stream gets one more.
  std::string finish() && {
    write(0, kBitsPerCharacter - count_);
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  /// The number of characters that one number can fill.
  static constexpr std::size_t kRoom = 8;

  std::string text_;
  std::size_t size_ = 0;
  std::uint64_t waiting_ = 0;
  unsigned count_ = 0;
};

/// The dictionary: the code for the text of another code followed by one unit. A single unit follows code 0, which
/// stands for the empty text. Uses open addressing, because each unit needs a look-up. `Key` must have room for a code
/// above the bits of a unit.
template <class Key, unsigned kUnitBits>
class Phrases {
 public:
  /// For a text of `units` units. A long text may have few phrases.
  explicit Phrases(std::size_t units) { resize(std::bit_ceil(std::min(units, std::size_t{1} << 20U) + 64)); }

  /// The code of a single unit; 0 when it is new. Valid until the next call.
  std::uint32_t& code_of(std::uint32_t unit) { return unit < ascii_.size() ? ascii_[unit] : code_of(0, unit); }

  /// The same for a phrase followed by a unit.
  std::uint32_t& code_of(std::uint32_t prefix, std::uint32_t unit) {
    const Key key = (static_cast<Key>(prefix) << kUnitBits | unit) + 1;
    Slot* slot = &find(key);
    if (slot->key == 0) {
      if (++count_ * 2 > slots_.size()) {
        grow();
        slot = &find(key);
      }
      slot->key = key;
    }
    return slot->code;
  }

 private:
  struct Slot {
    Key key = 0;
    std::uint32_t code = 0;
  };

  /// The place of the key, or the place where it would be inserted.
  Slot& find(Key key) {
    Slot* const slots = slots_.data();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U >> shift_;
    while (slots[at].key != key && slots[at].key != 0) at = (at + 1) & mask;
    return slots[at];
  }

  void resize(std::size_t size) {
    slots_ = std::vector<Slot>(size);
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(size));
  }

  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    resize(old.size() * 2);
    for (const Slot& slot : old)
      if (slot.key != 0) find(slot.key) = slot;
  }

  std::array<std::uint32_t, 128> ascii_{};
  std::vector<Slot> slots_;
  unsigned shift_ = 0;
  std::size_t count_ = 0;
};

/// How to compress ASCII, whose bytes are its units, unless it is so long that codes need more bits.
struct AsciiUnits {
  using Unit = char;
  using Dictionary = Phrases<std::uint32_t, 7>;
  /// Each unit makes at most two codes.
  static constexpr std::size_t kSizeMax = std::size_t{1} << 23U;
};

struct Utf16Units {
  using Unit = char16_t;
  using Dictionary = Phrases<std::uint64_t, 16>;
};

template <class Units>
class Compressor {
 public:
  using Unit = Units::Unit;

  explicit Compressor(std::basic_string_view<Unit> units)
      : units_(units), writer_(units.size() + units.size() / 4), phrases_(units.size()) {}

  std::string run() && {
    std::uint32_t current = 0;
    for (const Unit next : units_) {
      const auto unit = static_cast<std::uint32_t>(next);
      std::uint32_t& single = phrases_.code_of(unit);
      if (single == 0) single = new_single(unit);
      const std::uint32_t alone = single;
      if (current == 0) {
        current = alone;
        continue;
      }
      std::uint32_t& longer = phrases_.code_of(current, unit);
      if (longer != 0) {
        current = longer;
        continue;
      }
      longer = next_code_++;
      emit(current);
      current = alone;
    }
    if (current != 0) emit(current);
    writer_.write(kEnd, bits_);
    return std::move(writer_).finish();
  }

 private:
  std::uint32_t new_single(std::uint32_t unit) {
    const std::uint32_t code = next_code_++;
    unwritten_.resize(next_code_, 0);
    unwritten_[code] = unit + 1;
    return code;
  }

  void emit(std::uint32_t code) {
    if (code < unwritten_.size() && unwritten_[code] != 0) {
      const std::uint32_t unit = unwritten_[code] - 1;
      unwritten_[code] = 0;
      writer_.write(unit < 256 ? kNewByte : kNewUnit, bits_);
      writer_.write(unit, unit < 256 ? 8 : 16);
      tick();
    } else {
      writer_.write(code, bits_);
    }
    tick();
  }

  void tick() {
    if (--enlarge_in_ > 0) return;
    enlarge_in_ = std::uint64_t{1} << bits_;
    ++bits_;
  }

  std::basic_string_view<Unit> units_;
  BitWriter writer_;
  Units::Dictionary phrases_;
  /// For codes of single units that have not been written yet: the unit and 1.
  std::vector<std::uint32_t> unwritten_;
  std::uint32_t next_code_ = kFirstFree;
  unsigned bits_ = 2;
  std::uint64_t enlarge_in_ = 2;
};

/// Reads what BitWriter wrote. Characters outside the alphabet count as zeros, and so does everything after the end.
class BitReader {
 public:
  explicit BitReader(std::string_view text) : text_(text) { load(); }

  std::uint32_t read(unsigned bits) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bits; ++i) {
      value |= (current_ & position_) != 0 ? 1U << i : 0U;
      position_ >>= 1U;
      if (position_ == 0) load();
    }
    return value;
  }

  /// Whether more characters have been taken than exist, including the current one.
  [[nodiscard]] bool past_end() const { return taken_ > text_.size(); }

 private:
  void load() {
    static const std::array<std::uint8_t, 256> kValues = [] {
      std::array<std::uint8_t, 256> values{};
      for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
      values[static_cast<unsigned char>(' ')] = values[static_cast<unsigned char>('+')];
      return values;
    }();
    position_ = 1U << (kBitsPerCharacter - 1);
    current_ = taken_ < text_.size() ? kValues[static_cast<unsigned char>(text_[taken_])] : 0;
    ++taken_;
  }

  std::string_view text_;
  std::size_t taken_ = 0;
  std::uint32_t current_ = 0;
  std::uint32_t position_ = 0;
};

class Decompressor {
 public:
  explicit Decompressor(std::string_view text) : reader_(text) {}

  Result<LzText> run() && {
    const std::uint32_t first = reader_.read(2);
    if (first == kEnd) return LzText{};
    if (first == kFirstFree) {
      begin_with_undefined();
    } else {
      output_.push_back(literal(first));
      phrases_.push_back({0, 1});
      last_ = {0, 1};
    }
    while (true) {
      if (reader_.past_end()) return LzText{.text = {}, .end = LzEnd::kTruncated};
      if (output_.size() - hidden_ > kLzTextUnitsMax) return too_long();
      const std::uint32_t code = reader_.read(bits_);
      if (code == kEnd) return LzText{.text = text_of_units(std::u16string_view(output_).substr(hidden_))};
      const std::size_t begin = output_.size();
      if (code == kNewByte || code == kNewUnit) {
        output_.push_back(literal(code));
        phrases_.push_back({begin, 1});
        --enlarge_in_;
        grow();
      } else {
        grow();
        DOLMEN_TRY(const bool known, repeat(code));
        if (!known) return LzText{.text = {}, .end = LzEnd::kNull};
      }
      // The new phrase, the last one and a unit more, stands in the output where the last one stood.
      phrases_.push_back({last_.begin, last_.length + 1});
      last_ = {begin, output_.size() - begin};
      --enlarge_in_;
      grow();
    }
  }

 private:
  /// A part of the output; of length 0 when the code stands for nothing.
  struct Phrase {
    std::size_t begin;
    std::size_t length;
  };

  /// lz-string accepts a stream that begins with a code that no compressor writes, treats the first phrase as undefined
  /// and continues. This does the same, with the word before the output.
  void begin_with_undefined() {
    output_ = u"undefined";
    hidden_ = output_.size();
    last_ = {0, hidden_};
    phrases_.push_back({0, 0});
  }

  char16_t literal(std::uint32_t code) { return static_cast<char16_t>(reader_.read(code == kNewByte ? 8 : 16)); }

  /// Appends the phrase of a code; false when there is none.
  Result<bool> repeat(std::uint32_t code) {
    const std::size_t known = phrases_.size() + kFirstFree;
    if (code > known) return false;
    // The phrase that is being made: the last one followed by its own first unit.
    const bool is_new = code == known;
    if (is_new && output_.size() == hidden_) return fail(Code::kInvalidPageToken, "invalid page key map");
    const Phrase phrase = is_new ? last_ : phrases_[code - kFirstFree];
    if (phrase.length == 0) return false;
    if (output_.size() - hidden_ + phrase.length > kLzTextUnitsMax) return too_long();
    // The phrase stands before what is appended.
    const std::size_t end = output_.size();
    output_.resize(end + phrase.length);
    std::copy_n(output_.begin() + static_cast<std::ptrdiff_t>(phrase.begin), phrase.length,
                output_.begin() + static_cast<std::ptrdiff_t>(end));
    if (is_new) output_.push_back(output_[last_.begin]);
    return true;
  }

  static std::unexpected<Error> too_long() {
    return fail(Code::kLimitExceeded, "a text of more than {} units was compressed", kLzTextUnitsMax);
  }

  void grow() {
    if (enlarge_in_ != 0) return;
    enlarge_in_ = std::int64_t{1} << bits_;
    ++bits_;
  }

  BitReader reader_;
  std::u16string output_;
  std::size_t hidden_ = 0;
  /// From code 3 on.
  std::vector<Phrase> phrases_;
  Phrase last_{0, 0};
  unsigned bits_ = 3;
  std::int64_t enlarge_in_ = 4;
};

}  // namespace

std::string lz_compress(std::string_view text) {
  if (text.size() <= AsciiUnits::kSizeMax && is_ascii(text)) return Compressor<AsciiUnits>(text).run();
  const std::u16string units = utf16_units(text);
  return Compressor<Utf16Units>(units).run();
}

Result<LzText> lz_decompress(std::string_view compressed) {
  if (compressed.empty()) return LzText{.text = {}, .end = LzEnd::kNull};
  return Decompressor(compressed).run();
}

}  // namespace dolmen::entity
