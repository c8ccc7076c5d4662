#pragma once

#include <string>

#include "model/typed_value.h"

namespace dolmen {

/// A cursor to the letter; see dolmen/model/cursor.h for what it means.
struct CursorText {
  TypedValue::Map last_key;
  std::string index = {};
  /// ASC, DESC, or empty. Go writes whatever its caller gave.
  std::string sort = {};
};

std::string encode_cursor_text(const CursorText& cursor);

}  // namespace dolmen
