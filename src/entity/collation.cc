#include "entity/collation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unicode/coll.h>
#include <unicode/unistr.h>

#include "base/check.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

/// The printable characters of ASCII and its white space in the order of the root collation, with both cases of a
/// letter side by side. Everything else in ASCII is ignored. A test compares this with ICU.
constexpr std::string_view kAsciiOrder =
    "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ";

struct Weight {
  /// 0 for ignored characters.
  std::uint8_t primary = 0;
  bool upper = false;
};

constexpr std::array<Weight, 128> kAsciiWeights = [] {
  std::array<Weight, 128> weights{};
  std::uint8_t primary = 0;
  for (const char c : kAsciiOrder) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (!upper) ++primary;
    weights[static_cast<unsigned char>(c)] = {static_cast<std::uint8_t>(primary + 1), upper};
  }
  return weights;
}();

/// The integer into which bytes of keys and weights are packed, below a leading 1.
constexpr std::size_t kPacked = 7;

Weight weight_of(char c) { return kAsciiWeights[static_cast<unsigned char>(c)]; }

/// The letters decide; when all are equal, the first difference in case does.
int compare_ascii(std::string_view a, std::string_view b) {
  int by_case = 0;
  for (std::size_t i = 0, j = 0;; ++i, ++j) {
    while (i < a.size() && weight_of(a[i]).primary == 0) ++i;
    while (j < b.size() && weight_of(b[j]).primary == 0) ++j;
    if (i >= a.size() && j >= b.size()) return by_case;
    if (i >= a.size() || j >= b.size()) return i >= a.size() ? -1 : 1;
    const Weight left = weight_of(a[i]);
    const Weight right = weight_of(b[j]);
    if (left.primary != right.primary) return left.primary < right.primary ? -1 : 1;
    if (by_case == 0) by_case = static_cast<int>(left.upper) - static_cast<int>(right.upper);
  }
}

std::uint64_t first_weights(std::string_view text) {
  std::uint64_t value = 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size() && count < kPacked; ++i) {
    const std::uint8_t primary = weight_of(text[i]).primary;
    if (primary == 0) continue;
    value = value << 8U | primary;
    ++count;
  }
  return value << 8U * (kPacked - count);
}

std::uint64_t first_bytes(std::string_view key) {
  std::uint64_t value = 1;
  for (std::size_t i = 0; i < kPacked; ++i)
    value = value << 8U | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0U);
  return value;
}

/// Made for the first text that is not ASCII, because ICU is slow to load.
const icu::Collator& collator() {
  static const std::unique_ptr<icu::Collator> kCollator = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::Collator> made(icu::Collator::createInstance(icu::Locale::getRoot(), status));
    DOLMEN_CHECK(U_SUCCESS(status) && made != nullptr, "ICU has no root collation");
    made->setAttribute(UCOL_NORMALIZATION_MODE, UCOL_ON, status);
    DOLMEN_CHECK(U_SUCCESS(status), "ICU refuses to normalise");
    return made;
  }();
  return *kCollator;
}

std::string icu_key(std::string_view text) {
  const std::u16string units = utf16_units(text);
  const icu::UnicodeString unicode(units.data(), static_cast<std::int32_t>(units.size()));
  std::string key;
  const auto write = [&](std::size_t room) {
    key.resize(room);
    return static_cast<std::size_t>(
        collator().getSortKey(unicode, reinterpret_cast<std::uint8_t*>(key.data()), static_cast<std::int32_t>(room)));
  };
  std::size_t size = write(units.size() * 4 + 16);
  if (size > key.size()) size = write(size);
  key.resize(size);
  return key;
}

}  // namespace

void CollatedTexts::set(std::size_t place, std::string_view text) {
  texts_[place] = text;
  ascii_ = ascii_ && is_ascii(text);
  first_[place] = ascii_ ? first_weights(text) : 1;
}

std::vector<std::uint64_t> CollatedTexts::finish() {
  if (ascii_) return std::move(first_);
  keys_.resize(texts_.size());
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (first_[i] == 0) continue;
    keys_[i] = icu_key(texts_[i]);
    first_[i] = first_bytes(keys_[i]);
  }
  return std::move(first_);
}

int CollatedTexts::compare(std::size_t a, std::size_t b) const {
  return ascii_ ? compare_ascii(texts_[a], texts_[b]) : keys_[a].compare(keys_[b]);
}

int compare_collated(std::string_view a, std::string_view b) {
  return is_ascii(a) && is_ascii(b) ? compare_ascii(a, b) : icu_key(a).compare(icu_key(b));
}

}  // namespace dolmen::entity
