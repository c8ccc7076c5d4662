#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include "base/fail.h"
#include "base/unicode.h"
#include "dolmen/relation/resource_types.h"

namespace dolmen {
namespace {

Result<icu::UnicodeString> composed(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(status);
  icu::UnicodeString made;
  if (U_SUCCESS(status)) made = normalizer->normalize(text, status);
  if (U_FAILURE(status)) return fail(Code::kInvalidResource, "Unicode normalisation failed: {}", u_errorName(status));
  return made;
}

}  // namespace

Result<std::string> normalise(Normaliser normaliser, std::string_view value) {
  if (value.empty()) return fail(Code::kInvalidResource, "a unique value must not be empty; leave it out instead");
  if (!is_utf8(value)) return fail(Code::kInvalidResource, "a unique value must be UTF-8");
  if (normaliser == Normaliser::kExact) return std::string(value);
  icu::UnicodeString text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(value.data(), static_cast<int32_t>(value.size())));
  // Folding is defined on canonically equivalent texts only after they have been composed, and may decompose again.
  DOLMEN_TRY(text, composed(text));
  if (normaliser == Normaliser::kCaseFold) {
    text.foldCase();
    DOLMEN_TRY(text, composed(text));
  }
  std::string out;
  text.toUTF8String(out);
  return out;
}

}  // namespace dolmen
