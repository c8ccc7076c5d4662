#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "value/encoded_item.h"
#include "value/json.h"

/// Answers as text, so that both sides can be compared and shown.
namespace dolmen::torture {

inline std::string shown(const std::optional<Item>& item) { return item ? json::to_text(*item) : "nothing"; }

inline std::string shown(const EncodedItem& encoded) {
  const Result<Item> item = decode_item(encoded.bytes);
  return item ? json::to_text(*item) : "an item that cannot be decoded: " + item.error().message();
}

inline std::string shown(const std::optional<EncodedItem>& encoded) { return encoded ? shown(*encoded) : "nothing"; }

template <class Each>
std::string shown(const std::vector<Each>& items) {
  std::string text;
  for (const auto& item : items) text += "\n  " + shown(item);
  return text;
}

inline std::string shown(Code code) { return std::string(code_name(code)); }
inline std::string shown(const Error& error) { return shown(error.code()); }

}  // namespace dolmen::torture
