#pragma once

#include <string>
#include <vector>

#include "dolmen/value.h"

namespace dolmen::cli {

/// How items are shown as a table.
struct TableStyle {
  /// Numbers stand at the right of their columns.
  bool numbers_right = false;
  /// The line with the names is bold.
  bool colour = false;
};

/// Items as lines with aligned columns, below a line with their names. Shows the columns in `first` before the others.
std::string table_text(const std::vector<Item>& items, const std::vector<std::string>& first,
                       const TableStyle& style = {});

/// Whether the standard output is a terminal.
bool on_terminal();
/// Whether it may have colours: NO_COLOR is not set and the terminal is not "dumb".
bool has_colour();

}  // namespace dolmen::cli
