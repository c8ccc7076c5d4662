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
void append_ascii_key(std::string& out, std::string_view text) {
  bool any_upper = false;
  for (const char c : text) {
    const Weight weight = kAsciiWeights[static_cast<unsigned char>(c)];
    if (weight.primary == 0) continue;
    out.push_back(static_cast<char>(weight.primary));
    any_upper = any_upper || weight.upper;
  }
  if (!any_upper) return;
  out.push_back('\0');
  for (const char c : text) {
    const Weight weight = kAsciiWeights[static_cast<unsigned char>(c)];
    if (weight.primary != 0) out.push_back(weight.upper ? '\2' : '\1');
  }
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

CollationKeys::CollationKeys(const std::vector<std::string_view>& texts) {
  ends_.reserve(texts.size());
  const bool ascii = std::ranges::all_of(texts, is_ascii);
  std::size_t size = 0;
  for (const std::string_view text : texts) size += text.size() * 2 + 1;
  bytes_.reserve(size);
  for (const std::string_view text : texts) {
    if (ascii) {
      append_ascii_key(bytes_, text);
    } else {
      append_icu_key(bytes_, collator(), text);
    }
    ends_.push_back(bytes_.size());
  }
}

}  // namespace dolmen::entity
