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
  /// 0 for what is ignored.
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

/// What bytes of keys and weights are packed into, below a 1.
constexpr std::size_t kPacked = 7;

Weight weight_of(char c) { return kAsciiWeights[static_cast<unsigned char>(c)]; }

/// The letters decide, and where they are all the same, the first that differs in case.
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

/// Made when the first text is not ASCII: ICU takes its time to load.
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

void append_icu_key(std::string& out, const icu::Collator& collator, std::string_view text) {
  const std::u16string units = utf16_units(text);
  const icu::UnicodeString unicode(units.data(), static_cast<std::int32_t>(units.size()));
  const std::size_t before = out.size();
  const auto write = [&](std::size_t room) {
    out.resize(before + room);
    return static_cast<std::size_t>(collator.getSortKey(unicode, reinterpret_cast<std::uint8_t*>(out.data() + before),
                                                        static_cast<std::int32_t>(room)));
  };
  std::size_t size = write(units.size() * 4 + 16);
  if (before + size > out.size()) size = write(size);
  out.resize(before + size);
}

}  // namespace

CollatedTexts::CollatedTexts(std::vector<std::string_view> texts)
    : texts_(std::move(texts)), ascii_(std::ranges::all_of(texts_, is_ascii)) {
  if (ascii_) return;
  key_begins_.reserve(texts_.size() + 1);
  key_begins_.push_back(0);
  for (const std::string_view text : texts_) {
    append_icu_key(keys_, collator(), text);
    key_begins_.push_back(keys_.size());
  }
}

std::uint64_t CollatedTexts::first(std::size_t text) const {
  return ascii_ ? first_weights(texts_[text]) : first_bytes(key(text));
}

int CollatedTexts::compare(std::size_t a, std::size_t b) const {
  return ascii_ ? compare_ascii(texts_[a], texts_[b]) : key(a).compare(key(b));
}

}  // namespace dolmen::entity
