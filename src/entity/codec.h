#pragma once

#include <string>
#include <string_view>

#include "dolmen/entity/config.h"
#include "entity/element.h"
#include "entity/transcodes.h"

namespace dolmen::entity {

/// The transcode of a property: one of the default ones, or the user's own.
class Codec {
 public:
  explicit Codec(const BuiltinTranscode& builtin) : builtin_(&builtin) {}
  explicit Codec(Transcode custom) : custom_(std::move(custom)) {}

  [[nodiscard]] KeyType key_type() const { return builtin_ != nullptr ? builtin_->key_type : custom_.key_type; }
  /// Whether numbers in items are integers of any size instead of doubles.
  [[nodiscard]] bool takes_big_integers() const;

  /// Appends the text. Fails with kInvalidEntity, "invalid <name>".
  Result<void> encode(const Element& value, std::string& out) const;
  /// Fails with kInvalidEntity, "invalid encoded <name>".
  [[nodiscard]] Result<EntityValue> decode(std::string_view text) const;
  /// The same for an element of a generated property; `raw` also takes the value's own text. `text` must outlive it.
  [[nodiscard]] Result<Element> decode_element(std::string_view text, bool raw, KeptTexts& kept) const;
  /// Whether it is the transcode of texts, which leaves every text as it is.
  [[nodiscard]] bool is_plain() const { return builtin_ != nullptr && builtin_->plain; }
  /// Whether a value can be encoded and decodes to the same value.
  [[nodiscard]] bool round_trips(const Element& value) const {
    return builtin_ != nullptr ? builtin_->round_trips(value) : custom_round_trips(value);
  }
  /// Whether the raw text of a value, which generated properties hold, decodes to the same value. For the default
  /// transcodes this depends on `raw` alone, so it counts as true.
  [[nodiscard]] bool reads_own_text(const Element& value, bool raw) const {
    return builtin_ != nullptr || custom_reads_own_text(value, raw);
  }

 private:
  [[nodiscard]] bool custom_round_trips(const Element& value) const;
  [[nodiscard]] bool custom_reads_own_text(const Element& value, bool raw) const;

  const BuiltinTranscode* builtin_ = nullptr;
  Transcode custom_;
};

}  // namespace dolmen::entity
