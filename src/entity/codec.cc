#include "entity/codec.h"

#include "base/fail.h"

namespace dolmen::entity {

bool Codec::takes_big_integers() const {
  return builtin_ != nullptr && (builtin_->name == "bigint" || builtin_->name == "bigint20");
}

Result<void> Codec::encode(const Element& value, std::string& out) const {
  if (builtin_ == nullptr) {
    DOLMEN_TRY(const std::string text, custom_.encode(value.value()));
    out += text;
    return {};
  }
  if (builtin_->encode(value, out)) return {};
  return fail(Code::kInvalidEntity, "invalid {}", builtin_->name);
}

Result<EntityValue> Codec::decode(std::string_view text) const {
  if (builtin_ == nullptr) return custom_.decode(text);
  if (auto value = builtin_->decode(text)) return std::move(*value);
  return fail(Code::kInvalidEntity, "invalid encoded {}", builtin_->name);
}

Result<Element> Codec::decode_element(std::string_view text, bool raw, KeptTexts& kept) const {
  if (builtin_ != nullptr && builtin_->plain) return Element::view(text);
  if (raw && builtin_ != nullptr && !builtin_->decode(text))
    if (auto value = builtin_->decode_raw(text)) return Element::of(std::move(*value), kept);
  Result<EntityValue> value = decode(text);
  if (value) return Element::of(std::move(*value), kept);
  // A text that the user's transcode cannot decode must be a raw text.
  if (raw && builtin_ == nullptr) return Element::view(text);
  return std::unexpected(std::move(value).error());
}

bool Codec::custom_reads_own_text(const Element& value, bool raw) const {
  KeptTexts kept;
  const std::string text = value.to_string();
  const Result<Element> read = decode_element(text, raw, kept);
  return read && read->value() == value.value();
}

bool Codec::custom_round_trips(const Element& value) const {
  const EntityValue given = value.value();
  const Result<std::string> text = custom_.encode(given);
  if (!text) return false;
  const Result<EntityValue> read = custom_.decode(*text);
  return read && *read == given;
}

}  // namespace dolmen::entity
