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

/// The letters first; their case decides only where all letters are the same.
std::string ascii_key(std::string_view text) {
  std::string key;
  key.reserve(text.size() + 2);
  bool any_upper = false;
  for (const char c : text) {
    const Weight weight = kAsciiWeights[static_cast<unsigned char>(c)];
    if (weight.primary == 0) continue;
    key.push_back(static_cast<char>(weight.primary));
    any_upper = any_upper || weight.upper;
  }
  if (!any_upper) return key;
  key.push_back('\0');
  for (const char c : text) {
    const Weight weight = kAsciiWeights[static_cast<unsigned char>(c)];
    if (weight.primary != 0) key.push_back(weight.upper ? '\2' : '\1');
  }
  return key;
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

std::string icu_key(const icu::Collator& collator, std::string_view text) {
  const std::u16string units = utf16_units(text);
  const icu::UnicodeString unicode(units.data(), static_cast<std::int32_t>(units.size()));
  std::string key(units.size() * 4 + 16, '\0');
  auto* bytes = reinterpret_cast<std::uint8_t*>(key.data());
  std::int32_t size = collator.getSortKey(unicode, bytes, static_cast<std::int32_t>(key.size()));
  if (size > static_cast<std::int32_t>(key.size())) {
    key.resize(static_cast<std::size_t>(size));
    size = collator.getSortKey(unicode, reinterpret_cast<std::uint8_t*>(key.data()), size);
  }
  key.resize(static_cast<std::size_t>(size));
  return key;
}

}  // namespace

std::vector<std::string> collation_keys(const std::vector<std::string_view>& texts) {
  std::vector<std::string> keys;
  keys.reserve(texts.size());
  if (std::ranges::all_of(texts, is_ascii)) {
    for (const std::string_view text : texts) keys.push_back(ascii_key(text));
  } else {
    const icu::Collator& icu = collator();
    for (const std::string_view text : texts) keys.push_back(icu_key(icu, text));
  }
  return keys;
}

}  // namespace dolmen::entity
