#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dolmen::cli {

/// Reads lines from a person at a terminal, with editing, history and completion. One at a time: the library below it
/// has global state.
class LineEditor {
 public:
  /// The words that could stand instead of `word`, the last one of the line up to the cursor.
  using Complete = std::function<std::vector<std::string>(const std::string& before, const std::string& word)>;

  /// `history` is a file that is read now, and appended to by `remember`; empty for none.
  LineEditor(std::string history, Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Nothing at the end of the input. Ctrl-C gives up the line: an empty one is returned, and `interrupted` is true.
  std::optional<std::string> read(const std::string& prompt);
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  /// Adds a line to the history, unless it is the same as the one before.
  void remember(const std::string& line);

 private:
  std::string history_;
  std::string last_;
  bool interrupted_ = false;
};

}  // namespace dolmen::cli
